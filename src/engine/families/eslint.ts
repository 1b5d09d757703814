import type { Family } from '../family.ts'
import { viewOfJson } from '../strategies/json-findings.ts'
import { condenseJson, opensJson, readFiles } from './eslint/json.ts'
import { condenseText, SUMMARY, TEXT_FINDING } from './eslint/text.ts'

/**
 * `eslint` in its stylish, compact, unix and JSON forms: every problem with place, severity and rule, by file. A
 * configuration that does not load, and any other text, stays whole.
 */
export const eslint: Family = {
  name: 'eslint',
  commands: ['eslint', 'eslint_d', 'next lint'],
  decides: false,
  detect: (lines) =>
    lines.slice(0, 20).some(opensJson) ||
    (lines.slice(-12).some((line) => SUMMARY.test(line)) &&
      lines.slice(0, 400).some((line) => TEXT_FINDING.test(line))),
  condense({ lines }, draft) {
    return condenseJson(lines, draft) ?? condenseText(lines, draft)
  },
  view: (line) => (opensJson(line) ? viewOfJson(line, readFiles) : line),
}
