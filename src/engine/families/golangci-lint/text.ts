import type { Draft } from '../../draft.ts'
import { readPlaceLine } from '../../strategies/place-line.ts'
import { createReport } from '../../strategies/report.ts'

/** `a.go:3:5: message (linter)`; with `--output.text.colors` and links the same. */
export const FINDING = /^(?:[A-Za-z]:)?[^\s:][^:]{0,400}:\d{1,9}(?::\d{1,9})?: .* \([a-z][a-z0-9_-]{1,40}\)$/
/** columns: `a.go:3:5   errcheck   message`. */
const COLUMNS = /^((?:[A-Za-z]:)?[^\s:][^:]{0,400}):(\d{1,9}(?::\d{1,9})?) {2,80}([a-z][a-z0-9_-]{1,40}) {2,40}(\S.*)$/
export const TALLY = /^\d+ issues?[:.]$/
const COUNT = /^\* [a-z][a-z0-9_-]{1,40}: \d+$/
const CARET = /^\s*\^\s*$/

/** Condenses the forms that are text. @returns the strategy's name */
export function condenseText(lines: readonly string[], draft: Draft): string {
  const report = createReport(draft)
  let found = -1
  for (let i = 0; i < lines.length; i += 1) {
    const line = lines[i] ?? ''
    const read = FINDING.test(line) ? readPlaceLine(line) : null
    const columns = read ? null : COLUMNS.exec(line)
    if (read) {
      report.finding({ ...read, lines: [i] })
      found = i
    } else if (columns?.[1] && columns[2] && columns[3] && columns[4]) {
      report.finding({ path: columns[1], place: columns[2], text: `${columns[3]} ${columns[4]}`, lines: [i] })
    } else if (found === i - 1 && (line.startsWith('\t') || CARET.test(lines[i + 1] ?? ''))) {
      report.elide('source excerpts', i)
      found = i
    } else if (found === i - 1 && CARET.test(line)) report.elide('source excerpts', i)
    else if (TALLY.test(line) && COUNT.test(lines[i + 1] ?? '')) i = tell(lines, i, report) - 1
    else report.keep(i)
  }
  report.end()
  return 'golangci-lint'
}

/** The tally, its counts on one line. @returns the index behind it */
function tell(lines: readonly string[], from: number, report: ReturnType<typeof createReport>): number {
  const counts: string[] = []
  const restated: number[] = []
  let i = from + 1
  for (; COUNT.test(lines[i] ?? ''); i += 1) {
    counts.push(lines[i] ?? '')
    restated.push(i)
  }
  report.keep(from)
  report.say(counts.join(' '), restated)
  return i
}
