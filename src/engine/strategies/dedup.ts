import type { Draft } from '../draft.ts'
import { LEADING_STAMP } from '../text/normal.ts'

/** A line without its leading timestamp: two lines that agree in it are repeats. */
function bare(line: string): string {
  return /^[[(\uFEFF]?\d|^[A-Z][a-z]{2} [ \d]/.test(line) ? line.replace(LEADING_STAMP, '') : line
}

/** Length of the run of lines that repeat line `from`, itself included, up to `to` (exclusive). */
export function repeatsFrom(lines: readonly string[], from: number, to: number): number {
  const first = bare(lines[from] ?? '')
  let end = from + 1
  while (end < to && bare(lines[end] ?? '') === first) end += 1
  return end - from
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
