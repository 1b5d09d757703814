import type { Family } from '../family.ts'
import { readPlaceLine } from '../strategies/place-line.ts'
import { createReport } from '../strategies/report.ts'

const FINDING = /^[^\s:][^:]{0,400}\.(?:pyi?|ipynb):\d{1,9}:\d{1,9}: [A-Z]{1,3}\d{3,4} /
const CARET = /^ *\^ *$/

/** `flake8`, also with `--show-source`: each finding with place and code, by file; source lines go. */
export const flake8: Family = {
  name: 'flake8',
  commands: ['flake8', 'pycodestyle', 'pyflakes'],
  decides: false,
  // ruff writes the same lines, and a verdict behind them.
  detect: (lines) =>
    !lines.slice(-8).some((line) => /^Found \d+ errors?\b/.test(line)) &&
    lines.slice(0, 20).filter((line) => FINDING.test(line)).length >= 3,
  condense({ lines }, draft) {
    const report = createReport(draft)
    let found = -1
    for (let i = 0; i < lines.length; i += 1) {
      const read = readPlaceLine(lines[i] ?? '')
      if (read) {
        report.finding({ ...read, lines: [i] })
        found = i
      } else if (found === i - 1 && CARET.test(lines[i + 1] ?? '')) {
        report.elide('source excerpts', i)
        report.elide('source excerpts', i + 1)
        i += 1
      } else report.keep(i)
    }
    report.end()
    return 'flake8'
  },
}
