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
  const sum = (key: string): number =>
    listOf(json.value).reduce<number>((total, file) => total + Number(textOf(file, key) || 0), 0)
  const counted = ['errorCount', 'warningCount', 'fixableErrorCount', 'fixableWarningCount'].map(sum)
  const heading = `eslint JSON, ${listOf(json.value).length} files: ${counted[0]} errors, ${counted[1]} warnings, of which fixable ${counted[2]} and ${counted[3]}; sources, end places and fixes left out`
  writeJsonFindings(lines, json, heading, readFiles(json.value), draft)
  return 'eslint-json'
}
