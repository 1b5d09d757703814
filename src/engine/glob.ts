/** Longest pattern taken. */
export const MAX_GLOB_LENGTH = 200
/** Patterns with `*` or `?` that one list may hold: each costs a look at every text; names alone cost nothing. */
export const MAX_GLOBS = 100
/** Units that a stretch with `?` between two `*` may have in a policy: one machine word of bits. */
export const MAX_WILD_STRETCH = 32
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

/** Whether each stretch with `?` between two `*` is short enough to be looked for in one pass. */
export function isCheapGlob(pattern: string): boolean {
  const between = pattern.split('*').slice(1, -1)
  return between.every((stretch) => stretch.length <= MAX_WILD_STRETCH || !stretch.includes('?'))
}

/**
 * Whether a text as a whole matches a glob in which `*` is any run of characters (also none) and `?` any one UTF-16 unit;
 * everything else stands for itself, case included. Linear in the text for every cheap pattern: each stretch between two
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
 * ends in the stretch up to there, so that no unit is read twice. What is longer than a word of bits is compared behind it.
 */
function createSearch(stretch: string): Search {
  if (!stretch.includes('?')) return (text, from) => text.indexOf(stretch, from)
  const start = stretch.slice(0, MAX_WILD_STRETCH)
  const rest = stretch.slice(MAX_WILD_STRETCH)
  const { masks, rare, any } = masksOf(start)
  const whole = 1 << (start.length - 1)
  return (text, from, end) => {
    let state = 0
    for (let at = from; at < end; at += 1) {
      const unit = text.charCodeAt(at)
      state = ((state << 1) | 1) & (masks[unit] ?? rare.get(unit) ?? any)
      if ((state & whole) !== 0 && standsAt(rest, text, at + 1)) return at + 1 - start.length
    }
    return -1
  }
}

/** The places at which a unit may stand, as bits: of the first 256 units in an array, of others that are named, of all else. */
function masksOf(stretch: string) {
  let any = 0
  const named = new Map<number, number>()
  for (let at = 0; at < stretch.length; at += 1) {
    const unit = stretch.charCodeAt(at)
    if (unit === 0x3f) any |= 1 << at
    else named.set(unit, (named.get(unit) ?? 0) | (1 << at))
  }
  const rare = new Map(Array.from(named, ([unit, bits]) => [unit, bits | any]))
  const masks = Int32Array.from({ length: 256 }, (_, unit) => rare.get(unit) ?? any)
  return { masks, rare, any }
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
