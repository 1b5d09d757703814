import type { Draft } from '../../draft.ts'
import { groupBy, readTable } from '../../strategies/table.ts'

/** `Up 3 days`, `Up 2 hours (healthy)`, `running(3)`; not `(unhealthy)`, `(Paused)`, `(health: starting)`. */
const WELL = /^(?:Up (?:About )?(?:an? )?[\w ]{1,40}(?: \(healthy\))?|running(?: \(healthy\))?)$/
/** Containers that differ in these alone are told by their names; so that it is not silent, the heading says so. */
const VOLATILE = new Set(['CONTAINER ID', 'CREATED', 'NAMES', 'NAME'])
const LONG_ENOUGH = 3

interface Row {
  readonly line: number
  readonly name: string
  /** The status without its numbers. */
  readonly unit: string
  readonly shared: string
  /** `Up 3 days`. */
  readonly status: string
}

/** `docker ps`: containers that are not well stay whole, those that run well are named under what they share. */
export function condenseContainers(lines: readonly string[], draft: Draft): string | null {
  const table = readTable(lines[0] ?? '')
  const name = table?.columns.find((column) => column === 'NAMES' || column === 'NAME')
  if (!table || name === undefined || !table.columns.includes('STATUS')) return null
  const well: Row[] = []
  const kept: number[] = []
  for (let i = 1; i < lines.length; i += 1) {
    const row = table.row(lines[i] ?? '')
    const status = row?.get('STATUS') ?? ''
    const called = row?.get(name) ?? ''
    if (!row || called === '' || !WELL.test(status)) {
      kept.push(i)
      continue
    }
    const shared = [...row]
      .filter(([column, cell]) => !VOLATILE.has(column) && cell !== '' && column !== 'STATUS')
      .map(([column, cell]) => `${column} ${cell}`)
    // What has run for seconds among what has run for days was started again: only times of one unit share a group.
    const unit = status.replace(/\d{1,9}/g, '#')
    well.push({ line: i, name: called, status, unit, shared: shared.join(', ') })
  }
  draft.keep(0)
  for (const line of kept) draft.keep(line)
  for (const rows of groupBy(well, ({ unit, shared }) => `${unit}, ${shared}`).values()) {
    if (rows.length < LONG_ENOUGH) for (const row of rows) draft.keep(row.line)
    else
      draft.restate(
        `${rows.length} with STATUS ${timesOf(rows)}, ${rows[0]?.shared} (ids and CREATED left out): ${rows.map((row) => row.name).join(' ')}`,
        rows.map((row) => row.line),
      )
  }
  return 'docker-ps'
}

/** From when to when a group was started, in the table's order. */
function timesOf(rows: readonly Row[]): string {
  const [first] = rows
  const last = rows.at(-1)
  return first?.status === last?.status ? (first?.status ?? '') : `${first?.status} to ${last?.status}`
}

/** `docker images`: each name, tag, id and size stays; ids of untagged images of one size share a line. */
export function condenseImages(lines: readonly string[], draft: Draft): string | null {
  const table = readTable(lines[0] ?? '')
  if (!table?.columns.includes('IMAGE ID') || !table.columns.includes('REPOSITORY')) return null
  const rows: { line: number; name: string; id: string; created: string }[] = []
  draft.keep(0)
  for (let i = 1; i < lines.length; i += 1) {
    const row = table.row(lines[i] ?? '')
    const id = row?.get('IMAGE ID') ?? ''
    if (!row || id === '' || row.get('REPOSITORY') !== '<none>') draft.keep(i)
    else
      rows.push({
        line: i,
        name: `<none> ${row.get('TAG')}, SIZE ${row.get('SIZE')}`,
        created: row.get('CREATED') ?? '',
        id,
      })
  }
  for (const [name, group] of groupBy(rows, (row) => row.name)) {
    if (group.length < 2) for (const row of group) draft.keep(row.line)
    else
      draft.restate(
        `${group.length} of ${name}, CREATED ${group[0]?.created} to ${group.at(-1)?.created}: ${group.map((row) => row.id).join(' ')}`,
        group.map((row) => row.line),
      )
  }
  return 'docker-images'
}
