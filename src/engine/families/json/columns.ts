import { compact } from './compact.ts'
import type { JsonNode } from './tree.ts'

/** Like objects as a table: what most rows share is said once, the rest stands a row a line. */
export interface Columns {
  /** Lines above the rows: the shared values, the names of the columns. */
  readonly head: readonly string[]
  readonly rows: readonly string[]
  /** Whether a row holds a value that most others don't. */
  readonly odd: readonly boolean[]
}

const FEWEST_ROWS = 4
const MOST_PATHS = 300
const MOST_CELLS = 4_000_000
const DEEPEST = 8
/** Arrays of so many objects are spread over columns: `containers[0].image`. */
const MOST_SPREAD = 6
/** A value that this share of the rows has is said once for all. */
const SHARED = 0.75
const PRESENT = 0.5
/** Keys and bare values that can't be mistaken for the table's own signs. */
const PLAIN_KEY = /^[^",|=\n\\]{1,120}$/
const BARE = /^[^",|\\\s](?:[^",|\\\n]*[^",|\\\s])?$/

interface Path {
  readonly name: string
  readonly values: (string | undefined)[]
  strings: boolean
}

/** Values of a row by path; an empty object or array is a value. False where it has keys that a table can't hold. */
function spread(text: string, node: JsonNode, name: string, depth: number, into: Map<string, JsonNode>): boolean {
  const isSpread =
    depth < DEEPEST &&
    node.items.length > 0 &&
    (node.kind === 'object' ||
      (node.kind === 'array' && node.items.length <= MOST_SPREAD && node.items.every((item) => item.kind === 'object')))
  if (!isSpread) {
    into.set(name, node)
    return true
  }
  return node.items.every((item, i) => {
    if (node.kind === 'array') return spread(text, item, `${name}[${i}]`, depth + 1, into)
    const key = (node.keys[i] ?? '').slice(1, -1)
    const path = name === '' ? key : `${name}.${key}`
    return PLAIN_KEY.test(key) && !into.has(path) && spread(text, item, path, depth + 1, into)
  })
}

/** @param keys raw keys where the rows are an object's values, else null; returns null where rows are not alike */
export function toColumns(
  source: readonly { readonly text: string; readonly node: JsonNode }[],
  keys: readonly string[] | null,
): Columns | null {
  const count = source.length
  if (count < FEWEST_ROWS) return null
  const paths = new Map<string, Path>()
  const put = (name: string, row: number, value: string, isString: boolean): void => {
    let path = paths.get(name)
    if (!path) {
      path = { name, values: new Array<string | undefined>(count).fill(undefined), strings: true }
      paths.set(name, path)
    }
    path.values[row] = value
    if (!isString || !BARE.test(value.slice(1, -1))) path.strings = false
  }
  for (let row = 0; row < count; row += 1) {
    const { text, node } = source[row] ?? { text: '', node: null }
    if (node === null || node.kind !== 'object' || node.cut) return null
    const cells = new Map<string, JsonNode>()
    if (!spread(text, node, '', 0, cells)) return null
    if (keys) put('(key)', row, keys[row] ?? '', true)
    for (const [name, cell] of cells) put(name, row, compact(text, cell), cell.kind === 'string')
    if (paths.size > MOST_PATHS || paths.size * count > MOST_CELLS) return null
  }
  return layOut([...paths.values()], count)
}

function layOut(paths: readonly Path[], count: number): Columns | null {
  const shared: string[] = []
  const columns: Path[] = []
  const said = Array.from({ length: count }, (): string[] => [])
  for (const path of paths) {
    const common = mostCommon(path.values)
    const present = path.values.filter((value) => value !== undefined).length
    if (common !== null && common.count >= Math.max(2, count * SHARED)) {
      shared.push(`${path.name}=${common.value}`)
      path.values.forEach((value, row) => {
        if (value !== common.value) said[row]?.push(value === undefined ? `no ${path.name}` : `${path.name}=${value}`)
      })
    } else if (present >= count * PRESENT) columns.push(path)
    else
      path.values.forEach((value, row) => {
        if (value !== undefined) said[row]?.push(`${path.name}=${value}`)
      })
  }
  if (columns.length === 0) return null
  const head: string[] = []
  if (shared.length > 0) head.push(`every row, unless said after its |: ${shared.join(', ')}`)
  head.push(columns.map((path) => (path.strings ? `"${path.name}"` : path.name)).join(','))
  const rows = said.map((extra, row) => {
    const cells = columns.map((path) => {
      const value = path.values[row]
      return value === undefined ? '' : path.strings ? value.slice(1, -1) : value
    })
    return extra.length === 0 ? cells.join(',') : `${cells.join(',')} | ${extra.join(', ')}`
  })
  return { head, rows, odd: said.map((extra) => extra.length > 0) }
}

function mostCommon(values: readonly (string | undefined)[]): { value: string; count: number } | null {
  const counts = new Map<string, number>()
  let best: { value: string; count: number } | null = null
  for (const value of values) {
    if (value === undefined) continue
    const count = (counts.get(value) ?? 0) + 1
    counts.set(value, count)
    if (best === null || count > best.count) best = { value, count }
  }
  return best
}
