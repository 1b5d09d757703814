/**
 * Reads and edits JSON as text. A history goes back with every byte outside the replaced values as it came in, which
 * parsing and serialising can't give (numbers beyond 2^53, `1.0`, escapes, white space, duplicate keys). The scanner is
 * linear and keeps its own stack, so that deep nesting can't overflow the call stack. It takes JSON that `JSON.parse`
 * has accepted; for any other text the spans mean nothing.
 */

/** Where a value stands in the text: from `start` up to, not including, `end`. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A direct member of an object (its key, unescaped) or of an array (its index, as a string). */
export interface Member extends Span {
  readonly key: string
}

/** A value to be replaced by a string or an object, or an array element to be taken out. Pointers are RFC 6901. */
export type JsonEdit =
  | { readonly pointer: string; readonly value: string | Readonly<Record<string, unknown>> }
  | { readonly pointer: string; readonly remove: true }

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** A place that is looked for. `visit` counts how often a value began here: of duplicate keys the last one counts. */
interface Place {
  readonly children: Map<string, Place>
  readonly parent: Place | null
  visit: number
  parentVisit: number
  start: number
  end: number
}

interface Frame {
  readonly array: boolean
  readonly place: Place | null
  index: number
}

function newPlace(parent: Place | null): Place {
  return { children: new Map(), parent, visit: 0, parentVisit: 0, start: -1, end: -1 }
}

/** Splits an RFC 6901 pointer into unescaped keys; the empty pointer is the whole document. */
export function pointerKeys(pointer: string): string[] {
  if (pointer === '') return []
  return pointer
    .slice(1)
    .split('/')
    .map((key) => (key.includes('~') ? key.replaceAll('~1', '/').replaceAll('~0', '~') : key))
}

/** Escapes one key for use in an RFC 6901 pointer. */
export function pointerKey(key: string): string {
  return key.includes('~') || key.includes('/') ? key.replaceAll('~', '~0').replaceAll('/', '~1') : key
}

function isSpace(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09
}

function skipSpace(json: string, from: number): number {
  let at = from
  while (at < json.length && isSpace(json.charCodeAt(at))) at += 1
  return at
}

/** The index after the string that opens at `from`: the first quote with an even number of backslashes before it. */
function skipString(json: string, from: number): number {
  for (let at = json.indexOf('"', from + 1); at >= 0; at = json.indexOf('"', at + 1)) {
    let before = at - 1
    while (before > from && json.charCodeAt(before) === BACKSLASH) before -= 1
    if ((at - before) % 2 === 1) return at + 1
  }
  return json.length
}

/** The index after the number or word (true, false, null) that starts at `from`. */
function skipScalar(json: string, from: number): number {
  let at = from
  while (at < json.length) {
    const unit = json.charCodeAt(at)
    if (unit === COMMA || unit === CLOSE_ARRAY || unit === CLOSE_OBJECT || isSpace(unit)) break
    at += 1
  }
  return at
}

/** The index after the value that starts at `from`. */
function skipValue(json: string, from: number): number {
  const first = json.charCodeAt(from)
  if (first === QUOTE) return skipString(json, from)
  if (first !== OPEN_ARRAY && first !== OPEN_OBJECT) return skipScalar(json, from)
  let depth = 0
  let at = from
  while (at < json.length) {
    const unit = json.charCodeAt(at)
    if (unit === QUOTE) {
      at = skipString(json, at)
      continue
    }
    at += 1
    if (unit === OPEN_ARRAY || unit === OPEN_OBJECT) depth += 1
    else if (unit === CLOSE_ARRAY || unit === CLOSE_OBJECT) {
      depth -= 1
      if (depth === 0) return at
    }
  }
  return at
}

function readKey(json: string, start: number, end: number): string {
  const raw = json.slice(start + 1, end - 1)
  if (!raw.includes('\\')) return raw
  const key: unknown = JSON.parse(json.slice(start, end))
  return typeof key === 'string' ? key : raw
}

/** The spans of the direct members of the object or array that `json` is; none for any other value. Duplicates included. */
export function members(json: string): readonly Member[] {
  const found: Member[] = []
  let at = skipSpace(json, 0)
  const first = json.charCodeAt(at)
  if (first !== OPEN_ARRAY && first !== OPEN_OBJECT) return found
  const array = first === OPEN_ARRAY
  at = skipSpace(json, at + 1)
  while (at < json.length && json.charCodeAt(at) !== CLOSE_ARRAY && json.charCodeAt(at) !== CLOSE_OBJECT) {
    let key = String(found.length)
    if (!array) {
      const end = skipString(json, at)
      key = readKey(json, at, end)
      at = skipSpace(json, skipSpace(json, end) + 1)
    }
    const end = skipValue(json, at)
    found.push({ key, start: at, end })
    at = skipSpace(json, end)
    if (json.charCodeAt(at) === COMMA) at = skipSpace(json, at + 1)
  }
  return found
}

function plant(root: Place, pointer: string): Place {
  let place = root
  for (const key of pointerKeys(pointer)) {
    let next = place.children.get(key)
    if (!next) {
      next = newPlace(place)
      place.children.set(key, next)
    }
    place = next
  }
  return place
}

/** Whether the value found here is part of the value that counts at every level above. */
function isCurrent(place: Place): boolean {
  for (let at = place; at.parent; at = at.parent) if (at.visit === 0 || at.parentVisit !== at.parent.visit) return false
  return true
}

/**
 * The span of each pointer's value, in one pass over the text; null where there is no such value. Of duplicate keys the
 * last one counts, as in `JSON.parse`.
 */
export function locate(json: string, pointers: readonly string[]): readonly (Span | null)[] {
  const root = newPlace(null)
  const places = pointers.map((pointer) => plant(root, pointer))
  walk(json, root)
  return places.map((place) => (place.end >= 0 && isCurrent(place) ? { start: place.start, end: place.end } : null))
}

/** Walks the text and notes the spans of the places under `root`; values that hold no place are skipped whole. */
function walk(json: string, root: Place): void {
  const stack: Frame[] = []
  let at = skipSpace(json, 0)
  let place: Place | null = root
  for (;;) {
    // A value begins at `at`.
    const unit = json.charCodeAt(at)
    if (place) enter(place, at)
    if (place && place.children.size > 0 && (unit === OPEN_ARRAY || unit === OPEN_OBJECT)) {
      const frame: Frame = { array: unit === OPEN_ARRAY, place, index: -1 }
      stack.push(frame)
      at = skipSpace(json, at + 1)
    } else {
      at = skipValue(json, at)
      if (place) place.end = at
      at = skipSpace(json, at)
    }
    // After an opening bracket or a value: close what closes, then go to the next member.
    let frame = stack.at(-1)
    while (frame && at < json.length) {
      const next = json.charCodeAt(at)
      if (next === COMMA) {
        at = skipSpace(json, at + 1)
        break
      }
      if (next !== CLOSE_ARRAY && next !== CLOSE_OBJECT) break
      at += 1
      if (frame.place) frame.place.end = at
      stack.pop()
      at = skipSpace(json, at)
      frame = stack.at(-1)
    }
    if (!frame || at >= json.length) return
    frame.index += 1
    let key = ''
    if (frame.array) key = String(frame.index)
    else {
      const end = skipString(json, at)
      key = readKey(json, at, end)
      at = skipSpace(json, end)
      if (json.charCodeAt(at) === COLON) at = skipSpace(json, at + 1)
    }
    place = frame.place?.children.get(key) ?? null
  }
}

function enter(place: Place, start: number): void {
  place.visit += 1
  place.parentVisit = place.parent?.visit ?? 0
  place.start = start
  place.end = -1
}

/** The value at an RFC 6901 pointer in parsed JSON; undefined where there is none. */
export function valueAt(value: unknown, pointer: string): unknown {
  let here = value
  for (const key of pointerKeys(pointer)) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, key)) return undefined
    here = Object.getOwnPropertyDescriptor(here, key)?.value
  }
  return here
}

/** The exact text of the value at each pointer; null where there is none. */
export function slices(json: string, pointers: readonly string[]): readonly (string | null)[] {
  return locate(json, pointers).map((span) => (span ? json.slice(span.start, span.end) : null))
}

/**
 * Replaces the values at the edits' pointers, and takes out the array elements to be removed; every
 * other byte stays. Edits whose pointer leads nowhere, or into a value that another edit replaces, change nothing.
 */
export function spliceJson(json: string, edits: readonly JsonEdit[]): string {
  if (edits.length === 0) return json
  const spans = locate(
    json,
    edits.map((edit) => edit.pointer),
  )
  const cuts: { start: number; end: number; text: string }[] = []
  edits.forEach((edit, i) => {
    const span = spans[i]
    if (!span) return
    if ('remove' in edit) cuts.push({ start: span.start, end: span.end, text: REMOVED })
    else cuts.push({ start: span.start, end: span.end, text: JSON.stringify(edit.value) })
  })
  cuts.sort((a, b) => a.start - b.start || b.end - a.end)
  const pieces: string[] = []
  let from = 0
  for (const cut of cuts) {
    if (cut.start < from) continue
    if (cut.text !== REMOVED) {
      pieces.push(json.slice(from, cut.start), cut.text)
      from = cut.end
      continue
    }
    const gap = withComma(json, cut, from)
    pieces.push(json.slice(from, gap.start))
    from = gap.end
  }
  pieces.push(json.slice(from))
  return pieces.join('')
}

const REMOVED = ''

/**
 * Widens an array element's span by one comma: the one before it, or, for a first element and where that comma is gone
 * with the element before, the one after it.
 */
function withComma(json: string, span: Span, from: number): Span {
  let before = span.start - 1
  while (before >= from && isSpace(json.charCodeAt(before))) before -= 1
  if (before >= from && json.charCodeAt(before) === COMMA) return { start: before, end: span.end }
  const after = skipSpace(json, span.end)
  return { start: span.start, end: json.charCodeAt(after) === COMMA ? skipSpace(json, after + 1) : span.end }
}
