/** JSON as a tree of places in its text, so that every value can be written exactly as it came. */
export interface JsonNode {
  readonly kind: 'object' | 'array' | 'string' | 'scalar' | 'partial'
  readonly start: number
  readonly end: number
  /** Raw keys with their quotes, one for each item; empty for arrays. */
  readonly keys: readonly string[]
  readonly items: readonly JsonNode[]
  /** The text ends inside this value. */
  readonly cut: boolean
}

/** Deeper documents are left alone: nothing readable is that deep, and recursion stays bounded. */
const DEEPEST = 100
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const WORD = /true|false|null/y
const NO_NODES: readonly JsonNode[] = []
const NO_KEYS: readonly string[] = []

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const CLOSE_ARRAY = 0x5d
const CLOSE_OBJECT = 0x7d

class NotJson extends Error {}

/**
 * Reads one value at `from`. A text that ends too early is read as far as it goes (`cut`).
 * @param like a value read before, whose keys this one mostly has too: they are shared
 * @returns null where the text is no JSON
 */
export function readJson(text: string, from: number, like: JsonNode | null = null): JsonNode | null {
  try {
    return readValue(text, skipSpace(text, from), 0, like)
  } catch (error) {
    if (error instanceof NotJson) return null
    throw error
  }
}

export function skipSpace(text: string, from: number): number {
  let at = from
  for (; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) break
  }
  return at
}

/** @param like the value before it in the same list: rows share their keys */
function readValue(text: string, at: number, depth: number, like: JsonNode | null): JsonNode {
  if (depth > DEEPEST) throw new NotJson()
  const first = text[at]
  if (first === undefined) return partial(text, at)
  if (first === '{' || first === '[') return readContainer(text, at, depth, first === '{', like)
  if (first === '"') {
    const end = endOfString(text, at)
    return end < 0 ? partial(text, at) : new Leaf('string', at, end)
  }
  for (const pattern of [NUMBER, WORD]) {
    pattern.lastIndex = at
    if (!pattern.test(text)) continue
    const end = pattern.lastIndex
    // A number at the very end may go on where the text was cut.
    return end === text.length && depth > 0 ? partial(text, at) : new Leaf('scalar', at, end)
  }
  if (text.length - at < 6 && /^(?:-|t|tr|tru|f|fa|fal|fals|n|nu|nul)$/.test(text.slice(at))) return partial(text, at)
  throw new NotJson()
}

/** A string or a scalar. What all have in common stands in the class: a document has millions of them. */
class Leaf implements JsonNode {
  readonly kind: 'string' | 'scalar'
  readonly start: number
  readonly end: number

  constructor(kind: 'string' | 'scalar', start: number, end: number) {
    this.kind = kind
    this.start = start
    this.end = end
  }

  get keys(): readonly string[] {
    return NO_KEYS
  }

  get items(): readonly JsonNode[] {
    return NO_NODES
  }

  get cut(): boolean {
    return false
  }
}

const partial = (text: string, start: number): JsonNode => ({
  kind: 'partial',
  start,
  end: text.length,
  keys: NO_KEYS,
  items: NO_NODES,
  cut: true,
})

/** No closures in it: a document has millions of containers. */
function readContainer(text: string, start: number, depth: number, isObject: boolean, like: JsonNode | null): JsonNode {
  const shared = isObject && like !== null ? like.keys : NO_KEYS
  // Null as long as the keys are those of the value before.
  let own: string[] | null = null
  const items: JsonNode[] = []
  const close = isObject ? CLOSE_OBJECT : CLOSE_ARRAY
  let cut = false
  let at = skipSpace(text, start + 1)
  let more = text.charCodeAt(at) !== close
  while (more) {
    cut = at >= text.length
    if (cut) break
    if (isObject) {
      if (text.charCodeAt(at) !== QUOTE) throw new NotJson()
      const known: string | undefined = own === null ? shared[items.length] : undefined
      const same: boolean = known !== undefined && text.startsWith(known, at)
      const end: number = known !== undefined && same ? at + known.length : endOfString(text, at)
      const colon = end < 0 ? text.length : skipSpace(text, end)
      cut = colon >= text.length
      if (!cut && text.charCodeAt(colon) !== COLON) throw new NotJson()
      if (!same || cut) {
        own ??= shared.slice(0, items.length)
        own.push(cut ? '' : text.slice(at, end))
      }
      if (cut) {
        items.push(partial(text, at))
        break
      }
      at = skipSpace(text, colon + 1)
    }
    const before = items.at(-1)
    const item = readValue(
      text,
      at,
      depth + 1,
      before && before.kind === 'object' ? before : (like?.items[items.length] ?? null),
    )
    items.push(item)
    at = item.cut ? text.length : skipSpace(text, item.end)
    cut = at >= text.length
    more = !cut && text.charCodeAt(at) !== close
    if (more) {
      if (text.charCodeAt(at) !== COMMA) throw new NotJson()
      at = skipSpace(text, at + 1)
    }
  }
  return {
    kind: isObject ? 'object' : 'array',
    start,
    end: cut ? text.length : at + 1,
    keys: isObject ? (own ?? (items.length === shared.length ? shared : shared.slice(0, items.length))) : NO_KEYS,
    // A copy has no room to grow.
    items: items.length === 0 ? NO_NODES : items.slice(),
    cut,
  }
}

/** The index after the string that opens at `from`; -1 where it does not end. A raw line feed is no JSON. */
function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit === 0x5c) at += 1
    else if (unit === 0x22) return at + 1
    else if (unit === 0x0a) throw new NotJson()
  }
  return -1
}
