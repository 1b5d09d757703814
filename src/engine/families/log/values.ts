/** So many of the first values are remembered as text. */
const LISTED = 12
const HEAD = 3

const ZERO = 0x30
const NINE = 0x39
/** Digits and ends of their runs, as one number: more of them would not be exact. */
export const BASE = 11
export const RUN_END = 10
export const MOST_SIGNS = 14

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

/** A table by code has at most so many entries for each different value. */
const ENTRIES_A_VALUE = 32
/** Beyond so many different values the others are not told apart: their number says nothing more. */
const MOST_DISTINCT = 10_000

/** The values in one place of like lines: how often each comes. */
export class Tally {
  private readonly counts: number[] = []
  // The place of each value in the list of counts, one more than it: small codes by index, others by look-up.
  private small = new Int32Array(16)
  private readonly large = new Map<number, number>()
  private readonly named = new Map<string, number>()
  private readonly firsts: string[] = []
  /** Whether there are values that were not counted. */
  private uncounted = false
  // The value that was new last, cut out of its line only when it is asked for.
  private lastLine = ''
  private lastFrom = 0
  private lastTo = 0

  get distinct(): number {
    return this.counts.length
  }

  /** @param code what `codeOf` gives for the value that stands in `line` from `from` up to `to` (exclusive) */
  add(code: number, line: string, from: number, to: number): void {
    const place = (code < this.small.length ? this.small[code] : 0) || this.find(code, line, from, to)
    if (place > 0) this.counts[place - 1] = (this.counts[place - 1] ?? 0) + 1
    else this.addNew(code, line, from, to)
  }

  private find(code: number, line: string, from: number, to: number): number {
    return (code === 0 ? this.named.get(line.slice(from, to)) : this.large.get(code)) ?? 0
  }

  private addNew(code: number, line: string, from: number, to: number): void {
    this.lastLine = line
    this.lastFrom = from
    this.lastTo = to
    if (this.counts.length === MOST_DISTINCT) {
      this.uncounted = true
      return
    }
    const place = this.counts.push(1)
    if (code === 0) this.named.set(line.slice(from, to), place)
    else {
      if (code >= this.small.length) this.enlarge(code)
      if (code < this.small.length) this.small[code] = place
      else this.large.set(code, place)
    }
    if (this.firsts.length < LISTED) this.firsts.push(line.slice(from, to))
  }

  private enlarge(code: number): void {
    let size = this.small.length
    while (size <= code) size *= 2
    if (size > this.counts.length * ENTRIES_A_VALUE) return
    const larger = new Int32Array(size)
    larger.set(this.small)
    this.small = larger
  }

  /** Few values are listed, many by their ends and number. */
  summarise(most: number): string {
    const { counts, firsts } = this
    const times = (value: string, at: number): string => ((counts[at] ?? 0) > 1 ? `${value} ×${counts[at]}` : value)
    if (counts.length <= Math.min(most, LISTED)) return firsts.map(times).join(' ')
    const value = this.lastLine.slice(this.lastFrom, this.lastTo)
    const last = this.uncounted ? value : times(value, counts.length - 1)
    const number = this.uncounted ? `over ${MOST_DISTINCT}` : `${counts.length}`
    return `${number} different, ${firsts.slice(0, HEAD).map(times).join(' ')} … ${last}`
  }
}
