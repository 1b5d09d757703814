import type { Family } from '../family.ts'
import { viewOfJson } from '../strategies/json-findings.ts'
import { condenseJson, opensJson, readIssues } from './golangci-lint/json.ts'
import { condenseText, FINDING, TALLY } from './golangci-lint/text.ts'

/**
 * `golangci-lint run`, versions 1 and 2, as text (with and without excerpts, columns) and JSON: every issue with place,
 * message and linter, and the counts by linter. What went wrong with the run itself stays whole.
 */
export const golangciLint: Family = {
  name: 'golangci-lint',
  commands: ['golangci-lint'],
  decides: false,
  detect: (lines) =>
    lines.slice(0, 20).some(opensJson) ||
    (lines.some((line, i) => TALLY.test(line) && /^\* [a-z_0-9]{2,40}: \d+$/.test(lines[i + 1] ?? '')) &&
      lines.slice(0, 200).some((line) => FINDING.test(line))),
  condense({ lines }, draft) {
    return condenseJson(lines, draft) ?? condenseText(lines, draft)
  },
  view: (line) => (opensJson(line) ? viewOfJson(line, readIssues) : line),
}
