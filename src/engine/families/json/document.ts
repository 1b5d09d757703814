import { rowsMarker } from '../../marker.ts'
import { fromBothEnds } from '../../rank.ts'
import { templateHash } from '../../text/normal.ts'
import { type Columns, toColumns } from './columns.ts'
import { compact, type Trail } from './compact.ts'
import type { JsonNode } from './tree.ts'

export const LEGEND = 'names in quotes: strings, shown without theirs; an empty cell: no such key'

/** Beyond this many rows, the middle goes, but for rows that tell of trouble or hold a value which most others don't. */
const MOST_ROWS = 500
const HEAD_ROWS = 300
const TAIL_ROWS = 60
const MOST_TROUBLE = 140
const MOST_ODD = 140
const TROUBLE =
  /error|fail|fatal|denied|invalid|timeout|exception|critical|panic|crash|refused|unhealthy|abort|corrupt/i

/** For each row whether it stays. */
export function chooseRows(columns: Columns): readonly boolean[] {
  const { count } = columns
  const stays = new Array<boolean>(count).fill(count <= MOST_ROWS)
  if (count <= MOST_ROWS) return stays
  stays.fill(true, 0, HEAD_ROWS)
  stays.fill(true, count - TAIL_ROWS)
  const trouble: number[] = []
  const odd: number[] = []
  for (let i = HEAD_ROWS; i < count - TAIL_ROWS; i += 1) {
    if (TROUBLE.test(columns.row(i))) trouble.push(i)
    else if (columns.isOdd(i)) odd.push(i)
  }
  for (const i of telling(trouble, columns, MOST_TROUBLE)) stays[i] = true
  for (const i of telling(odd, columns, MOST_ODD)) stays[i] = true
  return stays
}

/** So many of the rows: the first of each kind (numbers apart) from both ends, then the others. */
function telling(rows: readonly number[], columns: Columns, most: number): readonly number[] {
  if (rows.length <= most) return rows
  const seen = new Set<number>()
  const firsts: number[] = []
  const rest: number[] = []
  for (const i of rows) {
    const template = templateHash(columns.row(i).replaceAll('"', ''))
    if (seen.has(template)) rest.push(i)
    else {
      seen.add(template)
      firsts.push(i)
    }
  }
  return [...fromBothEnds(firsts).slice(0, most), ...rest.slice(0, Math.max(0, most - firsts.length))]
}

/** A list within a list is tried again where the outer makes no table: so often is each character looked at, at most. */
const MOST_PASSES = 10

interface Table {
  readonly name: string
  readonly columns: Columns
  readonly rest: string | null
}

/**
 * Writes a document: lists of like objects as columns under it, all else without white space.
 * @returns lines; `columns` says whether they are no JSON any more
 */
export function writeDocument(text: string, root: JsonNode): { lines: string[]; columns: boolean } {
  const tables: Table[] = []
  let work = (root.end - root.start) * MOST_PASSES
  const body = compact(text, root, (node, trail) => {
    if (node.items.length === 0 || work <= 0) return null
    if (node.items[0]?.kind === 'object') work -= node.end - node.start
    const table = tableOf(text, node, trail)
    if (table === null) return null
    tables.push(table)
    return `[${table.columns.count} rows${table.name === '' ? '' : ` of ${table.name}`}]`
  })
  if (tables.length === 0) return { lines: [body], columns: false }
  const lines = [`JSON as columns; ${LEGEND}`]
  if (tables[0]?.name !== '') lines.push(body)
  for (const table of tables) {
    lines.push(`${table.name === '' ? '' : `${table.name}: `}${table.columns.count} rows`, ...table.columns.head)
    const stays = chooseRows(table.columns)
    let gone = 0
    const flush = (): void => {
      if (gone > 0) lines.push(rowsMarker(gone, table.name === '' ? 'rows like those around' : table.name))
      gone = 0
    }
    for (const [i, row] of stays.entries()) {
      if (!row) gone += 1
      else {
        flush()
        lines.push(table.columns.row(i))
      }
    }
    flush()
    if (table.rest !== null) lines.push(`cut off: ${table.rest}`)
  }
  return { lines, columns: true }
}

/** Where a list stands: `items[2].tags`. */
function nameOf({ nodes, items }: Trail): string {
  let name = ''
  for (const [depth, node] of nodes.entries()) {
    const at = items[depth] ?? 0
    const key = node.keys[at]?.slice(1, -1) ?? ''
    name = node.kind === 'array' ? `${name}[${at}]` : name === '' ? key : `${name}.${key}`
  }
  return name
}

/** A list as a table where that is much shorter; null elsewhere. */
function tableOf(text: string, node: JsonNode, trail: Trail): Table | null {
  const isMap = node.kind === 'object'
  if ((node.kind !== 'array' && !isMap) || node.items.length < (isMap ? 6 : 4)) return null
  const last = node.items.at(-1)
  const rest = last?.cut ? last : null
  const items = rest ? node.items.slice(0, -1) : node.items
  if (!items.every((item) => item.kind === 'object')) return null
  const columns = toColumns(
    items.map((item) => ({ text, node: item })),
    isMap ? node.keys : null,
  )
  if (columns === null) return null
  let size = columns.head.reduce((sum, line) => sum + line.length + 1, 60)
  for (let row = 0; row < columns.count; row += 1) size += columns.row(row).length + 1
  if (size > (node.end - node.start) * 0.8) return null
  return { name: nameOf(trail), columns, rest: rest ? compact(text, rest) : null }
}
