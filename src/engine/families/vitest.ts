import type { Family } from '../family.ts'
import { createFates } from '../strategies/fates.ts'
import { isReport, writeReport } from './js-test/report-json.ts'
import { foldVitest } from './vitest/report.ts'

const BANNER = /^ (?:RUN|DEV) {2}v\d{1,4}\.\d{1,6}\.\S{1,40} \S/
const FILES = /^ Test Files {2}\S/
const TESTS = /^ {6}Tests {2}\S/

/** vitest: the default, verbose, dot and agent reporters, in a terminal or not, with coverage, and the JSON report. */
export const vitest: Family = {
  name: 'vitest',
  commands: ['vitest'],
  decides: true,
  detect: (lines) =>
    lines.slice(0, 100).some((line) => BANNER.test(line)) ||
    lines.slice(-60).some((line, i, last) => FILES.test(line) && TESTS.test(last[i + 1] ?? '')),
  condense({ lines }, draft) {
    const fates = createFates(lines)
    if (lines.some(isReport)) {
      const beside = lines.some((line) => FILES.test(line))
      lines.forEach((line, i) => {
        const text = writeReport(line, !beside)
        if (text !== null) fates.say(i, text)
      })
      if (beside) foldVitest(lines, fates)
      fates.write(draft)
      return 'vitest-json'
    }
    const ended = foldVitest(lines, fates)
    if (
      !ended &&
      lines.some((line) => BANNER.test(line)) &&
      !lines.some((line) => /^(?:No test|No projects)/.test(line))
    )
      draft.restate('incomplete: the output ends without a verdict of vitest', [])
    fates.write(draft)
    return 'vitest'
  },
  // Counts and names: the messages may stand in the report beside, in other words.
  view: (line) => writeReport(line, false) ?? line,
}
