import type { Draft } from '../draft.ts'
import { LEADING_STAMP, withoutStamp } from '../text/normal.ts'

/** What a log says behind a time: words; no columns of a table, whose rows may differ in nothing but a time. */
const MESSAGE = /^[^|,;\t].*[A-Za-z]{2}/
const WORDS = /\S\s+\S/

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
  const rest = withoutStamp(first)
  return rest === withoutStamp(line) && MESSAGE.test(rest) && WORDS.test(rest)
}

/** What goes where the lines `from + 1` to `from + run` (exclusive) repeat line `from`; to stand in a marker. */
export function repeatsOfLine(lines: readonly string[], from: number, run: number): string {
  const first = lines[from] ?? ''
  if (first.trim() === '') return 'blank lines'
  for (let i = from + 1; i < from + run; i += 1) {
    if (lines[i] === first) continue
    const last = LEADING_STAMP.exec(lines[from + run - 1] ?? '')?.[0].trim() ?? ''
    return `like the line above but for their times (x${run}), last at ${last}`
  }
  return `repeats of the line above (x${run})`
}

/** Keeps the lines `from` to `to` (exclusive), the first of each run of repeats once, with the count in its marker. */
export function keepDeduplicated(lines: readonly string[], from: number, to: number, draft: Draft): void {
  for (let i = from; i < to; ) {
    const run = repeatsFrom(lines, i, to)
    draft.keep(i)
    if (run > 1) draft.elideRange(repeatsOfLine(lines, i, run), i + 1, i + run)
    i += run
  }
}
