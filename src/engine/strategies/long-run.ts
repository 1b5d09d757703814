import { factsOf } from '../signals.ts'

/** Captured output of one failing test beyond this many lines keeps its head, its tail and its signals. */
const LONG = 60
const HEAD = 15
const TAIL = 25

/**
 * Which lines of a long stretch of printed output may go.
 * @param lines the stretch's lines, in order
 * @returns for each line whether it may go; none for a stretch that isn't long
 */
export function middleOfLongRun(lines: readonly string[]): boolean[] {
  const may = new Array<boolean>(lines.length).fill(false)
  if (lines.length <= LONG) return may
  may.fill(true, HEAD, lines.length - TAIL)
  for (const fact of factsOf(lines).values()) {
    may[fact.line] = false
    if (fact.header >= 0) may[fact.header] = false
  }
  return may
}
