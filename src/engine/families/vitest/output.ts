import type { Fates } from '../../strategies/fates.ts'

const HEADING = /^(?:stdout|stderr) \| (.+)$/
const TROUBLE = /warn|error|exception|fail|fatal|panic|denied|refused|timed? ?out|deprecat/i
const WHOLE = 60
const HEAD = 15
const TAIL = 30

/**
 * What tests printed, each part under `stdout | file > test`: of failing tests it stays (of a long part head, tail and
 * lines of trouble), of others what tells of trouble.
 */
export function foldTestOutput(lines: readonly string[], to: number, failing: ReadonlySet<string>, fates: Fates): void {
  for (let i = 0; i < to; i += 1) {
    const test = HEADING.exec(lines[i] ?? '')?.[1]
    if (test === undefined) continue
    let end = i + 1
    while (end < to && (lines[end] ?? '') !== '' && !HEADING.test(lines[end] ?? '')) end += 1
    const trouble = lines.slice(i + 1, end).some((line) => TROUBLE.test(line))
    const fails = failing.has(test)
    for (let k = i; k < end; k += 1) {
      const line = lines[k] ?? ''
      if (!fails && !trouble) fates.drop(k, 'output of passing tests')
      else if (end - i > WHOLE && k > i + HEAD && k < end - TAIL && !TROUBLE.test(line)) fates.drop(k, 'test output')
      else fates.keep(k)
    }
    i = end - 1
  }
}
