import type { Draft } from '../draft.ts'
import { withoutStamp } from '../text/normal.ts'

/** Length of the run of lines that repeat line `from`, timestamps apart, itself included, up to `to` (exclusive). */
export function repeatsFrom(lines: readonly string[], from: number, to: number): number {
  const first = lines[from] ?? ''
  let end = from + 1
  while (end < to && isRepeat(first, lines[end] ?? '')) end += 1
  return end - from
}

function isRepeat(first: string, line: string): boolean {
  if (first === line) return true
  // Stamps of one form have one length: most lines are told apart by this alone.
  if (first.length !== line.length || first.at(-1) !== line.at(-1)) return false
  return withoutStamp(first) === withoutStamp(line)
}

/** Keeps the lines `from` to `to` (exclusive), the first of each run of repeats once, with the count in its marker. */
export function keepDeduplicated(lines: readonly string[], from: number, to: number, draft: Draft): void {
  for (let i = from; i < to; ) {
    const run = repeatsFrom(lines, i, to)
    draft.keep(i)
    if (run > 1)
      draft.elideRange(
        (lines[i] ?? '').trim() === '' ? 'blank lines' : `repeats of the line above (x${run})`,
        i + 1,
        i + run,
      )
    i += run
  }
}
