/** The values in one place of like lines: how often each comes. */
export interface Tally {
  readonly distinct: number
  /** @param code what `codeOf` gives for the value that stands in `line` from `from` up to `to` (exclusive) */
  add(code: number, line: string, from: number, to: number): void
  /** Few values are listed, many by their ends and number. */
  summarise(most: number): string
}

/** So many of the first values are remembered as text. */
const LISTED = 12
const HEAD = 3

const ZERO = 0x30
const NINE = 0x39
/** Digits and ends of their runs, as one number: more of them would not be exact. */
const BASE = 11
const RUN_END = 10
const MOST_SIGNS = 14

/**
 * The digits of a value as a number: it tells values apart that differ in their digits alone. 0 for a value that has too
 * many.
 */
export function codeOf(text: string, from: number, to: number): number {
  let code = 1
  let signs = 0
  let inRun = false
  for (let i = from; i < to; i += 1) {
    const unit = text.charCodeAt(i)
    const isDigit = unit >= ZERO && unit <= NINE
    if (!isDigit && !inRun) continue
    code = code * BASE + (isDigit ? unit - ZERO : RUN_END)
    signs += 1
    inRun = isDigit
  }
  return signs > MOST_SIGNS ? 0 : code
}

export function createTally(): Tally {
  const places = new Map<number | string, number>()
  const counts: number[] = []
  const firsts: string[] = []
  // The value that was new last, cut out of its line only when it is asked for.
  let lastLine = ''
  let lastFrom = 0
  let lastTo = 0

  const times = (value: string, at: number): string => ((counts[at] ?? 0) > 1 ? `${value} ×${counts[at]}` : value)
  return {
    get distinct() {
      return counts.length
    },
    add(code, line, from, to) {
      const key = code === 0 ? line.slice(from, to) : code
      const at = places.get(key)
      if (at !== undefined) {
        counts[at] = (counts[at] ?? 0) + 1
        return
      }
      places.set(key, counts.length)
      counts.push(1)
      if (firsts.length < LISTED) firsts.push(line.slice(from, to))
      lastLine = line
      lastFrom = from
      lastTo = to
    },
    summarise(most) {
      if (counts.length <= Math.min(most, LISTED)) return firsts.map(times).join(' ')
      const last = times(lastLine.slice(lastFrom, lastTo), counts.length - 1)
      return `${counts.length} different, ${firsts.slice(0, HEAD).map(times).join(' ')} … ${last}`
    },
  }
}
