import type { Family } from '../family.ts'
import { createReport } from '../strategies/report.ts'
import { PLAIN, PRETTY, readFinding } from './tsc/finding.ts'

/** `--listFiles`: a file's absolute path alone on its line. Where there is no error, the list is what was asked for. */
const LISTED = /^(?:[A-Za-z]:)?[/\\][^:()'"]{1,400}\.(?:d\.)?[cm]?(?:tsx?|jsx?|json)$/
/** `--extendedDiagnostics`: `Parse time:       0.90s`. */
const MEASURE = /^([A-Z][\w/ ]{1,40}:) +([\d.]{1,20}[sK]?)$/
const FEW_FILES = 10

/** `tsc`, plain and `--pretty`: every error with its place and explanation; source excerpts and file lists go. */
export const tsc: Family = {
  name: 'tsc',
  commands: ['tsc', 'vue-tsc', 'tsgo', 'tspc', 'astro-tsc'],
  decides: false,
  detect: (lines) => lines.slice(0, 400).some((line) => PLAIN.test(line) || PRETTY.test(line)),
  condense({ lines }, draft) {
    const report = createReport(draft)
    const errors = lines.some((line) => PLAIN.test(line) || PRETTY.test(line))
    const listed = errors ? lines.filter((line) => LISTED.test(line)).length : 0
    for (let i = 0; i < lines.length; ) {
      const line = lines[i] ?? ''
      const read = readFinding(lines, i)
      if (read) {
        i = report.block(read, 'source excerpts')
        continue
      }
      const measure = MEASURE.exec(line)
      if (line.trim() === '') report.frame(i)
      else if (listed > FEW_FILES && LISTED.test(line)) report.elide('listed files', i)
      else if (measure) report.say(`${measure[1]} ${measure[2]}`, [i])
      else report.keep(i)
      i += 1
    }
    report.end()
    return 'tsc'
  },
}
