import type { Draft } from '../draft.ts'
import type { Family } from '../family.ts'
import { groupBy, readTable } from '../strategies/table.ts'
import { condenseJsonFrom, viewOfJson } from './json/condense.ts'
import { condenseDescribe } from './kubectl/describe.ts'
import { ROUTINE } from './kubectl/routine.ts'

const WELL = /^(?:Running|Ready|Active|Bound|Available)$/
const LONG_ENOUGH = 3
/** What stands in a healthy row's group; the other columns are left out, and the group says which. */
const SHARED = ['NAMESPACE', 'READY', 'UP-TO-DATE', 'STATUS', 'RESTARTS', 'DESIRED', 'CURRENT', 'VERSION', 'ROLES']

/** Whether nothing in a row calls for attention; false where the table does not tell. */
function isWell(row: ReadonlyMap<string, string>): boolean {
  const ready = row.get('READY')
  const status = row.get('STATUS')
  if (ready === undefined && status === undefined) return false
  if (status !== undefined && !WELL.test(status)) return false
  const restarts = row.get('RESTARTS')
  if (restarts !== undefined && restarts !== '0') return false
  if (ready === undefined) return true
  const [have, want] = ready.split('/')
  if (want === undefined) {
    const desired = row.get('DESIRED')
    return desired !== undefined && ready === desired
  }
  const current = row.get('UP-TO-DATE')
  const available = row.get('AVAILABLE')
  return have === want && (current === undefined || current === want) && (available === undefined || available === want)
}

/** Minutes are what `kubectl` shows up to three hours: what is that young among older rows was made again. */
const YOUNG = /^\d{1,3}[sm](?:\d{1,2}s)?$/

/** One table, `from` to `to`: rows that are not well stay whole, the others are named under what they share. */
function condenseTable(lines: readonly string[], from: number, to: number, draft: Draft): boolean {
  const table = readTable(lines[from] ?? '')
  if (!table?.columns.includes('NAME')) return false
  const shared = SHARED.filter((column) => table.columns.includes(column))
  const rest = table.columns.filter((column) => column !== 'NAME' && !shared.includes(column))
  const left = rest.length === 0 ? '' : ` (${rest.join(', ')} left out)`
  const well: { line: number; name: string; row: ReadonlyMap<string, string> }[] = []
  draft.keep(from)
  for (let i = from + 1; i < to; i += 1) {
    const row = table.row(lines[i] ?? '')
    if (row && (row.get('NAME') ?? '') !== '' && isWell(row)) well.push({ line: i, name: row.get('NAME') ?? '', row })
    else draft.keep(i)
  }
  const key = (item: { row: ReadonlyMap<string, string> }): string =>
    [
      ...shared.map((column) => `${column} ${item.row.get(column) ?? ''}`),
      ...(YOUNG.test(item.row.get('AGE') ?? '') ? ['AGE under 3h'] : []),
    ].join(', ')
  for (const [what, rows] of groupBy(well, key)) {
    if (rows.length < LONG_ENOUGH) for (const { line } of rows) draft.keep(line)
    else
      draft.restate(
        `${rows.length} with ${what}${left}: ${rows.map(({ name }) => name).join(' ')}`,
        rows.map(({ line }) => line),
      )
  }
  return true
}

/** `kubectl get events`: warnings stay whole, and what is no routine; routine events are counted by reason. */
function condenseEvents(lines: readonly string[], draft: Draft): boolean {
  const table = readTable(lines[0] ?? '')
  if (!table?.columns.includes('TYPE') || !table.columns.includes('REASON')) return false
  const rows = lines.map((line) => table.row(line))
  const normal = (i: number): boolean => rows[i]?.get('TYPE') === 'Normal' && ROUTINE.test(rows[i]?.get('REASON') ?? '')
  const reasons = groupBy(
    rows.flatMap((row, i) => (i > 0 && normal(i) ? [row?.get('REASON') ?? ''] : [])),
    (reason) => reason,
  )
  const counts = [...reasons].map(([reason, all]) => `${all.length} ${reason}`).join(', ')
  for (let i = 0; i < lines.length; i += 1) {
    if (i > 0 && normal(i)) draft.elide(`normal events (in all ${counts})`, [i])
    else draft.keep(i)
  }
  return true
}

const APPLIED =
  /^(\S+\/\S+) (unchanged|created|configured|serverside-applied|deleted)(?: \(server dry run\)| \(dry run\))?$/

/** `kubectl apply`: what changed stays, what did not is named. */
function condenseApply(lines: readonly string[], draft: Draft): boolean {
  if (!lines.some((line) => APPLIED.test(line))) return false
  const same: { line: number; name: string }[] = []
  lines.forEach((line, i) => {
    const applied = APPLIED.exec(line)
    if (applied?.[2] === 'unchanged') same.push({ line: i, name: applied[1] ?? '' })
    else draft.keep(i)
  })
  if (same.length > 0)
    draft.restate(
      `${same.length} unchanged: ${same.map(({ name }) => name).join(' ')}`,
      same.map(({ line }) => line),
    )
  return true
}

/** The client's own log lines: `E1130 04:04:28.870557   10309 memcache.go:265] …`. */
const CLIENT_LOG = /^[EWIF]\d{4} \d\d:\d\d:\d\d\.\d{6} +\d{1,8} /

/** The client says the same error once for each try. */
function condenseTries(lines: readonly string[], draft: Draft): boolean {
  const said = new Set<string>()
  lines.forEach((line, i) => {
    const text = line.replace(CLIENT_LOG, '')
    if (text !== line && said.has(text)) draft.elide('repeats of the error above', [i])
    else draft.keep(i)
    said.add(text)
  })
  return said.size < lines.length
}

/** `kubectl`: every row that is not well and every warning stays whole; healthy rows are named and folded. */
export const kubectl: Family = {
  name: 'kubectl',
  commands: ['kubectl', 'oc'].flatMap((program) =>
    ['get', 'describe', 'apply', 'create', 'delete'].map((word) => `${program} ${word}`),
  ),
  decides: false,
  detect: (lines) =>
    /^(?:NAMESPACE {2,})?NAME {2,}(?:READY {2,}(?:STATUS|UP-TO-DATE)|STATUS {2,}ROLES)/.test(lines[0] ?? '') ||
    /^LAST SEEN {2,}TYPE {2,}REASON {2,}OBJECT/.test(lines[0] ?? ''),
  condense({ lines }, draft) {
    if (/^[[{]/.test(lines[0] ?? '')) return condenseJsonFrom(lines, 0, draft)
    if (condenseEvents(lines, draft)) return 'kubectl-events'
    if (/^Name: +\S/.test(lines[0] ?? '')) return condenseDescribe(lines, draft)
    if (readTable(lines[0] ?? '')?.columns.includes('NAME')) {
      // `get all` prints a table a kind, with a blank line between.
      for (let from = 0; from < lines.length; ) {
        let to = from
        while (to < lines.length && lines[to] !== '') to += 1
        if (to > from && !condenseTable(lines, from, to, draft)) draft.keepRange(from, to)
        if (to < lines.length) draft.keep(to)
        from = to + 1
      }
      return 'kubectl-get'
    }
    if (CLIENT_LOG.test(lines[0] ?? '')) return condenseTries(lines, draft) ? 'kubectl-errors' : null
    return condenseApply(lines, draft) ? 'kubectl-apply' : null
  },
  view: viewOfJson,
}
