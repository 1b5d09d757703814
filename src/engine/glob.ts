/** Longest pattern taken. */
export const MAX_GLOB_LENGTH = 200
/** Patterns with `*` or `?` that one list may hold: each costs a look at every text; names alone cost nothing. */
export const MAX_GLOBS = 100
/** A text longer than two such parts is matched by its first and its last part. */
const END_UNITS = 1024
/** Stands for what is left out between the two; no pattern that is written down has it. */
const LEFT_OUT = '\uffff'

type Matches = (text: string) => boolean
/** Where a stretch first stands in `text` from `from` on, before `end`; negative where it does not. */
type Search = (text: string, from: number, end: number) => number

export function isGlob(pattern: string): boolean {
  return /[*?]/.test(pattern)
}

/**
 * Whether a text as a whole matches a glob in which `*` is any run of characters (also none) and `?` any one UTF-16 unit;
 * everything else stands for itself, case included. Linear in the text, whatever the pattern: each stretch between two
 * `*` is looked for once, from where the one before it ended.
 */
export function compileGlob(pattern: string): Matches {
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop()
  if (last === undefined) return (text) => first.length === text.length && standsAt(first, text, 0)
  const stretches = rest.filter((stretch) => stretch !== '')
  const searches = stretches.map((stretch) => ({ search: createSearch(stretch), length: stretch.length }))
  return (text) => {
    const end = text.length - last.length
    if (first.length > end || !standsAt(first, text, 0) || !standsAt(last, text, end)) return false
    let from = first.length
    for (const { search, length } of searches) {
      const at = search(text, from, end)
      if (at < 0 || at + length > end) return false
      from = at + length
    }
    return true
  }
}

function standsAt(stretch: string, text: string, at: number): boolean {
  for (let i = 0; i < stretch.length; i += 1) {
    if (stretch[i] !== '?' && stretch[i] !== text[at + i]) return false
  }
  return true
}

/**
 * With `?` by Shift-And (Baeza-Yates and Gonnet, 1992): a bit for each unit of the stretch says whether the text so far
 * ends in the stretch up to there, so that no unit is read twice.
 */
function createSearch(stretch: string): Search {
  if (!stretch.includes('?')) return (text, from) => text.indexOf(stretch, from)
  const { masks, any, words } = masksOf(stretch)
  const whole = 1 << ((stretch.length - 1) & 31)
  return (text, from, end) => {
    const state = new Int32Array(words)
    for (let at = from; at < end; at += 1) {
      const mask = masks.get(text[at] ?? '') ?? any
      let carry = 1
      for (let w = 0; w < words; w += 1) {
        const bits = state[w] ?? 0
        state[w] = ((bits << 1) | carry) & (mask[w] ?? 0)
        carry = bits >>> 31
      }
      if (((state[words - 1] ?? 0) & whole) !== 0) return at + 1 - stretch.length
    }
    return -1
  }
}

/** The places of a stretch, as bits, at which a unit may stand: by unit, and for a unit that it does not name. */
function masksOf(stretch: string) {
  const words = Math.ceil(stretch.length / 32)
  const any = new Int32Array(words)
  const units = stretch.split('')
  const allow = (mask: Int32Array, at: number) => {
    mask[at >> 5] = (mask[at >> 5] ?? 0) | (1 << (at & 31))
  }
  for (const [at, unit] of units.entries()) if (unit === '?') allow(any, at)
  const masks = new Map<string, Int32Array>()
  for (const [at, unit] of units.entries()) {
    const mask = masks.get(unit) ?? any.slice()
    allow(mask, at)
    masks.set(unit, mask)
  }
  return { masks, any, words }
}

/**
 * Whether one of the patterns matches, for texts of any length that come again and again (a history has few distinct
 * tools): each distinct text is matched once, a long one by its first and last 1,024 units.
 */
export function createMatcher(patterns: readonly string[]): Matches {
  const exact = new Set(patterns.filter((pattern) => !isGlob(pattern)))
  const globs = patterns.filter(isGlob).map(compileGlob)
  const known = new Map<string, boolean>()
  return (text) => {
    let matches = known.get(text)
    if (matches === undefined) {
      const ends = endsOf(text)
      matches = exact.has(text) || globs.some((glob) => glob(ends))
      known.set(text, matches)
    }
    return matches
  }
}

function endsOf(text: string): string {
  if (text.length <= 2 * END_UNITS) return text
  return `${text.slice(0, END_UNITS)}${LEFT_OUT}${text.slice(-END_UNITS)}`
}
