import type { Diagnostic } from '../../strategies/diagnostics.ts'
import { listOf, memberOf, placeOf, readJson, textOf } from '../../strategies/json-report.ts'

/** Reads a line of `-fdiagnostics-format=json`: a list of diagnostics; null for any other line. */
export function readGccJson(line: string): { error: boolean; finding: Omit<Diagnostic, 'lines'> }[] | null {
  if (!line.startsWith('[{') || !line.includes('"column-origin"')) return null
  const json = readJson(line)
  if (json === null || !json.complete) return null
  return listOf(json.value).map((value) => {
    const kind = textOf(value, 'kind')
    const option = textOf(value, 'option')
    const notes = listOf(memberOf(value, 'children')).map((child) => {
      const at = caretOf(child)
      return `${at.path === '' ? '' : `${at.path}:${at.place} `}${textOf(child, 'kind')}: ${textOf(child, 'message')}`
    })
    const fixes = listOf(memberOf(value, 'fixits')).map((fix) => `fix: insert \`${textOf(fix, 'string')}\``)
    return {
      error: kind.endsWith('error'),
      finding: {
        ...caretOf(value),
        text: `${kind}: ${textOf(value, 'message')}${option === '' ? '' : ` [${option}]`}`,
        notes: [...notes, ...fixes],
      },
    }
  })
}

function caretOf(value: unknown): { path: string; place: string } {
  const caret = memberOf(listOf(memberOf(value, 'locations'))[0], 'caret')
  return { path: textOf(caret, 'file'), place: placeOf(textOf(caret, 'line'), textOf(caret, 'column')) }
}

/** What the JSON says, a finding a line. */
export function viewOfGccJson(line: string): string {
  const read = readGccJson(line)
  if (read === null) return line
  return read.map(({ finding }) => `${finding.path}:${finding.place}: ${finding.text}`).join('\n')
}
