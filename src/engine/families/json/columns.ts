import { compact } from './compact.ts'
import type { JsonNode } from './tree.ts'

/** Like objects as a table: what most rows share is said once, the rest stands a row a line. */
export interface Columns {
  /** Lines above the rows: the shared values, the names of the columns. */
  readonly head: readonly string[]
  readonly count: number
  /** The row as a line. */
  row(at: number): string
  /** Whether a row holds a value that most others don't. */
  isOdd(at: number): boolean
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
  /** The last row that has a value here. */
  row: number
}

/** A place in the rows: the path of a value that stands there, and the places within. */
interface Place {
  readonly name: string
  readonly within: Map<string, Place | null>
  path: Path | null
}

class NoTable extends Error {}

/** The paths of the rows' values, in order of first occurrence. */
class Paths {
  readonly all = new Map<string, Path>()
  readonly root: Place = { name: '', within: new Map(), path: null }
  private readonly count: number

  constructor(count: number) {
    this.count = count
  }

  /** The values of a row by path; an empty object or array is a value. Throws where it has keys that a table can't hold. */
  spread(text: string, node: JsonNode, place: Place, depth: number, row: number): void {
    const isSpread =
      depth < DEEPEST &&
      node.items.length > 0 &&
      (node.kind === 'object' ||
        (node.kind === 'array' &&
          node.items.length <= MOST_SPREAD &&
          node.items.every((item) => item.kind === 'object')))
    if (!isSpread) {
      this.put(place, row, compact(text, node), node.kind === 'string')
      return
    }
    for (const [i, item] of node.items.entries()) {
      const inner = node.kind === 'array' ? this.itemOf(place, i) : this.keyOf(place, node.keys[i] ?? '')
      if (inner === null || (node.kind === 'object' && this.has(inner, row))) throw new NoTable()
      this.spread(text, item, inner, depth + 1, row)
    }
  }

  private has(place: Place, row: number): boolean {
    return (place.path ?? this.all.get(place.name))?.row === row
  }

  put(place: Place, row: number, value: string, isString: boolean): void {
    const path = place.path ?? this.pathOf(place.name)
    place.path = path
    path.values[row] = value
    path.row = row
    if (path.strings && (!isString || !BARE.test(value.slice(1, -1)))) path.strings = false
  }

  private pathOf(name: string): Path {
    const known = this.all.get(name)
    if (known) return known
    const size = this.all.size + 1
    if (size > MOST_PATHS || size * this.count > MOST_CELLS) throw new NoTable()
    const path: Path = {
      name,
      values: new Array<string | undefined>(this.count).fill(undefined),
      strings: true,
      row: -1,
    }
    this.all.set(name, path)
    return path
  }

  private keyOf(place: Place, raw: string): Place | null {
    const known = place.within.get(raw)
    if (known !== undefined) return known
    const key = raw.slice(1, -1)
    const name = place.name === '' ? key : `${place.name}.${key}`
    const inner: Place | null = PLAIN_KEY.test(key) ? { name, within: new Map(), path: null } : null
    place.within.set(raw, inner)
    return inner
  }

  private itemOf(place: Place, at: number): Place {
    const name = `[${at}]`
    const known = place.within.get(name)
    if (known) return known
    const inner: Place = { name: `${place.name}${name}`, within: new Map(), path: null }
    place.within.set(name, inner)
    return inner
  }
}

/** @param keys raw keys where the rows are an object's values, else null; returns null where rows are not alike */
export function toColumns(
  source: readonly { readonly text: string; readonly node: JsonNode }[],
  keys: readonly string[] | null,
): Columns | null {
  const count = source.length
  if (count < FEWEST_ROWS || source.some(({ node }) => node.kind !== 'object' || node.cut)) return null
  const paths = new Paths(count)
  const keyPlace: Place = { name: '(key)', within: new Map(), path: null }
  try {
    for (const [row, { text, node }] of source.entries()) {
      if (keys) paths.put(keyPlace, row, keys[row] ?? '', true)
      paths.spread(text, node, paths.root, 0, row)
    }
  } catch (error) {
    if (error instanceof NoTable) return null
    throw error
  }
  return layOut([...paths.all.values()], count)
}

function layOut(paths: readonly Path[], count: number): Columns | null {
  const shared: string[] = []
  const columns: Path[] = []
  /** For each row what it says apart; nothing for most. */
  const said: (string[] | undefined)[] = new Array<string[] | undefined>(count).fill(undefined)
  const say = (row: number, text: string): void => {
    const texts = said[row]
    if (texts) texts.push(text)
    else said[row] = [text]
  }
  for (const path of paths) {
    const common = sharedBy(path.values, Math.max(2, count * SHARED))
    const present = path.values.reduce((sum, value) => (value === undefined ? sum : sum + 1), 0)
    if (common !== null) {
      shared.push(`${path.name}=${common}`)
      for (const [row, value] of path.values.entries())
        if (value !== common) say(row, value === undefined ? `no ${path.name}` : `${path.name}=${value}`)
    } else if (present >= count * PRESENT) columns.push(path)
    else for (const [row, value] of path.values.entries()) if (value !== undefined) say(row, `${path.name}=${value}`)
  }
  if (columns.length === 0) return null
  const head: string[] = []
  if (shared.length > 0) head.push(`every row, unless said after its |: ${shared.join(', ')}`)
  head.push(columns.map((path) => (path.strings ? `"${path.name}"` : path.name)).join(','))
  return {
    head,
    count,
    isOdd: (row) => said[row] !== undefined,
    row(at) {
      const cells = columns.map(({ values, strings }) => {
        const value = values[at]
        return value === undefined ? '' : strings ? value.slice(1, -1) : value
      })
      const extra = said[at]
      return extra ? `${cells.join(',')} | ${extra.join(', ')}` : cells.join(',')
    },
  }
}

/**
 * The value that at least so many of the rows have; null where there is none.
 * @param most more than half of them, so that a vote finds the only one that may (Boyer and Moore)
 */
function sharedBy(values: readonly (string | undefined)[], most: number): string | null {
  let leader: string | undefined
  let votes = 0
  for (const value of values) {
    if (votes === 0) leader = value
    votes += value === leader ? 1 : -1
  }
  if (leader === undefined) return null
  const count = values.reduce((sum, value) => (value === leader ? sum + 1 : sum), 0)
  return count >= most ? leader : null
}
