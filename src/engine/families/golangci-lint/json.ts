import type { Draft } from '../../draft.ts'
import type { Diagnostic } from '../../strategies/diagnostics.ts'
import { countsOf, writeJsonFindings } from '../../strategies/json-findings.ts'
import { findJson, listOf, memberOf, placeOf, textOf } from '../../strategies/json-report.ts'

export const opensJson = (line: string): boolean => line.startsWith('{"Issues":')

/** The issues of `{"Issues": […], "Report": {…}}`, as versions 1 and 2 print it. */
export function readIssues(value: unknown): Diagnostic[] {
  const issues = listOf(memberOf(value, 'Issues')).map((issue) => {
    const at = memberOf(issue, 'Pos')
    const [first = '', ...notes] = textOf(issue, 'Text').split('\n')
    const severity = textOf(issue, 'Severity')
    const linter = [textOf(issue, 'FromLinter'), severity].filter((word) => word !== '').join(', ')
    return {
      path: textOf(at, 'Filename'),
      place: placeOf(textOf(at, 'Line'), textOf(at, 'Column')),
      text: notes.length === 0 ? `${first} (${linter})` : first,
      notes: notes.map((note, i) => (i === notes.length - 1 ? `${note} (${linter})` : note)),
      lines: [],
    }
  })
  return [...issues, ...reported(value)]
}

/** What golangci-lint says of its run: warnings, and the error that ended it. */
function reported(value: unknown): Diagnostic[] {
  const report = memberOf(value, 'Report')
  const warnings = listOf(memberOf(report, 'Warnings')).map(
    (warning) =>
      `warning: ${[textOf(warning, 'Tag'), textOf(warning, 'Text')].filter((word) => word !== '').join(': ')}`,
  )
  const error = textOf(report, 'Error')
  return [...warnings, ...(error === '' ? [] : [`Error: ${error}`])].map((text) => ({
    path: '',
    place: '',
    text,
    lines: [],
  }))
}

/** Restates the JSON: how many issues, by linter, then each of them. @returns null where the output holds none of it */
export function condenseJson(lines: readonly string[], draft: Draft): string | null {
  const json = findJson(lines, opensJson)
  if (json === null) return null
  const issues = listOf(memberOf(json.value, 'Issues'))
  const counts = countsOf(issues.map((issue) => textOf(issue, 'FromLinter')))
  const heading = `${issues.length} issues in the JSON${counts === '' ? '' : `: ${counts}`}; source lines, fixes and the list of linters left out`
  writeJsonFindings(lines, json, heading, readIssues(json.value), draft)
  return 'golangci-json'
}
