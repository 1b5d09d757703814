import type { Family } from '../family.ts'
import { readPlaceLine } from '../strategies/place-line.ts'
import { createReport } from '../strategies/report.ts'

const MODULE = /^\*{13} Module \S/
const FINDING = /^[^\s:][^:]{0,400}:\d{1,9}:\d{1,9}: [CRWEFI]\d{4}: /

/** `pylint`: each message with place, code and symbol, by file; the score and all else stays. */
export const pylint: Family = {
  name: 'pylint',
  commands: ['pylint'],
  decides: false,
  detect: (lines) =>
    lines.slice(0, 100).some((line) => MODULE.test(line)) && lines.slice(0, 100).some((line) => FINDING.test(line)),
  condense({ lines }, draft) {
    const report = createReport(draft)
    lines.forEach((line, i) => {
      const read = FINDING.test(line) ? readPlaceLine(line) : null
      if (read) report.finding({ ...read, lines: [i] })
      // The findings below name their files; a module whose findings name another file (duplicate code) tells nothing more.
      else if (MODULE.test(line) && FINDING.test(lines[i + 1] ?? '')) report.frame(i)
      else if (line === '') report.frame(i)
      else report.keep(i)
    })
    report.end()
    return 'pylint'
  },
}
