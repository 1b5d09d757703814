import type { Draft } from '../../draft.ts'
import { parseDiff } from '../git-diff/parse.ts'
import { planDiff, writeGone } from '../git-diff/plan.ts'
import { shareAuthors } from './authors.ts'
import { type CommitHeading, isStraight, readCommits } from './commits.ts'
import { readMessage, shortenMessage } from './messages.ts'

/**
 * Writes commits with their messages, summaries and patches: a commit's headers on one line, long messages shortened
 * where there are several, blank lines left out, patches as `git diff` writes them.
 * @returns whether there were commits or patches
 */
export function writeHistory(lines: readonly string[], draft: Draft): boolean {
  const pieces = parseDiff(lines)
  const commits = pieces.flatMap((piece) => (piece.kind === 'text' ? readCommits(lines, piece.from, piece.to) : []))
  const hasFiles = pieces.some((piece) => piece.kind === 'file')
  if (commits.length === 0 && !hasFiles) return false
  const plan = planDiff(lines, pieces)
  const shared = shareAuthors(commits)
  if (shared.heading !== null) draft.restate(shared.heading, [])
  const byLine = new Map(commits.map((commit) => [commit.from, commit]))
  let told = false
  for (const piece of pieces) {
    if (piece.kind === 'text') {
      if (commits.length === 0) draft.keepRange(piece.from, piece.to)
      else writeText(lines, piece, { byLine, whole: commits.length === 1, write: shared.write }, draft)
      continue
    }
    if (!told) writeGone(plan, draft)
    told = true
    plan.writeFile(piece, draft)
  }
  return true
}

interface Commits {
  readonly byLine: ReadonlyMap<number, CommitHeading>
  /** Whether messages stay whole. */
  readonly whole: boolean
  write(commit: CommitHeading): string
}

function writeText(
  lines: readonly string[],
  { from, to }: { readonly from: number; readonly to: number },
  { byLine, whole, write }: Commits,
  draft: Draft,
): void {
  // A blank line says nothing that the line before it, or at the start the one after it, does not.
  let open: { text: string; of: number[] } = { text: '', of: [] }
  const flush = (): void => {
    const [first] = open.of
    if (first === undefined) return
    if (open.of.length === 1 && lines[first] === open.text) draft.keep(first)
    else draft.restate(open.text, open.of)
    open = { text: '', of: [] }
  }
  const show = (text: string, of: number[]): void => {
    const blank = open.text === '' ? open.of : []
    if (blank.length === 0) flush()
    open = { text, of: [...blank, ...of] }
  }
  for (let i = from; i < to; ) {
    const line = lines[i] ?? ''
    const commit = byLine.get(i)
    if (commit) {
      const of = Array.from({ length: commit.to - commit.from }, (_, k) => commit.from + k)
      show(write(commit), of)
      i = commit.to
    } else if (isStraight(line)) {
      open.of.push(i)
      i += 1
    } else if (readMessage(line) !== null) {
      let end = i + 1
      while (end < to && !byLine.has(end) && (isStraight(lines[end] ?? '') || readMessage(lines[end] ?? ''))) end += 1
      while (isStraight(lines[end - 1] ?? '')) end -= 1
      const gone = whole ? new Set<number>() : shortenMessage(lines, i, end)
      for (; i < end; i += 1) {
        const message = readMessage(lines[i] ?? '')
        if (message === null) open.of.push(i)
        else if (!gone.has(i)) show(`${message.graph} ${message.text}`, [i])
      }
      if (gone.size > 0) {
        flush()
        draft.elide('lines of the message', [...gone])
      }
    } else {
      show(line, [i])
      i += 1
    }
  }
  flush()
}
