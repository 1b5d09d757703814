import type { Family } from '../family.ts'
import { createFates, type Fates } from '../strategies/fates.ts'
import { middleOfLongRun } from '../strategies/long-run.ts'

const START = /^ {1,8}Start {1,6}(\d{1,7}): \S/
const RESULT = /^ {0,6}\d{1,7}\/\d{1,7} Test {1,6}#(\d{1,7}): /
const PASSED = / Passed {1,10}[\d.]{1,12} sec$/
const TOTAL = /^\d{1,3}% tests passed, \d{1,7} tests? failed out of \d{1,7}/
const NO_TESTS = /^No tests were found!!!|^Errors while running CTest/
/** `7: …`: what test 7 printed, in verbose form. */
const PRINTED = /^(\d{1,7}): ?/
const PLUMBING = /^\d{1,7}: (?:Working Directory: |Test timeout computed to be: |Environment variables: $)/
const CHORE =
  /^(?:Internal ctest changing into directory: |UpdateCTestConfiguration |Test project |Constructing a list of tests|Done constructing a list of tests|Updating test list for fixtures|Added \d+ tests? to meet fixture|Checking test dependency graph|test \d{1,7}$)/
const LOOKED = /^Looked in the following places:$/
const SAMPLE = 300

/** ctest: failed, crashed, timed-out, skipped and unfinished tests with their output; passing tests go. */
export const ctest: Family = {
  name: 'ctest',
  commands: ['ctest'],
  decides: true,
  detect(lines) {
    const sample = [...lines.slice(0, SAMPLE), ...lines.slice(-SAMPLE)]
    return (
      sample.some((line) => TOTAL.test(line)) ||
      (sample.some((line) => START.test(line)) && sample.some((line) => RESULT.test(line)))
    )
  },
  condense({ lines }, draft) {
    const passed = new Set<string>()
    const ended = new Set<string>()
    let known = false
    let verdict = false
    for (const line of lines) {
      const result = RESULT.exec(line)
      if (result?.[1] !== undefined) {
        ended.add(result[1])
        if (PASSED.test(line.slice(-40))) passed.add(result[1])
      }
      if (result || START.test(line)) known = true
      if (TOTAL.test(line) || NO_TESTS.test(line)) verdict = true
    }
    if (!known && !verdict) return null
    const fates = createFates(lines)
    for (let i = 0; i < lines.length; i += 1) {
      const line = lines[i] ?? ''
      const started = START.exec(line)?.[1]
      const result = RESULT.exec(line)
      const printer = PRINTED.exec(line)?.[1]
      if (line === '' || line.startsWith('Use "--rerun-failed ')) fates.fold(i)
      else if (started !== undefined) {
        if (ended.has(started)) fates.drop(i, passed.has(started) ? 'passing tests' : 'starts of tests')
      } else if (result) {
        if (passed.has(result[1] ?? '')) fates.drop(i, 'passing tests')
      } else if (printer !== undefined && passed.has(printer)) fates.drop(i, 'output of passing tests')
      else if (PLUMBING.test(line)) fates.drop(i, 'test settings')
      else if (CHORE.test(line)) fates.drop(i, 'set-up')
      else if (LOOKED.test(line)) {
        let end = i + 1
        while (
          end < lines.length &&
          /^(?:\/|[A-Za-z]:|\w)\S{0,4000}$/.test(lines[end] ?? '') &&
          !RESULT.test(lines[end] ?? '')
        )
          end += 1
        fates.dropRange(i, end, 'places looked in')
        i = end - 1
      }
    }
    dropLongOutput(lines, fates)
    const total = lines.findIndex((line) => TOTAL.test(line))
    fates.group(0, total < 0 ? lines.length : total)
    if (!verdict) draft.restate('incomplete: the output ends before the tally', [])
    fates.write(draft)
    return 'ctest'
  },
}

/** The middle of what one failing test printed at length. */
function dropLongOutput(lines: readonly string[], fates: Fates): void {
  for (let i = 0; i < lines.length; ) {
    let end = i
    while (end < lines.length && fates.isKept(end) && !RESULT.test(lines[end] ?? '') && !START.test(lines[end] ?? ''))
      end += 1
    middleOfLongRun(lines.slice(i, end)).forEach((may, k) => {
      if (may) fates.drop(i + k, 'printed output')
    })
    i = Math.max(end, i + 1)
  }
}
