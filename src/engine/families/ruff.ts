import type { Family } from '../family.ts'
import { linesOfFindings } from '../strategies/json-findings.ts'
import { readPlaceLine } from '../strategies/place-line.ts'
import { createReport } from '../strategies/report.ts'
import { readWorkflowCommand } from '../strategies/workflow-command.ts'
import { EXCERPT, HEAD, readBlock } from './ruff/block.ts'
import { condenseJson, isJsonLine, opensJson, readFindings } from './ruff/json.ts'

/** concise: `a.py:1:8: F401 [*] …`; a file that does not parse has `invalid-syntax:` in the code's place. */
const CODE = /^(?:[A-Z]{1,8}\d{1,5}|invalid-syntax:|SyntaxError:|unformatted:) /
/** grouped: `  1:8  F401 [*] …`, under the file's name and a colon. */
const GROUPED = /^ {1,9}(\d{1,9}:\d{1,9}) {1,9}(\S.*)$/
const VERDICT =
  /^(?:Found \d+ errors?(?: \(.{1,80}\))?\.|All checks passed!|\d+ files? (?:would be reformatted|already formatted))/

/** `ruff check` in its full, concise, grouped, github and JSON forms, and `ruff format --check`; diffs stay whole. */
export const ruff: Family = {
  name: 'ruff',
  commands: ['ruff', 'ruff check', 'ruff format'],
  decides: false,
  detect: (lines) =>
    isRuffJson(lines) ||
    (lines.slice(-8).some((line) => VERDICT.test(line)) && lines.slice(0, 200).some((_, i) => isFinding(lines, i))),
  condense({ lines }, draft) {
    if (isRuffJson(lines)) {
      const strategy = condenseJson(lines, draft)
      if (strategy !== null) return strategy
    }
    const report = createReport(draft)
    let path = ''
    for (let i = 0; i < lines.length; ) {
      const line = lines[i] ?? ''
      const block = readBlock(lines, i)
      if (block) {
        i = report.block(block, 'source excerpts and fixes')
        continue
      }
      const grouped = path === '' ? null : GROUPED.exec(line)
      const read = readPlaceLine(line)
      const annotation = readWorkflowCommand(line, i)
      if (read && CODE.test(read.text)) report.finding({ ...read, lines: [i] })
      else if (grouped?.[1] && grouped[2]) report.finding({ path, place: grouped[1], text: grouped[2], lines: [i] })
      else if (annotation) report.finding(annotation)
      else if (line === '') report.frame(i)
      else if (/^\S.*:$/.test(line) && GROUPED.test(lines[i + 1] ?? '')) {
        path = line.slice(0, -1)
        report.frame(i)
      } else report.keep(i)
      i += 1
    }
    report.end()
    return 'ruff'
  },
  // Source that names an error is no error.
  view: (line) => (isJsonLine(line) || EXCERPT.test(line) ? '' : line),
  viewJson: (value) => linesOfFindings(readFindings(value)),
}

const isRuffJson = (lines: readonly string[]): boolean =>
  lines.slice(0, 20).some((line, i) => opensJson(line) && (lines[i + 1] ?? '').startsWith('  {')) &&
  lines.slice(0, 60).some((line) => line.startsWith('    "noqa_row": '))

function isFinding(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? ''
  return (
    CODE.test(readPlaceLine(line)?.text ?? '') ||
    (HEAD.test(line) && /^ *--> /.test(lines[at + 1] ?? '')) ||
    (GROUPED.test(line) && CODE.test(GROUPED.exec(line)?.[2] ?? ''))
  )
}
