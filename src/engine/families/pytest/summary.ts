import { withoutFile } from '../../test-names.ts'
import type { Heading } from './titles.ts'

/** One line of the short test summary that names a failed test. */
export interface SummaryLine {
  readonly line: number
  readonly kind: 'FAILED' | 'ERROR'
  readonly id: string
  /** What stands behind the id, often cut with `...`; empty where nothing does. */
  readonly message: string
}

const ENTRY = /^(FAILED|ERROR) (\S.*)$/
const MOST_DASHES = 20

/**
 * Reads a `FAILED id - message` line. Ids may hold ` - ` themselves: of several readings the one is taken whose name
 * stands over a report's section.
 * @param names the names that stand over sections
 */
export function readSummaryLine(text: string, line: number, names: ReadonlySet<string>): SummaryLine | null {
  const entry = ENTRY.exec(text)
  if (!entry) return null
  const kind = entry[1] === 'ERROR' ? 'ERROR' : 'FAILED'
  const rest = entry[2] ?? ''
  let at = rest.indexOf(' - ')
  const first = at
  for (let tries = 0; at >= 0 && tries < MOST_DASHES; tries += 1) {
    if (names.has(withoutFile(rest.slice(0, at)))) return split(at)
    at = rest.indexOf(' - ', at + 3)
  }
  return split(names.has(withoutFile(rest)) ? -1 : first)

  function split(dash: number): SummaryLine {
    return dash < 0
      ? { line, kind, id: rest, message: '' }
      : { line, kind, id: rest.slice(0, dash), message: rest.slice(dash + 3) }
  }
}

/** Hands each section its line of the summary; both list the tests in one order, so that equal names pair up. */
export function pairUp(entries: readonly SummaryLine[]): (heading: Heading) => SummaryLine | null {
  const open = new Map<string, SummaryLine[]>()
  for (const entry of entries) {
    const key = `${entry.kind} ${withoutFile(entry.id)}`
    const known = open.get(key)
    if (known) known.push(entry)
    else open.set(key, [entry])
  }
  const taken = new Map<string, number>()
  return (heading) => {
    const key = `${heading.kind} ${heading.name}`
    const list = open.get(key)
    if (!list) return null
    const at = taken.get(key) ?? 0
    taken.set(key, at + 1)
    return list[at] ?? null
  }
}
