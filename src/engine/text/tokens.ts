import {
  binOf,
  binOfOther,
  classOf,
  DIGIT,
  FIRST_MARKS,
  FIRST_TAIL,
  isLetterBin,
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
  return Math.max(1, Math.round(scanPieces(text, WEIGHTS, null) / THOUSAND))
}

/** |estimateTokens(a + b) - estimateTokens(a) - estimateTokens(b)| is never more than this. */
export const JOIN_BOUND = 8

const DIGITS = binOf('digits')
const LOWER_SLOPE = binOf('lowerSlope')
const UPPER_SLOPE = binOf('upperSlope')
const MARKS_SLOPE = binOf('marksSlope')
const MARK_REPEATED = binOf('markRepeated')
const MARK_AFTER_SPACE = binOf('markAfterSpace')
const MARK_LINE_END = binOf('markLineEnd')
const LINE_END_BIN = binOf('lineEnd')
const BLANKS = binOf('blanks')
const BLANK_REPEATED = binOf('blankRepeated')
const LETTER_RUN = binOf('letterRun')
const SYMBOL_REPEATED = binOf('symbolRepeated')

/** What stands before a piece and is taken into it. */
const AFTER_SPACE = 0
const AFTER_MARK = 1
const ALONE = 2

/**
 * The sum of the pieces' weights, in thousandths. @param tally where the fit counts how often each weight was used; null
 * in use
 */
export function scanPieces(text: string, weights: Int32Array, tally: Float64Array | null): number {
  const end = text.length
  let total = 0
  let i = 0
  let before = ALONE

  function add(bin: number, times: number): void {
    total += (weights[bin] ?? 0) * times
    if (tally !== null) tally[bin] = (tally[bin] ?? 0) + times
  }
  function addFromTable(first: number, length: number, slope: number): void {
    if (length <= TABLE) add(first + length - 1, 1)
    else {
      add(first + TABLE - 1, 1)
      add(slope, length - TABLE)
    }
  }

  while (i < end) {
    const unit = text.charCodeAt(i)
    const kind = classOf(unit)
    const start = i
    if (kind <= UPPER) {
      while (classOf(text.charCodeAt(i)) === UPPER) i += 1
      const capitals = i - start
      while (classOf(text.charCodeAt(i)) === LOWER) i += 1
      const length = i - start
      // Rows of tables: lower case, capital first, capitals; three contexts each.
      if (capitals === 0) addFromTable(before * TABLE, length, LOWER_SLOPE)
      else if (capitals === length) addFromTable((6 + before) * TABLE, length, UPPER_SLOPE)
      else if (capitals === 1) addFromTable((3 + before) * TABLE, length, LOWER_SLOPE)
      else {
        addFromTable((6 + before) * TABLE, capitals, UPPER_SLOPE)
        addFromTable(FIRST_TAIL, length - capitals, LOWER_SLOPE)
      }
      before = ALONE
    } else if (kind === MARK) {
      i += 1
      if (before === ALONE && classOf(text.charCodeAt(i)) <= UPPER) {
        before = AFTER_MARK
        continue
      }
      let changes = 1
      let last = unit
      for (let next = text.charCodeAt(i); classOf(next) === MARK; next = text.charCodeAt(i)) {
        if (next !== last) changes += 1
        last = next
        i += 1
      }
      addFromTable(FIRST_MARKS, changes, MARKS_SLOPE)
      if (i - start > changes) add(MARK_REPEATED, i - start - changes)
      if (before === AFTER_SPACE) add(MARK_AFTER_SPACE, 1)
      before = ALONE
      if (classOf(text.charCodeAt(i)) === LINE_END) {
        add(MARK_LINE_END, 1)
        do i += 1
        while (classOf(text.charCodeAt(i)) === LINE_END)
      }
    } else if (kind === DIGIT) {
      do i += 1
      while (classOf(text.charCodeAt(i)) === DIGIT)
      add(DIGITS, Math.ceil((i - start) / 3))
    } else if (kind <= LINE_END) {
      let afterLineEnd = start
      let next = kind
      do {
        i += 1
        if (next === LINE_END) afterLineEnd = i
        next = classOf(text.charCodeAt(i))
      } while (next >= SPACE && next <= LINE_END)
      if (afterLineEnd > start) {
        add(LINE_END_BIN, 1)
        if (afterLineEnd - start > 1) add(BLANK_REPEATED, afterLineEnd - start - 1)
      }
      let blanks = i - afterLineEnd
      if (blanks > 0 && i < end) {
        const lastIsSpace = text.charCodeAt(i - 1) === 0x20
        if (next <= UPPER) before = lastIsSpace ? AFTER_SPACE : AFTER_MARK
        else if (lastIsSpace && next >= MARK) before = AFTER_SPACE
        else add(BLANKS, 1)
        blanks -= 1
      }
      if (blanks > 0) {
        add(BLANKS, 1)
        if (blanks > 1) add(BLANK_REPEATED, blanks - 1)
      }
    } else {
      let letters = false
      let last = 0
      for (let next = unit; classOf(next) === OTHER && i < end; next = text.charCodeAt(i)) {
        i += 1
        if ((next & 0xfc00) === 0xdc00) continue
        const bin = binOfOther(next)
        const isLetter = isLetterBin(bin)
        if (isLetter && !letters) add(LETTER_RUN, 1)
        letters = isLetter
        add(!isLetter && next === last ? SYMBOL_REPEATED : bin, 1)
        last = next
      }
      before = ALONE
    }
  }
  return total
}
