import type { Diagnostic } from '../../strategies/diagnostics.ts'
import type { Report } from '../../strategies/report.ts'
import { readJsonLine } from './json.ts'

/** `app/a.py:4:1: error: …  [code]`, `app/a.py: note: In function "f":`; up to four numbers with `--show-error-end`. */
const MESSAGE = /^([^\s:][^:]{0,400}|[A-Za-z]:[^:]{1,400}):(?:(\d{1,9}(?::\d{1,9}){0,3}):)? (error|note): (.*)$/
const SCOPE = /^(?:note: )?(?:In (?:member|function|class) ".{1,400}|At top level:)/
const HELP = /^ *See https?:\/\//
const CARET = /^ +\^~*$/

/** A finding whose notes are still to come. */
interface Open extends Diagnostic {
  readonly notes: string[]
  readonly advice: string[]
  readonly lines: number[]
}

/** Reads errors and notes into a report; a note goes with the error of the same place, or names what the next ones stand in. */
export function readMessages(lines: readonly string[], report: Report): void {
  const state: { open: Open | null } = { open: null }
  let scope = ''
  let scopePath = ''
  const helped = new Set<string>()
  const close = (): void => {
    if (state.open) report.finding(state.open)
    state.open = null
  }
  const begin = (finding: Diagnostic): void => {
    close()
    if (SCOPE.test(finding.text)) {
      scope = finding.text
      scopePath = finding.path
    } else if (finding.path !== scopePath) scope = ''
    state.open = { ...finding, scope, notes: [...(finding.notes ?? [])], advice: [], lines: [...finding.lines] }
  }

  for (let i = 0; i < lines.length; i += 1) {
    const line = lines[i] ?? ''
    const json = readJsonLine(line, i)
    const match = json ? null : MESSAGE.exec(line)
    const path = match?.[1] ?? ''
    const place = match?.[2] ?? ''
    const text = match?.[4] ?? ''
    const current = state.open
    if (json) begin(json)
    else if (
      match?.[3] === 'note' &&
      current !== null &&
      path === current.path &&
      place === current.place &&
      place !== ''
    ) {
      if (HELP.test(text) && helped.has(`${path} ${text}`)) report.elide('links to the documentation', i)
      else {
        if (HELP.test(text)) current.advice.push(text)
        else current.notes.push(text)
        current.lines.push(i)
      }
      if (HELP.test(text)) helped.add(`${path} ${text}`)
    } else if (match?.[3] && (place !== '' || match[3] === 'note')) {
      begin({ path, place, text: match[3] === 'error' ? text : `note: ${text}`, lines: [i] })
    } else if (current !== null && line.startsWith('    ') && CARET.test(lines[i + 1] ?? '')) {
      report.elide('source excerpts', i)
      report.elide('source excerpts', i + 1)
      i += 1
    } else if (current !== null && isWrapped(lines, i)) {
      current.notes.push(line)
      current.lines.push(i)
    } else {
      close()
      if (line === '') report.frame(i)
      else report.keep(i)
    }
  }
  close()
}

/** `--pretty` wraps a message; its further lines end in the code, or an excerpt with a caret stands behind them. */
function isWrapped(lines: readonly string[], at: number): boolean {
  for (let i = at; i < at + 12 && i < lines.length; i += 1) {
    const line = lines[i] ?? ''
    if (/ {2}\[[a-z-]{2,40}\]$/.test(line)) return true
    if (CARET.test(lines[i + 1] ?? '') && line.startsWith('    ')) return i > at
    if (MESSAGE.test(line) || line === '' || /^(?:Found \d|Success:)/.test(line)) return false
  }
  return false
}
