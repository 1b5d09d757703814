import { isHighSurrogate, isLowSurrogate } from './lines.ts'
import { type Automaton, buildAutomaton, CONTROL } from './token-automaton.ts'
import { BOX, binOf, binOfOther, CLASS, COLUMN_OF, isLetterBin, LATIN, WEIGHTS } from './token-bins.ts'

const THOUSAND = 1000
const LETTER_RUN = binOf('letterRun')
const BOX_REPEATED = binOf('boxRepeated')

const scan = createScanner(buildAutomaton(WEIGHTS), WEIGHTS)

/** |estimateTokens(a + b) - estimateTokens(a) - estimateTokens(b)| is never more than this. */
export const JOIN_BOUND = 8

/**
 * Estimated number of tokens of o200k_base, synchronously, in one pass without allocation: 0 for the empty text, else a
 * whole number of at least 1. The text falls into the pieces that the tokenizer's own pattern would cut, and each costs
 * what pieces of its kind and length cost on average (weights: test/bench/estimator/fit.ts). A lower-case word's cost
 * depends on its length and on what stands before it alone.
 *
 * Joining two texts changes the sum of their estimates by at most JOIN_BOUND: only the pieces at the seam change.
 */
export function estimateTokens(text: string): number {
  return measureText(text).tokens
}

/** What one pass over a text tells. */
export interface Scan {
  /** In thousandths of a token. */
  readonly cost: number
  /** Characters that a terminal acts on: C0 controls but tab and LF, and DEL. */
  readonly controls: number
  /** Whether there are halves of surrogate pairs, together or alone. */
  readonly surrogates: boolean
}

/** What is known of a text when its tokens are estimated. */
export interface Measured {
  /** As `estimateTokens` gives it. */
  readonly tokens: number
  /** Whether the text holds a control that a terminal acts on. */
  readonly controls: boolean
  readonly surrogates: boolean
}

export function measureText(text: string): Measured {
  const { cost, controls, surrogates } = scan(text)
  return { tokens: text === '' ? 0 : Math.max(1, Math.round(cost / THOUSAND)), controls: controls > 0, surrogates }
}

/**
 * A text is read in parts of so many units: a short loop that is called often is soon compiled in full, a long one may run
 * several times slower to its end. In a part no cost adds up to half of CONTROL.
 */
const PART = 4096

/**
 * A function that scans a text; linear in the weights. Three look-ups a character and no branch on what it is; four
 * characters at a time, which measured a tenth faster.
 */
export function createScanner(automaton: Automaton, weights: Float64Array): (text: string) => Scan {
  const { next, cost, start, afterSymbol, afterLetter, afterLatin } = automaton

  function costOfOther(row: number, unit: number, previous: number): number {
    const bin = binOfOther(unit)
    if (!isLetterBin(bin)) return weights[bin === BOX && unit === previous ? BOX_REPEATED : bin] ?? 0
    const begins = row !== afterLetter && row !== afterLatin
    return (weights[bin] ?? 0) + (begins ? (weights[LETTER_RUN] ?? 0) : 0)
  }
  function rowAfterOther(unit: number): number {
    const bin = binOfOther(unit)
    if (!isLetterBin(bin)) return afterSymbol
    return bin === LATIN ? afterLatin : afterLetter
  }

  /** Adds what the part costs to `sums`, from its row on. */
  function scanPart(text: string, from: number, end: number, sums: Sums): void {
    let total = 0
    let row = sums.row
    let i = from
    while (i < end) {
      for (; i + 3 < end; i += 4) {
        const a = text.charCodeAt(i)
        const b = text.charCodeAt(i + 1)
        const c = text.charCodeAt(i + 2)
        const d = text.charCodeAt(i + 3)
        if ((a | b | c | d) >= 0x80) break
        const cellA = row + (COLUMN_OF[a] ?? 0)
        const cellB = (next[cellA] ?? 0) + (COLUMN_OF[b] ?? 0)
        const cellC = (next[cellB] ?? 0) + (COLUMN_OF[c] ?? 0)
        const cellD = (next[cellC] ?? 0) + (COLUMN_OF[d] ?? 0)
        total += (cost[cellA] ?? 0) + (cost[cellB] ?? 0) + (cost[cellC] ?? 0) + (cost[cellD] ?? 0)
        row = next[cellD] ?? 0
      }
      if (i === end) break
      const unit = text.charCodeAt(i)
      const cell = row + (COLUMN_OF[unit] ?? CLASS.other)
      // The second half of a surrogate pair is free: the first one has paid.
      if (unit < 0x80) {
        total += cost[cell] ?? 0
        row = next[cell] ?? 0
      } else if (!isLowSurrogate(unit)) {
        sums.surrogates ||= isHighSurrogate(unit)
        total += (cost[cell] ?? 0) + costOfOther(row, unit, text.charCodeAt(i - 1))
        row = rowAfterOther(unit)
      } else sums.surrogates = true
      i += 1
    }
    const controls = Math.round(total / CONTROL)
    sums.cost += total - controls * CONTROL
    sums.controls += controls
    sums.row = row
  }

  return function scan(text) {
    const sums = { cost: 0, controls: 0, surrogates: false, row: start }
    for (let from = 0; from < text.length; from += PART) scanPart(text, from, Math.min(text.length, from + PART), sums)
    return sums
  }
}

interface Sums {
  cost: number
  controls: number
  surrogates: boolean
  /** Where the automaton stands. */
  row: number
}
