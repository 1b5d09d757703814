import type { Draft } from '../../draft.ts'
import { type Step, unendedLines } from './unended.ts'

/** What one line of `terraform plan -json` says. */
interface Event {
  readonly type: string
  readonly text: string
  /** What it says of an operation. */
  readonly step: Step | null
}

const START = /^\{"@level":"[a-z]{1,10}","@message":"/
const QUIET: ReadonlyMap<string, string> = new Map([
  ['version', 'version'],
  ['refresh_start', 'unchanged resources'],
  ['refresh_complete', 'unchanged resources'],
  ['apply_start', 'progress'],
  ['apply_progress', 'progress'],
  ['provision_start', 'progress'],
])

/** How the types of events that tell of an operation end. */
const STEPS: ReadonlyMap<string, Step['kind']> = new Map([
  ['start', 'start'],
  ['progress', 'still'],
  ['complete', 'end'],
  ['errored', 'end'],
])

export const isEventStream = (lines: readonly string[]): boolean =>
  lines.slice(0, 5).some((line) => START.test(line) && line.includes('"@module":"terraform.'))

function field(value: unknown, ...path: readonly string[]): unknown {
  let here = value
  for (const key of path) {
    if (typeof here !== 'object' || here === null) return undefined
    here = Object.getOwnPropertyDescriptor(here, key)?.value
  }
  return here
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Reads one event; null for a line that is none, or is cut off. */
function readEvent(line: string): Event | null {
  if (!START.test(line)) return null
  let event: unknown
  try {
    event = JSON.parse(line)
  } catch {
    return null
  }
  const type = textOf(field(event, 'type'))
  const message = textOf(field(event, '@message'))
  if (type === 'planned_change' || type === 'resource_drift') {
    const before = textOf(field(event, 'change', 'previous_resource', 'addr'))
    const reason = textOf(field(event, 'change', 'reason'))
    const text = [
      `${type} "${textOf(field(event, 'change', 'resource', 'addr'))}": "${textOf(field(event, 'change', 'action'))}"`,
      before === '' ? '' : ` from "${before}"`,
      reason === '' ? '' : ` (${reason})`,
    ]
    return { type, text: text.join(''), step: null }
  }
  if (type === 'diagnostic') {
    const range = field(event, 'diagnostic', 'range')
    const line = field(range, 'start', 'line')
    const where =
      range === undefined || range === null ? '' : `  on ${textOf(field(range, 'filename'))} line ${String(line)}`
    const detail = textOf(field(event, 'diagnostic', 'detail'))
    const code = textOf(field(event, 'diagnostic', 'snippet', 'code'))
    return {
      type,
      text: [message, where, code === '' ? '' : `  ${code}`, detail].filter((part) => part !== '').join('\n'),
      step: null,
    }
  }
  const kind = STEPS.get(type.slice(type.lastIndexOf('_') + 1))
  if (kind === undefined) return { type, text: message, step: null }
  // A refresh and a provisioner of one resource are operations of their own.
  const key = `${type.split('_')[0]} ${textOf(field(event, 'hook', 'action'))} ${textOf(field(event, 'hook', 'resource', 'addr'))}`
  return { type, text: message, step: { kind, key } }
}

export const viewOfEvent = (line: string): string => readEvent(line)?.text ?? line

/** Events as text: refreshes and progress go, the start of an operation stays where its end is not said. */
export function condenseEvents(lines: readonly string[], draft: Draft): void {
  const events = lines.map(readEvent)
  const applies = events.some((event) => event?.type === 'apply_start')
  const over = events.some(
    (event) =>
      event?.text.startsWith('Error: ') ||
      (event?.type === 'change_summary' && (!applies || !event.text.startsWith('Plan: '))),
  )
  const unended = unendedLines(events.map((event) => event?.step ?? null))
  if (!over) draft.restate('incomplete: the output ends before the summary', [])
  events.forEach((event, i) => {
    const what = event === null ? undefined : QUIET.get(event.type)
    if (event === null || (event.text === '' && what === undefined)) draft.keep(i)
    else if (what === undefined || unended.has(i)) draft.restate(event.text, [i])
    else draft.elide(what, [i])
  })
}
