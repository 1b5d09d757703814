import type { Fates } from '../../strategies/fates.ts'

/** Tests named for one warning; more of them go, counted. */
const NAMED = 3

/** Folds the warnings summary, `from` to `to` (exclusive): each warning stays, of the tests that raised it a few. */
export function foldWarnings(lines: readonly string[], from: number, to: number, fates: Fates): void {
  fates.group(from, to)
  const seen = new Set<string>()
  let run = 0
  for (let i = from; i < to; i += 1) {
    const line = lines[i] ?? ''
    if (line.trim() === '') {
      fates.fold(i)
      run = 0
    } else if (line.startsWith('-- Docs: ')) fates.fold(i)
    else if (!/^\s/.test(line)) {
      run += 1
      if (run > NAMED) fates.drop(i, 'tests with the same warning')
    } else if (seen.has(line)) fates.drop(i, 'repeats of a warning above')
    else seen.add(line)
  }
}
