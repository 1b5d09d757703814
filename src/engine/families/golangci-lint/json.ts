import type { Draft } from '../../draft.ts'
import type { Diagnostic } from '../../strategies/diagnostics.ts'
import { countsOf, writeJsonFindings } from '../../strategies/json-findings.ts'
import { findJson, listOf, memberOf, placeOf, textOf } from '../../strategies/json-report.ts'

export const opensJson = (line: string): boolean => line.startsWith('{"Issues":')

/** The issues of `{"Issues": […], "Report": {…}}`, as versions 1 and 2 print it. */
export function readIssues(value: unknown): Diagnostic[] {
  const list = listOf(memberOf(value, 'Issues'))
  const usual = severities(list)
  const issues = list.map((issue) => {
    const at = memberOf(issue, 'Pos')
    const [first = '', ...notes] = textOf(issue, 'Text').split('\n')
    const severity = textOf(issue, 'Severity')
    const from = textOf(issue, 'FromLinter')
    const linter = [from, severity === usual.get(from) ? '' : severity].filter((word) => word !== '').join(', ')
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

/** The severity that all issues of a linter have: the heading says it once. */
function severities(issues: readonly unknown[]): Map<string, string> {
  const usual = new Map<string, string>()
  const mixed = new Set<string>()
  for (const issue of issues) {
    const linter = textOf(issue, 'FromLinter')
    const severity = textOf(issue, 'Severity')
    if (usual.has(linter) && usual.get(linter) !== severity) mixed.add(linter)
    usual.set(linter, severity)
  }
  for (const linter of mixed) usual.delete(linter)
  return usual
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
  const usual = severities(issues)
  const counts = countsOf(
    issues.map((issue) => {
      const linter = textOf(issue, 'FromLinter')
      const severity = usual.get(linter) ?? ''
      return severity === '' ? linter : `${linter} (${severity})`
    }),
  )
  const heading = `${issues.length} issues in the JSON${counts === '' ? '' : `: ${counts}`}; source lines, fixes, list of linters left out`
  writeJsonFindings(lines, json, heading, readIssues(json.value), draft)
  return 'golangci-json'
}
