import { isLowSurrogate } from './lines.ts'
import { type Automaton, buildAutomaton } from './token-automaton.ts'
import { BOX, binOf, binOfOther, CLASS, CLASS_OF, isLetterBin, LATIN, WEIGHTS } from './token-bins.ts'

const THOUSAND = 1000
const LETTER_RUN = binOf('letterRun')
const BOX_REPEATED = binOf('boxRepeated')

const scanCost = createScanner(buildAutomaton(WEIGHTS), WEIGHTS)

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
  if (text === '') return 0
  return Math.max(1, Math.round(scanCost(text) / THOUSAND))
}

/**
 * A function that gives a text's cost in thousandths of a token; linear in the weights. Two look-ups a character and no
 * branch on what it is, two characters at a time: 20 times as fast as matching words by patterns.
 */
export function createScanner(automaton: Automaton, weights: Float64Array): (text: string) => number {
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

  return function scan(text) {
    const end = text.length
    let total = 0
    let row = start
    let i = 0
    while (i < end) {
      for (; i + 1 < end; i += 2) {
        const unit = text.charCodeAt(i)
        const second = text.charCodeAt(i + 1)
        if ((unit | second) >= 0x80) break
        const cell = row + (CLASS_OF[unit] ?? 0)
        const secondCell = (next[cell] ?? 0) + (CLASS_OF[second] ?? 0)
        total += (cost[cell] ?? 0) + (cost[secondCell] ?? 0)
        row = next[secondCell] ?? 0
      }
      if (i === end) break
      const unit = text.charCodeAt(i)
      const cell = row + (CLASS_OF[unit] ?? CLASS.other)
      // The second half of a surrogate pair is free: the first one has paid.
      if (unit < 0x80) {
        total += cost[cell] ?? 0
        row = next[cell] ?? 0
      } else if (!isLowSurrogate(unit)) {
        total += (cost[cell] ?? 0) + costOfOther(row, unit, text.charCodeAt(i - 1))
        row = rowAfterOther(unit)
      }
      i += 1
    }
    return total
  }
}
