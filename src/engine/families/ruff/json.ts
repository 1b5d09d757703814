import type { Draft } from '../../draft.ts'
import type { Diagnostic } from '../../strategies/diagnostics.ts'
import { countsOf, writeJsonFindings } from '../../strategies/json-findings.ts'
import { findJson, listOf, memberOf, placeOf, textOf } from '../../strategies/json-report.ts'

export const opensJson = (line: string): boolean => line === '['
/** A line of the pretty-printed array. */
export const isJsonLine = (line: string): boolean => /^(?:[[\]]| {2,}(?:[{}[\]]|"[a-z_]{1,40}": ))/.test(line)

/** Restates `--output-format json` as places, codes and messages. @returns null where the output holds none of it */
export function condenseJson(lines: readonly string[], draft: Draft): string | null {
  const json = findJson(lines, opensJson)
  if (json === null) return null
  const findings = readFindings(json.value)
  const codes = countsOf(findings.map((finding) => finding.text.split(' ')[0] ?? ''))
  const heading = `ruff JSON, ${findings.length} findings: ${codes}; fixes, end places and addresses left out`
  writeJsonFindings(lines, json, heading, findings, draft)
  return 'ruff-json'
}

/** The findings of the array. */
export function readFindings(value: unknown): Diagnostic[] {
  return listOf(value).map((item) => {
    const fix = memberOf(item, 'fix')
    const at = memberOf(item, 'location')
    const marks = { safe: '[*]', unsafe: '(unsafe fix)', display: '(fix shown)' }
    const mark = textOf(marks, textOf(fix, 'applicability'))
    const code = textOf(item, 'code')
    return {
      path: textOf(item, 'filename'),
      place: placeOf(textOf(at, 'row'), textOf(at, 'column')),
      text: [code === '' ? textOf(item, 'name') : code, mark, textOf(item, 'message')]
        .filter((word) => word !== '')
        .join(' '),
      lines: [],
    }
  })
}
