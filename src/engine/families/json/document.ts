import { rowsMarker } from '../../marker.ts'
import { type Columns, toColumns } from './columns.ts'
import { compact } from './compact.ts'
import type { JsonNode } from './tree.ts'

export const LEGEND = 'names in quotes: strings, shown without theirs; an empty cell: no such key'

/** Beyond this many rows, the middle goes, but for rows that hold a value which most others don't. */
const MOST_ROWS = 500
const HEAD_ROWS = 300
const TAIL_ROWS = 60
const MOST_ODD = 140
const TROUBLE = /error|fail|fatal|denied|invalid|timeout|exception|critical/i

/** For each row whether it stays. */
export function chooseRows(columns: Columns): readonly boolean[] {
  const count = columns.rows.length
  if (count <= MOST_ROWS) return columns.rows.map(() => true)
  let odd = 0
  return columns.rows.map((row, i) => {
    if (i < HEAD_ROWS || i >= count - TAIL_ROWS) return true
    if ((!columns.odd[i] && !TROUBLE.test(row)) || odd >= MOST_ODD) return false
    odd += 1
    return true
  })
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
  const names = new Map<JsonNode, string>()
  nameChildren(root, '', names)
  let work = (root.end - root.start) * MOST_PASSES
  const body = compact(text, root, (node) => {
    if (node.items.length === 0 || work <= 0) return null
    if (node.items[0]?.kind === 'object') work -= node.end - node.start
    const table = tableOf(text, node, names.get(node) ?? '')
    if (table === null) return null
    tables.push(table)
    return `[${table.columns.rows.length} rows${table.name === '' ? '' : ` of ${table.name}`}]`
  })
  if (tables.length === 0) return { lines: [body], columns: false }
  const lines = [`JSON as columns; ${LEGEND}`]
  if (tables[0]?.name !== '') lines.push(body)
  for (const table of tables) {
    lines.push(`${table.name === '' ? '' : `${table.name}: `}${table.columns.rows.length} rows`, ...table.columns.head)
    const stays = chooseRows(table.columns)
    let gone = 0
    const flush = (): void => {
      if (gone > 0) lines.push(rowsMarker(gone, table.name === '' ? 'rows like those around' : table.name))
      gone = 0
    }
    table.columns.rows.forEach((row, i) => {
      if (!stays[i]) gone += 1
      else {
        flush()
        lines.push(row)
      }
    })
    flush()
    if (table.rest !== null) lines.push(`cut off: ${table.rest}`)
  }
  return { lines, columns: true }
}

/** Where each list stands, as far as it is worth a name. */
function nameChildren(node: JsonNode, name: string, names: Map<JsonNode, string>): void {
  names.set(node, name)
  node.items.forEach((item, i) => {
    if (item.items.length === 0) return
    const key = node.keys[i]?.slice(1, -1) ?? ''
    const here = node.kind === 'array' ? `${name}[${i}]` : name === '' ? key : `${name}.${key}`
    nameChildren(item, here, names)
  })
}

/** A list as a table where that is much shorter; null elsewhere. */
function tableOf(text: string, node: JsonNode, name: string): Table | null {
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
  const size = [...columns.head, ...columns.rows].reduce((sum, line) => sum + line.length + 1, 60)
  if (size > (node.end - node.start) * 0.8) return null
  return { name, columns, rest: rest ? compact(text, rest) : null }
}
