import type { Family } from '../family.ts'
import { createFates } from '../strategies/fates.ts'
import { foldJest, hasEnded } from './jest/report.ts'
import { isReport, writeReport } from './js-test/report-json.ts'

const SUITES = /^Test Suites: {1,8}(?:\d|.{1,80}\d total$)/
const TESTS = /^Tests: {1,12}(?:\d|.{1,80}\d total$)/
const FILE = /^ ?(?:PASS|FAIL|RUNS) {1,3}(?:\S{1,40} )?\S{1,500}\.[cm]?[jt]sx?(?: \(.{1,60}\))?$/
const NOT_RUN = /^(?:No tests found|No tests were found|● Validation|● Deprecation)/

/** jest: the default and verbose reports, coverage, open handles, and the JSON report. */
export const jest: Family = {
  name: 'jest',
  commands: ['jest', 'react-scripts test', 'craco test'],
  decides: true,
  detect: (lines) =>
    lines.some((line, i) => SUITES.test(line) && TESTS.test(lines[i + 1] ?? '')) ||
    (lines.some((line) => FILE.test(line)) && lines.some((line) => /^ {2}● \S/.test(line))),
  condense({ lines }, draft) {
    const fates = createFates(lines)
    const json = lines.some(isReport)
    const ended = hasEnded(lines)
    if (json) {
      lines.forEach((line, i) => {
        const text = writeReport(line, !ended)
        if (text !== null) fates.say(i, text)
      })
    }
    foldJest(lines, fates)
    if (!ended && !json && lines.some((line) => FILE.test(line)) && !lines.some((line) => NOT_RUN.test(line)))
      draft.restate('incomplete: the output ends without a verdict of jest', [])
    fates.write(draft)
    return json ? 'jest-json' : 'jest'
  },
  // Counts and names: the messages may stand in the report beside, in other words.
  view: (line) => writeReport(line, false) ?? line,
}
