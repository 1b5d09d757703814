import type { Diagnostic } from '../../strategies/diagnostics.ts'
import { listOf, memberOf, placeOf, textOf } from '../../strategies/json-report.ts'

/** One line of `--message-format=json`. */
export type CargoMessage =
  | { readonly kind: 'diagnostic'; readonly error: boolean; readonly finding: Omit<Diagnostic, 'lines'> }
  | { readonly kind: 'finished' }
  | { readonly kind: 'artifact' }

/** Notes that name a lint's level, or where to read about it. */
const LINT_NOTE = /^`(?:#\[|-[DW] )|^to override `-|^for further information visit |^the lint level is defined here$/

/** @returns null for a line that is no message of cargo's or rustc's */
export function readMessage(line: string): CargoMessage | null {
  if (!line.startsWith('{') || !line.endsWith('}')) return null
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return null
  }
  const reason = textOf(value, 'reason')
  if (reason === 'compiler-message') return readDiagnostic(memberOf(value, 'message'))
  if (reason === 'build-finished') return { kind: 'finished' }
  if (reason === 'compiler-artifact' || reason === 'build-script-executed') return { kind: 'artifact' }
  // rustc itself: --error-format=json.
  if (textOf(value, '$message_type') === 'diagnostic') return readDiagnostic(value)
  return textOf(value, '$message_type') === 'artifact' ? { kind: 'artifact' } : null
}

function readDiagnostic(value: unknown): CargoMessage {
  const level = textOf(value, 'level')
  if (level === 'failure-note') return { kind: 'artifact' }
  const spans = listOf(memberOf(value, 'spans'))
  const primary = spans.find((span) => memberOf(span, 'is_primary') === true)
  const code = textOf(memberOf(value, 'code'), 'code')
  const isRustcCode = /^E\d{4}$/.test(code)
  const error = level.startsWith('error')
  const notes: string[] = []
  for (const span of spans) {
    const label = textOf(span, 'label')
    if (label === '' || (!error && span === primary)) continue
    notes.push(span === primary ? label : `${placeOfSpan(span)} ${label}`)
  }
  for (const child of listOf(memberOf(value, 'children'))) {
    const message = textOf(child, 'message')
    if (LINT_NOTE.test(message)) continue
    notes.push(`${textOf(child, 'level')}: ${message}${suggestionOf(child)}`)
  }
  const text = `${level}${isRustcCode ? `[${code}]` : ''}: ${textOf(value, 'message')}${code === '' || isRustcCode ? '' : ` (${code})`}`
  return {
    kind: 'diagnostic',
    error,
    finding: {
      path: textOf(primary, 'file_name'),
      place: placeOfSpan(primary),
      text: oneLine(text),
      ...(error
        ? { notes: notes.map(oneLine) }
        : { advice: [], notes: notes.filter((note) => note.startsWith('help: ')).map(oneLine) }),
    },
  }
}

const placeOfSpan = (span: unknown): string => placeOf(textOf(span, 'line_start'), textOf(span, 'column_start'))

const oneLine = (text: string): string => text.replace(/\n\s*/g, ' ')

/** What a suggestion puts in, where it is one short piece. */
function suggestionOf(child: unknown): string {
  const spans = listOf(memberOf(child, 'spans'))
  const text = textOf(spans[0], 'suggested_replacement')
  return spans.length === 1 && text.trim() !== '' && text.length <= 80 && !text.includes('\n')
    ? `: \`${text.trim()}\``
    : ''
}
