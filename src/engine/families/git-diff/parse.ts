import { factsOf } from '../../signals.ts'

/** A hunk: its header, and the lines that its header counts. */
export interface Hunk {
  readonly header: number
  /** Index after its last line. */
  readonly to: number
  /** Index of a message between its last line and the next hunk, which counts as its own; -1 without one. */
  readonly message: number
  /** Columns of marks before each line: 1, or the number of parents in a combined diff. */
  readonly marks: number
  /** Number of the hunk's first line in the new file. */
  readonly start: number
  /** Whether its lines are what the header says: all there, and each with its marks. */
  readonly intact: boolean
  /** Whether the output ends before the hunk does. */
  readonly cutOff: boolean
}

/** Part of an output with diffs in it, as ranges of line indexes; `to` is exclusive. */
export type Piece =
  | { readonly kind: 'text'; readonly from: number; readonly to: number }
  | {
      readonly kind: 'file'
      readonly from: number
      /** Where the hunks, or the data of a binary patch, begin. */
      readonly body: number
      readonly to: number
      readonly hunks: readonly Hunk[]
    }

export type FilePiece = Extract<Piece, { kind: 'file' }>

const FILE = /^diff --(?:git|cc|combined) \S/
const EXTENDED =
  /^(?:old mode|new mode|deleted file mode|new file mode|mode|copy from|copy to|rename from|rename to|similarity index|dissimilarity index|index|Binary files|---|\+\+\+) /
/** `@@ -1,2 +3 @@ func x`; combined diffs have one more `@` and range for each parent more. */
const HUNK = /^(@{2,17})((?: -\d{1,9}(?:,\d{1,9})?){1,16}) \+(\d{1,9})(?:,(\d{1,9}))? @{2,17}(?: |$)/
const BINARY_DATA = /^(?:(?:literal|delta) \d{1,12}|[A-Za-z][0-9A-Za-z!#$%&()*+;<=>?@^_`{|}~-]{5,65})?$/

/**
 * Splits an output of `git diff`, `git show` or `git log -p` into its files' diffs and the text between them. Hunks are
 * read by the counts in their headers: a line's content may look like any header.
 */
export function parseDiff(lines: readonly string[]): Piece[] {
  const pieces: Piece[] = []
  let text = 0
  const endText = (to: number): void => {
    if (to > text) pieces.push({ kind: 'text', from: text, to })
  }
  for (let i = 0; i < lines.length; ) {
    if (!FILE.test(lines[i] ?? '')) {
      i += 1
      continue
    }
    endText(i)
    const file = readFile(lines, i)
    pieces.push(file)
    i = file.to
    text = i
  }
  endText(lines.length)
  return pieces
}

function readFile(lines: readonly string[], from: number): FilePiece {
  let i = from + 1
  let inNames = false
  while (i < lines.length && (EXTENDED.test(lines[i] ?? '') || isBetween(lines, i))) {
    // After `+++` only a hunk can follow.
    if (inNames && !(lines[i] ?? '').startsWith('+++ ') && !isBetween(lines, i)) break
    inNames ||= (lines[i] ?? '').startsWith('--- ')
    i += 1
  }
  const body = i
  const hunks: Hunk[] = []
  if (lines[i] === 'GIT binary patch') {
    i += 1
    while (i < lines.length && BINARY_DATA.test(lines[i] ?? '')) i += 1
    return { kind: 'file', from, body, to: i, hunks }
  }
  for (let hunk = readHunk(lines, i); hunk !== null; hunk = readHunk(lines, i)) {
    hunks.push(hunk)
    i = hunk.to
  }
  return { kind: 'file', from, body, to: i, hunks }
}

function readHunk(lines: readonly string[], header: number): Hunk | null {
  const match = HUNK.exec(lines[header] ?? '')
  if (!match?.[1] || !match[2]) return null
  const marks = match[1].length - 1
  const left = match[2]
    .trim()
    .split(' ')
    .map((range) => Number(range.split(',')[1] ?? 1))
  if (left.length !== marks) return null
  let added = Number(match[4] ?? 1)
  const start = Number(match[3])
  const made = (to: number, intact: boolean, cutOff: boolean, message = -1): Hunk => {
    return { header, to, message, marks, start, intact, cutOff }
  }
  let i = header + 1
  while (added > 0 || left.some((count) => count > 0)) {
    const line = lines[i]
    if (line === undefined) return made(i, true, true)
    const sign = line === '' ? ' ' : markOf(line, marks)
    if (sign === null) {
      if (!isMessage(line)) return made(endOfStrange(lines, i), false, false)
      i += 1
      continue
    }
    if (sign !== '\\') {
      // A removed line was in the parents marked `-`; any other was in those without a mark.
      for (let p = 0; p < marks; p += 1)
        if ((line[p] ?? ' ') === (sign === '-' ? '-' : ' ')) left[p] = (left[p] ?? 0) - 1
      if (sign !== '-') added -= 1
      if (added < 0 || left.some((count) => count < 0)) return made(endOfStrange(lines, i), false, false)
    }
    i += 1
  }
  while ((lines[i] ?? '').startsWith('\\ ')) i += 1
  return HUNK.test(lines[i + 1] ?? '') && isBetween(lines, i) ? made(i + 1, true, false, i) : made(i, true, false)
}

/** Whether a line between a hunk's is none of them: an error that another program, or git itself, wrote meanwhile. */
export function isMessage(line: string): boolean {
  return factsOf([line]).size > 0 || /^(?:hint|warning): /.test(line)
}

/** Whether a message stands where a file's header or its next hunk goes on behind it. */
function isBetween(lines: readonly string[], at: number): boolean {
  const next = lines[at + 1] ?? ''
  return (EXTENDED.test(next) || HUNK.test(next)) && isMessage(lines[at] ?? '')
}

/** What the marks before a hunk's line say; `\` for a note of git's own; null where they are none. */
export function markOf(line: string, marks: number): '+' | '-' | ' ' | '\\' | null {
  if (line.startsWith('\\ ')) return '\\'
  let sign: '+' | '-' | ' ' = ' '
  for (let p = 0; p < marks; p += 1) {
    const mark = line[p] ?? ' '
    if (mark === '-' || mark === '+') sign = mark
    else if (mark !== ' ') return null
  }
  return sign
}

/** Lines of another form (--word-diff) go on to the next header. */
function endOfStrange(lines: readonly string[], from: number): number {
  let i = from
  while (i < lines.length && !FILE.test(lines[i] ?? '') && !HUNK.test(lines[i] ?? '')) {
    if (/^commit [0-9a-f]{40}/.test(lines[i] ?? '')) break
    i += 1
  }
  return i
}
