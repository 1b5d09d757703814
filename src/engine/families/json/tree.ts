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

class NotJson extends Error {}

/**
 * Reads one value at `from`. A text that ends too early is read as far as it goes (`cut`).
 * @returns null where the text is no JSON
 */
export function readJson(text: string, from: number): JsonNode | null {
  try {
    return readValue(text, skipSpace(text, from), 0, null)
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
    return end < 0 ? partial(text, at) : leaf('string', at, end)
  }
  for (const pattern of [NUMBER, WORD]) {
    pattern.lastIndex = at
    if (!pattern.test(text)) continue
    const end = pattern.lastIndex
    // A number at the very end may go on where the text was cut.
    return end === text.length && depth > 0 ? partial(text, at) : leaf('scalar', at, end)
  }
  if (text.length - at < 6 && /^(?:-|t|tr|tru|f|fa|fal|fals|n|nu|nul)$/.test(text.slice(at))) return partial(text, at)
  throw new NotJson()
}

const leaf = (kind: 'string' | 'scalar', start: number, end: number): JsonNode => ({
  kind,
  start,
  end,
  keys: NO_KEYS,
  items: NO_NODES,
  cut: false,
})

const partial = (text: string, start: number): JsonNode => ({
  kind: 'partial',
  start,
  end: text.length,
  keys: NO_KEYS,
  items: NO_NODES,
  cut: true,
})

function readContainer(text: string, start: number, depth: number, isObject: boolean, like: JsonNode | null): JsonNode {
  const shared = isObject && like !== null ? like.keys : NO_KEYS
  // Null as long as the keys are those of the value before.
  let own: string[] | null = null
  const items: JsonNode[] = []
  const keysUpTo = (count: number): string[] => {
    own ??= shared.slice(0, count)
    return own
  }
  const close = isObject ? '}' : ']'
  const done = (end: number, cut: boolean): JsonNode => ({
    kind: isObject ? 'object' : 'array',
    start,
    end,
    keys: isObject ? (own ?? (items.length === shared.length ? shared : shared.slice(0, items.length))) : NO_KEYS,
    // A copy has no room to grow.
    items: items.length === 0 ? NO_NODES : items.slice(),
    cut,
  })
  let at = skipSpace(text, start + 1)
  if (text[at] === close) return done(at + 1, false)
  for (;;) {
    if (at >= text.length) return done(text.length, true)
    if (isObject) {
      if (text[at] !== '"') throw new NotJson()
      const known: string | undefined = own === null ? shared[items.length] : undefined
      const same: boolean = known !== undefined && text.startsWith(known, at)
      const end: number = known !== undefined && same ? at + known.length : endOfString(text, at)
      const colon = end < 0 ? text.length : skipSpace(text, end)
      if (colon >= text.length) {
        keysUpTo(items.length).push('')
        items.push(partial(text, at))
        return done(text.length, true)
      }
      if (text[colon] !== ':') throw new NotJson()
      if (!same) keysUpTo(items.length).push(text.slice(at, end))
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
    if (item.cut) return done(text.length, true)
    at = skipSpace(text, item.end)
    if (text[at] === close) return done(at + 1, false)
    if (at >= text.length) return done(text.length, true)
    if (text[at] !== ',') throw new NotJson()
    at = skipSpace(text, at + 1)
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
