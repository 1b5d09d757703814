import type { Draft } from '../../draft.ts'
import type { Diagnostic } from '../../strategies/diagnostics.ts'
import { linesOfFindings } from '../../strategies/json-findings.ts'
import { listOf, memberOf, readJson, textOf } from '../../strategies/json-report.ts'
import { createReport } from '../../strategies/report.ts'

/** A line inside one of the printed objects holds no fact of its own: places and messages are restated. */
export const viewOfVetLine = (line: string): string => (/^(?:\t{1,9}["[\]{}]|[{}]$)/.test(line) ? '' : line)

/** What one of the objects says: each message with its place, as text. */
export const viewOfVetJson = (value: unknown): string => linesOfFindings(findingsOf(value))

/**
 * Condenses `go vet -json`: objects `{package: {check: [{posn, message}]}}`, one a package, with comments between them.
 * @returns the strategy's name, or null where none can be read
 */
export function condenseVetJson(lines: readonly string[], draft: Draft): string | null {
  const report = createReport(draft)
  for (let i = 0; i < lines.length; ) {
    let end = i
    if (lines[i] === '{') while (end < lines.length && lines[end] !== '}') end += 1
    const json = end > i ? readJson(lines.slice(i, end + 1).join('\n')) : null
    if (json === null) {
      report.keep(i)
      i += 1
      continue
    }
    if (!json.complete) report.say('incomplete: the JSON is cut off', [])
    for (const finding of findingsOf(json.value)) report.finding(finding)
    for (const to = Math.min(end + 1, lines.length); i < to; i += 1) report.frame(i)
  }
  return report.end() > 0 ? 'go-vet-json' : null
}

/** `/a/b.go:3:5` */
const POSITION = /^(.{1,400}?):(\d{1,9}(?::\d{1,9})?)$/

function findingsOf(value: unknown): Diagnostic[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap((checks: unknown) =>
    typeof checks !== 'object' || checks === null
      ? []
      : Object.entries(checks).flatMap(([check, found]: [string, unknown]): Diagnostic[] => {
          const error = textOf(found, 'error')
          if (error !== '') return [{ path: '', place: '', text: `error: ${error} (${check})`, lines: [] }]
          return listOf(found).map((item) => {
            const position = POSITION.exec(textOf(item, 'posn'))
            const related = listOf(memberOf(item, 'related')).map(
              (part) => `${textOf(part, 'posn')}: ${textOf(part, 'message')}`,
            )
            return {
              path: position?.[1] ?? '',
              place: position?.[2] ?? '',
              text: `${textOf(item, 'message')} (${check})`,
              notes: related,
              lines: [],
            }
          })
        }),
  )
}
