import { middleOfLongRun } from '../../strategies/long-run.ts'

/** What is no text that a test itself printed: results, verdicts, log lines of `t.Log` and their continuations, dumps. */
const STRUCTURE =
  /^(?:\s*--- |=== |ok {2}|FAIL|PASS$|\? {3}\t|panic:|fatal error:|goroutine |\t| {4}|exit status|coverage:|#|WARNING: DATA RACE|=====|created by )/

/** Which lines are the middle of a long stretch that a test printed. @param counts whether a line is to be shown at all */
export function middleOfPrinted(lines: readonly string[], counts: (line: number) => boolean): boolean[] {
  const gone = new Array<boolean>(lines.length).fill(false)
  for (let i = 0; i < lines.length; ) {
    let end = i
    while (end < lines.length && counts(end) && !STRUCTURE.test(lines[end] ?? '')) end += 1
    middleOfLongRun(lines.slice(i, end)).forEach((may, k) => {
      gone[i + k] = may
    })
    i = Math.max(end, i + 1)
  }
  return gone
}
