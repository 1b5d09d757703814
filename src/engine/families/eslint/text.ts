import type { Draft } from '../../draft.ts'
import { readPlaceLine } from '../../strategies/place-line.ts'
import { createReport } from '../../strategies/report.ts'

/** stylish: `  16:1  warning  Unexpected var  no-var`, under the file's name. */
const STYLISH = /^ {1,12}(\d{1,9}:\d{1,9}) {1,12}(error|warning) {2,8}(\S.*)$/
/** A line with a place under the file's name, whatever stands behind it: it belongs to that file. */
const PLACED = /^ {1,12}(\d{1,9}:\d{1,9}) {1,12}(\S.*)$/
/** compact: `/a/b.js: line 16, col 1, Warning - Unexpected var. (no-var)` */
const COMPACT = /^((?:[A-Za-z]:)?[^:]{1,400}): line (\d{1,9}), col (\d{1,9}), ((?:Error|Warning) - .*)$/
/** unix: `/a/b.js:16:1: Unexpected var. [Warning/no-var]` */
const UNIX_RULE = /\[(?:Error|Warning)(?:\/[^\]]{1,200})?\]$/

export const TEXT_FINDING =
  /^ {1,12}\d{1,9}:\d{1,9} {1,12}(?:error|warning) {2,8}\S|: line \d{1,9}, col \d{1,9}, (?:Error|Warning) - |\[(?:Error|Warning)(?:\/[^\]]{1,200})?\]$/
export const SUMMARY = /^✖ \d+ problems? \(|^\d+ problems?$/

/** Condenses the forms that are text. @returns the strategy's name */
export function condenseText(lines: readonly string[], draft: Draft): string {
  const report = createReport(draft)
  let path = ''
  for (let i = 0; i < lines.length; i += 1) {
    const line = lines[i] ?? ''
    const stylish = STYLISH.exec(line)
    const placed = stylish || path === '' ? null : PLACED.exec(line)
    const compact = stylish ? null : COMPACT.exec(line)
    if (stylish?.[1] && stylish[2] && stylish[3] && path !== '') {
      report.finding({ path, place: stylish[1], text: `${stylish[2]} ${unpadded(stylish[3])}`, lines: [i] })
    } else if (placed?.[1] && placed[2]) {
      report.finding({ path, place: placed[1], text: unpadded(placed[2]), lines: [i] })
    } else if (compact?.[1] && compact[2] && compact[3] && compact[4]) {
      report.finding({ path: compact[1], place: `${compact[2]}:${compact[3]}`, text: compact[4], lines: [i] })
    } else if (line === '') {
      report.frame(i)
    } else if (line.startsWith(' ')) {
      report.keep(i)
    } else {
      const unix = UNIX_RULE.test(line) ? readPlaceLine(line) : null
      if (unix) report.finding({ ...unix, lines: [i] })
      else if (PLACED.test(lines[i + 1] ?? '')) {
        path = line
        report.frame(i)
      } else report.keep(i)
    }
  }
  report.end()
  return 'eslint'
}

/** The message, and the rule behind its column of spaces. */
function unpadded(text: string): string {
  const gap = text.lastIndexOf('  ')
  return gap < 0 ? text : `${text.slice(0, gap).trimEnd()} ${text.slice(gap + 2)}`
}
