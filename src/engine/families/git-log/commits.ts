/** The heading of a commit in `git log` or `git show`, also behind the lines of a graph. */
export interface CommitHeading {
  /** Index of its first line. */
  readonly from: number
  /** Index after its last header line. */
  readonly to: number
  /** The first line up to the end of the commit's id and the names behind it. */
  readonly text: string
  readonly merge: string | null
  readonly author: string | null
  readonly date: string | null
}

const COMMIT = /^((?:[|\\/_ ]{0,200}\*[|\\/_ .-]{0,200} )?)commit (?:[-<>^=+] )?[0-9a-f]{7,64}(?: |$)/
const HEADER = /^([|\\/_ ]{0,400}?)(Merge|Author|Date): {1,8}(\S.*)$/
/** Graph lines that only lead on. */
const STRAIGHT = /^[| ]*$/

/** Where each commit begins, with the header lines that can stand on one line with it. */
export function readCommits(lines: readonly string[], from: number, to: number): CommitHeading[] {
  const commits: CommitHeading[] = []
  for (let i = from; i < to; i += 1) {
    if (!COMMIT.test(lines[i] ?? '')) continue
    const first = HEADER.exec(lines[i + 1] ?? '')
    if (!first || first[2] === 'Date') continue
    const fields = new Map<string, string>()
    let end = i + 1
    for (; end < to; end += 1) {
      const field = HEADER.exec(lines[end] ?? '')
      // Lines that draw a branch stay as they are.
      if (!field?.[2] || !STRAIGHT.test(field[1] ?? '') || fields.has(field[2])) break
      fields.set(field[2], field[3] ?? '')
    }
    commits.push({
      from: i,
      to: end,
      text: lines[i] ?? '',
      merge: fields.get('Merge') ?? null,
      author: fields.get('Author') ?? null,
      date: fields.get('Date') ?? null,
    })
  }
  return commits
}

/** Whether a line is blank but for a graph that leads on. */
export function isStraight(line: string): boolean {
  return STRAIGHT.test(line)
}

/** Lines of a diff, of a commit's message or of a graph: they quote, and what they say is no message of git's. */
export function isOfHistory(line: string): boolean {
  return /^[-+ |\\/*@]/.test(line)
}
