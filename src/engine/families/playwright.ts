import type { Family } from '../family.ts'
import { createFates } from '../strategies/fates.ts'
import { foldPlaywright } from './playwright/report.ts'
import { readJsonReport } from './playwright/report-json.ts'

const RUNNING = /^Running \d{1,9} tests? using \d{1,6} workers?/
const VERDICT = /^ {2}\d{1,9} (?:passed|failed|flaky|skipped|did not run|interrupted)(?: \(.{1,20}\))?$/

/** Playwright Test: list, line, dot and JSON reporters. A retry that says what the first try said is named once. */
export const playwright: Family = {
  name: 'playwright',
  commands: ['playwright test'],
  decides: true,
  detect: (lines) => lines.slice(0, 200).some((line) => RUNNING.test(line)) && lines.some((line) => / › \S/.test(line)),
  condense({ lines }, draft) {
    const report = readJsonReport(lines)
    if (report !== null) {
      draft.restate(
        report,
        lines.map((_, i) => i),
      )
      return 'playwright-json'
    }
    const fates = createFates(lines)
    foldPlaywright(lines, fates)
    if (lines.some((line) => RUNNING.test(line)) && !lines.some((line) => VERDICT.test(line)))
      draft.restate('incomplete: the output ends without a verdict of playwright', [])
    fates.write(draft)
    return 'playwright'
  },
}
