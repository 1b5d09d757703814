import { isLowSurrogate } from './lines.ts'
import {
  BLANK,
  BOX,
  binOf,
  binOfOther,
  CLASS_OF,
  DIGIT,
  FIRST_MARKS,
  FIRST_TAIL,
  isLetterBin,
  LATIN,
  LINE_END,
  LOWER,
  MARK,
  OTHER,
  SPACE,
  UPPER,
  WEIGHTS,
} from './token-bins.ts'
import { TABLE } from './token-weights.ts'

const THOUSAND = 1000

/**
 * Estimated number of tokens of o200k_base, synchronously, in one pass without allocation: 0 for the empty text, else a
 * whole number of at least 1. The text falls into the pieces that the tokenizer's own pattern would cut (words with the
 * space before them, groups of three digits, runs of punctuation, line ends, blanks), and each costs what pieces of its
 * kind and length cost on average. A lower-case word's cost depends on its length and on what stands before it alone.
 *
 * Joining two texts changes the sum of their estimates by at most JOIN_BOUND, since only the pieces at the seam change.
 */
export function estimateTokens(text: string): number {
  if (text === '') return 0
  return Math.max(1, Math.round(scanPieces(text, WEIGHTS) / THOUSAND))
}

/** |estimateTokens(a + b) - estimateTokens(a) - estimateTokens(b)| is never more than this. */
export const JOIN_BOUND = 8

const DIGITS = binOf('digits')
const LOWER_SLOPE = binOf('lowerSlope')
const UPPER_SLOPE = binOf('upperSlope')
const MARKS_SLOPE = binOf('marksSlope')
const MARK_REPEATED = binOf('markRepeated')
const MARK_REPEATED_MORE = binOf('markRepeatedMore')
const CONTROL = binOf('control')
const MARK_AFTER_SPACE = binOf('markAfterSpace')
const MARK_LINE_END = binOf('markLineEnd')
const LINE_END_BIN = binOf('lineEnd')
const BLANKS = binOf('blanks')
const BLANK_REPEATED = binOf('blankRepeated')
const LETTER_RUN = binOf('letterRun')
const BOX_REPEATED = binOf('boxRepeated')

/** What stands before a piece and is taken into it. */
const AFTER_SPACE = 0
const AFTER_MARK = 1
const ALONE = 2
const WITHIN_WORD = 3
/** Tables of words come in threes, one a context: lower case, capital first, capitals only. */
const FIRST_CAPITAL = 3
const FIRST_UPPER = 6
/** Repeated punctuation beyond this costs less: it is what lines are drawn of. */
const REPEATED = 16

/** Cost of a piece of `length` units whose table starts at `first`: beyond the table, the slope for each further one. */
function tabled(weights: Float64Array, first: number, length: number, slope: number): number {
  if (length <= TABLE) return weights[first + length - 1] ?? 0
  return (weights[first + TABLE - 1] ?? 0) + (length - TABLE) * (weights[slope] ?? 0)
}

/** The sum of the pieces' weights: linear in the weights, so that a fit can ask for one at a time. */
export function scanPieces(text: string, weights: Float64Array): number {
  const end = text.length
  let total = 0
  let i = 0
  let before = ALONE
  while (i < end) {
    const unit = text.charCodeAt(i)
    const kind = CLASS_OF[unit]
    const start = i
    i += 1
    if (kind === LOWER) {
      while (i < end && CLASS_OF[text.charCodeAt(i)] === LOWER) i += 1
      total += tabled(weights, before === WITHIN_WORD ? FIRST_TAIL : before * TABLE, i - start, LOWER_SLOPE)
      before = ALONE
    } else if (kind === UPPER) {
      while (i < end && CLASS_OF[text.charCodeAt(i)] === UPPER) i += 1
      if (before === WITHIN_WORD) before = ALONE
      const capitals = i - start
      while (i < end && CLASS_OF[text.charCodeAt(i)] === LOWER) i += 1
      const length = i - start
      if (capitals === length) total += tabled(weights, (FIRST_UPPER + before) * TABLE, length, UPPER_SLOPE)
      else if (capitals === 1) total += tabled(weights, (FIRST_CAPITAL + before) * TABLE, length, LOWER_SLOPE)
      else {
        total += tabled(weights, (FIRST_UPPER + before) * TABLE, capitals, UPPER_SLOPE)
        total += tabled(weights, FIRST_TAIL, length - capitals, LOWER_SLOPE)
      }
      before = ALONE
    } else if (kind === SPACE || kind === BLANK || kind === LINE_END) {
      before = ALONE
      let afterLineEnd = kind === LINE_END ? i : start
      let next = i < end ? CLASS_OF[text.charCodeAt(i)] : OTHER
      while (next === SPACE || next === BLANK || next === LINE_END) {
        i += 1
        if (next === LINE_END) afterLineEnd = i
        next = i < end ? CLASS_OF[text.charCodeAt(i)] : OTHER
      }
      if (afterLineEnd > start)
        total += (weights[LINE_END_BIN] ?? 0) + (afterLineEnd - start - 1) * (weights[BLANK_REPEATED] ?? 0)
      let blanks = i - afterLineEnd
      if (blanks > 0 && i < end) {
        // The last blank goes with what follows: a space with anything but digits, another blank with letters alone.
        blanks -= 1
        const isSpace = text.charCodeAt(i - 1) === 0x20
        if (next === LOWER || next === UPPER) before = isSpace ? AFTER_SPACE : AFTER_MARK
        else if (isSpace && next !== DIGIT) before = AFTER_SPACE
        else total += weights[BLANKS] ?? 0
      }
      if (blanks > 0) total += (weights[BLANKS] ?? 0) + (blanks - 1) * (weights[BLANK_REPEATED] ?? 0)
    } else if (kind === MARK) {
      let next = i < end ? CLASS_OF[text.charCodeAt(i)] : OTHER
      if (before >= ALONE && (next === LOWER || next === UPPER)) {
        before = AFTER_MARK
        continue
      }
      let changes = 1
      let last = unit
      if (unit < 0x20) total += weights[CONTROL] ?? 0
      while (next === MARK) {
        const mark = text.charCodeAt(i)
        if (mark !== last) changes += 1
        if (mark < 0x20) total += weights[CONTROL] ?? 0
        last = mark
        i += 1
        next = i < end ? CLASS_OF[text.charCodeAt(i)] : OTHER
      }
      total += tabled(weights, FIRST_MARKS, changes, MARKS_SLOPE)
      const repeated = i - start - changes
      if (repeated > 0) total += Math.min(repeated, REPEATED) * (weights[MARK_REPEATED] ?? 0)
      if (repeated > REPEATED) total += (repeated - REPEATED) * (weights[MARK_REPEATED_MORE] ?? 0)
      if (before === AFTER_SPACE) total += weights[MARK_AFTER_SPACE] ?? 0
      before = ALONE
      if (next === LINE_END) {
        total += weights[MARK_LINE_END] ?? 0
        while (i < end && CLASS_OF[text.charCodeAt(i)] === LINE_END) i += 1
      }
    } else if (kind === DIGIT) {
      while (i < end && CLASS_OF[text.charCodeAt(i)] === DIGIT) i += 1
      total += Math.ceil((i - start) / 3) * (weights[DIGITS] ?? 0)
      before = ALONE
    } else {
      let bin = binOfOther(unit)
      let letters = isLetterBin(bin)
      total += (weights[bin] ?? 0) + (letters ? (weights[LETTER_RUN] ?? 0) : 0)
      let last = unit
      for (; i < end; i += 1) {
        const other = text.charCodeAt(i)
        if (CLASS_OF[other] !== OTHER) break
        // The second half of a pair: the first one has paid.
        if (isLowSurrogate(other)) continue
        bin = binOfOther(other)
        const isLetter = isLetterBin(bin)
        if (isLetter && !letters) total += weights[LETTER_RUN] ?? 0
        letters = isLetter
        total += weights[bin === BOX && other === last ? BOX_REPEATED : bin] ?? 0
        last = other
      }
      before = bin === LATIN ? WITHIN_WORD : ALONE
    }
  }
  return total
}
