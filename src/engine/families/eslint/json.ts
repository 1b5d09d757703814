import type { Draft } from '../../draft.ts'
import type { Diagnostic } from '../../strategies/diagnostics.ts'
import { writeJsonFindings } from '../../strategies/json-findings.ts'
import { findJson, listOf, memberOf, placeOf, textOf } from '../../strategies/json-report.ts'

export const opensJson = (line: string): boolean => line.startsWith('[{"filePath":"')

/** The problems of each file that the JSON formatter lists. */
export function readFiles(value: unknown): Diagnostic[] {
  return listOf(value).flatMap((file) =>
    listOf(memberOf(file, 'messages')).map((problem) => {
      const rule = textOf(problem, 'ruleId')
      const severity = memberOf(problem, 'fatal') === true ? 'fatal error' : SEVERITY[textOf(problem, 'severity')]
      return {
        path: textOf(file, 'filePath'),
        place: placeOf(textOf(problem, 'line'), textOf(problem, 'column')),
        text: [severity ?? '', textOf(problem, 'message'), rule].filter((word) => word !== '').join(' '),
        lines: [],
      }
    }),
  )
}

const SEVERITY: Readonly<Record<string, string>> = { '1': 'warning', '2': 'error' }

/** Restates the JSON as places, messages and rules. @returns null where the output holds none of it */
export function condenseJson(lines: readonly string[], draft: Draft): string | null {
  const json = findJson(lines, opensJson)
  if (json === null) return null
  const files = listOf(json.value)
  const problems = files.flatMap((file) => listOf(memberOf(file, 'messages')))
  const count = (severity: string): number =>
    problems.filter((problem) => textOf(problem, 'severity') === severity).length
  const fixable = problems.filter((problem) => memberOf(problem, 'fix') !== undefined).length
  const heading = `eslint JSON, ${files.length} files: ${count('2')} errors, ${count('1')} warnings, ${fixable} of them fixable; sources, end places and fixes left out`
  writeJsonFindings(lines, json, heading, readFiles(json.value), draft)
  return 'eslint-json'
}
