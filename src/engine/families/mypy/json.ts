import type { Diagnostic } from '../../strategies/diagnostics.ts'
import { memberOf, placeOf, readJson, textOf } from '../../strategies/json-report.ts'

/** Reads a line of `--output json`: `{"file": …, "line": 4, "column": 0, "message": …, "hint": …}`; null for any other line. */
export function readJsonLine(line: string, at: number): Diagnostic | null {
  if (!line.startsWith('{"file": ')) return null
  const json = readJson(line)
  if (json === null || !json.complete || typeof memberOf(json.value, 'severity') !== 'string') return null
  const code = textOf(json.value, 'code')
  const row = textOf(json.value, 'line')
  const hint = textOf(json.value, 'hint')
  const place = row.startsWith('-') ? '' : placeOf(row, textOf(json.value, 'column').replace(/^-.*/, ''))
  const severity = textOf(json.value, 'severity')
  return {
    path: textOf(json.value, 'file'),
    place,
    text: `${severity === 'error' && place !== '' ? '' : `${severity}: `}${textOf(json.value, 'message')}${code === '' ? '' : `  [${code}]`}`,
    notes: hint === '' ? [] : hint.split('\n'),
    lines: [at],
  }
}

/** What a JSON line says, as mypy prints it without that option; any other line as it is. */
export function viewOfJsonLine(line: string): string {
  const finding = readJsonLine(line, 0)
  return finding === null ? line : `${finding.path}:${finding.place === '' ? '' : `${finding.place}:`} ${finding.text}`
}
