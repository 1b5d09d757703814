import type { Family } from '../family.ts'
import { createReport } from '../strategies/report.ts'
import { readJsonLine, viewOfJsonLine } from './mypy/json.ts'
import { readMessages } from './mypy/messages.ts'

const FINDING = /^[^\s:][^:]{0,400}\.pyi?:\d{1,9}(?::\d{1,9}){0,3}: (?:error|note): /
const VERDICT = /^Found \d+ errors? in \d+ files? \(|^Success: (?:no issues found|.{0,80} notes found)/
const CRASH = /: error: INTERNAL ERROR|^Traceback \(most recent call last\):/

/** `mypy` and `dmypy`: errors with place and code, by file, with their notes; source excerpts go. A crash stays whole. */
export const mypy: Family = {
  name: 'mypy',
  commands: ['mypy', 'dmypy'],
  decides: false,
  detect: (lines) =>
    lines.slice(0, 5).some((line) => readJsonLine(line, 0) !== null) ||
    (lines.slice(-5).some((line) => VERDICT.test(line)) && lines.slice(0, 200).some((line) => FINDING.test(line))),
  condense({ lines }, draft) {
    if (lines.some((line) => CRASH.test(line))) {
      draft.keepRange(0, lines.length)
      return 'mypy'
    }
    const report = createReport(draft)
    readMessages(lines, report)
    report.end()
    return 'mypy'
  },
  view: viewOfJsonLine,
}
