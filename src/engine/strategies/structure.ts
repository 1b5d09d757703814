import type { Draft } from '../draft.ts'

/** How much of a structure is told; beyond it only counts are. */
const MAX_DEPTH = 12
const MAX_KEYS = 60
const INDENT = '  '

/** What stands at one place of a JSON text, over all values seen there. */
interface Shape {
  /** Values by kind, in the order in which the kinds first came. */
  readonly kinds: Map<string, number>
  readonly members: Map<string, Shape>
  /** Elements of all arrays here. */
  elements: number
  element: Shape | null
}

const emptyShape = (): Shape => ({ kinds: new Map(), members: new Map(), elements: 0, element: null })

/**
 * Tells a JSON text (one value, or one a line) by its keys, types and counts; the values go.
 * @returns false where the text is no JSON object or array
 */
export function condenseToStructure(lines: readonly string[], draft: Draft): boolean {
  const values = readValues(lines)
  if (values === null) return false
  const shape = emptyShape()
  for (const value of values) addTo(shape, value, 0)
  const [value] = values
  const rows = values.length === 1 && Array.isArray(value) ? value.length : values.length
  const told: string[] = []
  describe(shape, values.length === 1 ? 'JSON' : `${values.length} JSON lines, each`, '', told)
  draft.restate(told.join('\n'), [])
  draft.elideRange(
    rows > 1 ? `JSON values (${rows} rows), structure above` : 'JSON values, structure above',
    0,
    lines.length,
  )
  return true
}

/** The text's value, or its lines' values; null where it is neither. */
function readValues(lines: readonly string[]): unknown[] | null {
  const whole = parse(lines.join('\n'))
  if (whole !== undefined) return [whole]
  const values: unknown[] = []
  for (const line of lines) {
    if (line.trim() === '') continue
    const value = parse(line)
    if (value === undefined) return null
    values.push(value)
  }
  return values.length > 0 ? values : null
}

/** Undefined for a text that is no JSON, or a bare number, string or literal. */
function parse(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value
}

function addTo(shape: Shape, value: unknown, depth: number): void {
  const kind = kindOf(value)
  shape.kinds.set(kind, (shape.kinds.get(kind) ?? 0) + 1)
  if (typeof value !== 'object' || value === null || depth >= MAX_DEPTH) return
  if (Array.isArray(value)) {
    shape.elements += value.length
    for (const item of value) {
      shape.element ??= emptyShape()
      addTo(shape.element, item, depth + 1)
    }
    return
  }
  for (const [key, member] of Object.entries(value)) {
    let below = shape.members.get(key)
    if (!below) {
      below = emptyShape()
      shape.members.set(key, below)
    }
    addTo(below, member, depth + 1)
  }
}

/** Writes a place as `name: kinds`, what is below it indented. */
function describe(shape: Shape, name: string, indent: string, told: string[]): void {
  const arrays = shape.kinds.get('array') ?? 0
  const kinds = [...shape.kinds].map(([kind, count]) => {
    if (kind !== 'array') return shape.kinds.size > 1 ? `${kind} (${count})` : kind
    return arrays === 1 ? `array of ${shape.elements}` : `${arrays} arrays of ${shape.elements} in all`
  })
  told.push(`${indent}${name}: ${kinds.join(' | ')}`)
  const below = indent + INDENT
  const objects = shape.kinds.get('object') ?? 0
  let shown = 0
  for (const [key, member] of shape.members) {
    if (shown === MAX_KEYS) {
      told.push(`${below}… ${shape.members.size - shown} more keys`)
      break
    }
    shown += 1
    const present = [...member.kinds.values()].reduce((sum, count) => sum + count, 0)
    describe(member, present < objects ? `${quoted(key)} (in ${present} of ${objects})` : quoted(key), below, told)
  }
  if (shape.element) describe(shape.element, 'each', below, told)
}

/** A key as it stands where it is a plain name; else as a JSON string, of bounded length. */
function quoted(key: string): string {
  if (/^[\w$@.-]{1,80}$/.test(key)) return key
  return JSON.stringify(key.length > 80 ? `${key.slice(0, 80)}…` : key)
}
