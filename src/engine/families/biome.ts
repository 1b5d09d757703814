import type { Family } from '../family.ts'
import { createReport } from '../strategies/report.ts'
import { readWorkflowCommand } from '../strategies/workflow-command.ts'
import { HEAD, readBlock } from './biome/block.ts'

const CHECKED =
  /^(?:Checked|Formatted|Fixed|Linted) \d+ files? in |^::(?:error|warning|notice) title=(?:lint|assist|format|parse)\b/

/**
 * `biome check`, `lint`, `format`, `ci`: each diagnostic with place, category and message, by file, and the advice that
 * comes with it once; source excerpts and diffs go, counted. What reports on the run itself stays whole.
 */
export const biome: Family = {
  name: 'biome',
  commands: ['biome'],
  decides: false,
  detect: (lines) =>
    lines.slice(0, 60).some((line) => HEAD.test(line)) && lines.slice(-20).some((line) => CHECKED.test(line)),
  condense({ lines }, draft) {
    const report = createReport(draft)
    const advised = new Set<string>()
    for (let i = 0; i < lines.length; ) {
      const line = lines[i] ?? ''
      const block = readBlock(lines, i, advised)
      if (block) {
        i = report.block(block, 'source excerpts and diffs')
        for (const gone of block.repeated) report.elide('repeated advice', gone)
        continue
      }
      const annotation = readWorkflowCommand(line, i)
      if (annotation) report.finding(annotation)
      else if (line.trim() === '') report.frame(i)
      else report.keep(i)
      i += 1
    }
    report.end()
    return 'biome'
  },
  // The mark before a message reads as a failed test's elsewhere; here it is restated as the severity.
  view: (line) => line.replace(/^ {2}[×✖] /, '  '),
}
