/**
 * The tokenizer's cutting pattern as a finite automaton: a state for each kind of piece and its length so far, and for each
 * state and class of the next character what that character adds to the cost. Where a later character changes what an
 * earlier one meant (the last blank goes with the word after it), what it adds takes back what was paid too much, so that
 * the costs add up at every point of the text.
 *
 * The pattern, in words: a word is capitals, then lower-case letters, with one character before it that is neither letter,
 * digit nor line end; digits go in threes; punctuation goes in runs, with a space before and line ends after; line ends go
 * with all blanks before them; of other blanks the last one stays for what follows.
 */
import { binOf, CLASS, CLASSES, COLUMNS, classOfColumn, FIRST_MARKS, FIRST_TAIL } from './token-bins.ts'
import { MARK_TABLE, type SINGLES, TABLE } from './token-weights.ts'

/** Kinds of pieces. A word that begins with capitals is `upper` until its first lower-case letter. */
const KINDS = [
  'lower',
  'capital',
  'upper',
  'tail',
  'digits',
  'blanks',
  'ends',
  'marks',
  'markEnds',
  'latin',
  'letters',
  'symbols',
] as const
type Kind = (typeof KINDS)[number]

/** What stands before a word and is taken into it: a space, another character, nothing. The index of its table. */
type Before = 0 | 1 | 2
const AFTER_SPACE = 0
const AFTER_MARK = 1
const ALONE = 2

interface State {
  readonly kind: Kind
  readonly before: Before
  /** Letters, digits, changes in a run of punctuation, blanks; up to one beyond what makes a difference. */
  readonly length: number
  /** Class of the last character. */
  readonly last: number
  /** Of punctuation: the last character repeats. Of blanks: they follow a line end. */
  readonly flag: boolean
  /** Of punctuation: one character without a space before, which goes with a word that follows. */
  readonly single: boolean
}

interface Step {
  readonly next: State
  readonly cost: number
}

export interface Automaton {
  /** For a row and a column (their sum), the next row. A row is a state's number times COLUMNS. */
  readonly next: Uint16Array
  /** For a row and a column, what the character adds, in thousandths of a token; CONTROL more for one that a terminal acts on. */
  readonly cost: Int32Array
  readonly start: number
  /** The rows after a character beyond ASCII, by what it is. */
  readonly afterSymbol: number
  readonly afterLetter: number
  readonly afterLatin: number
}

/** Far more than any character costs: what a part of a text adds up to tells how often it is in it. */
export const CONTROL: number = 2 ** 26

/** Builds the automaton for weights in the row's order (token-bins.ts), whole numbers. */
export function buildAutomaton(weights: Float64Array): Automaton {
  const numbers = new Map<number, number>()
  const states: State[] = []
  function rowOf(state: State): number {
    const key = keyOf(state)
    const known = numbers.get(key)
    if (known !== undefined) return known * COLUMNS
    numbers.set(key, states.length)
    states.push(state)
    return (states.length - 1) * COLUMNS
  }
  const step = createStep(weights)
  // A text begins as if a symbol stood before it.
  const afterSymbol = rowOf(piece('symbols'))
  const afterLetter = rowOf(piece('letters'))
  const afterLatin = rowOf(piece('latin'))
  const next: number[] = []
  const cost: number[] = []
  // New states come at the list's end while it is walked.
  for (const state of states)
    for (let column = 0; column < COLUMNS; column += 1) {
      const { of, actedOn } = classOfColumn(column)
      const taken = step(state, of)
      next.push(rowOf(taken.next))
      cost.push(taken.cost + (actedOn ? CONTROL : 0))
    }
  return {
    next: Uint16Array.from(next),
    cost: Int32Array.from(cost),
    start: afterSymbol,
    afterSymbol,
    afterLetter,
    afterLatin,
  }
}

function piece(kind: Kind, length = 0, before: Before = ALONE, last = 0, flag = false, single = false): State {
  return { kind, before, length, last, flag, single }
}

function keyOf({ kind, before, length, last, flag, single }: State): number {
  const place = (KINDS.indexOf(kind) * 3 + before) * (TABLE + 2) + length
  return (place * CLASSES + last) * 4 + (flag ? 2 : 0) + (single ? 1 : 0)
}

function createStep(weights: Float64Array): (state: State, next: number) => Step {
  function at(bin: number): number {
    return weights[bin] ?? 0
  }
  function single(name: keyof typeof SINGLES): number {
    return at(binOf(name))
  }
  const blanks = single('blanks')
  const blankRepeated = single('blankRepeated')
  const lineEnd = single('lineEnd')
  const digits = single('digits')
  const control = single('control')
  const markRepeated = single('markRepeated')
  const markRepeatedMore = single('markRepeatedMore')
  const markAfterSpace = single('markAfterSpace')
  const markLineEnd = single('markLineEnd')
  const lowerSlope = single('lowerSlope')
  const upperSlope = single('upperSlope')
  const marksSlope = single('marksSlope')

  /** What each further character of a piece costs, given its length with that character. */
  function further(first: number, length: number, table: number, slope: number): number {
    return length > table ? slope : at(first + length - 1) - at(first + length - 2)
  }
  function tableOf(kind: Kind, before: Before): number {
    if (kind === 'tail') return FIRST_TAIL
    return ((kind === 'lower' ? 0 : kind === 'capital' ? 3 : 6) + before) * TABLE
  }

  /** The first character of a piece, and what it costs. */
  function begin(next: number, before: Before = ALONE): Step {
    switch (next) {
      case CLASS.lower:
        return { next: piece('lower', 1, before), cost: at(tableOf('lower', before)) }
      case CLASS.upper:
        return { next: piece('upper', 1, before), cost: at(tableOf('upper', before)) }
      case CLASS.digit:
        return { next: piece('digits', 1), cost: digits }
      case CLASS.space:
      case CLASS.blank:
        return { next: piece('blanks', 1, ALONE, next), cost: blanks }
      case CLASS.lineEnd:
        return { next: piece('ends'), cost: lineEnd }
      case CLASS.other:
        return { next: piece('symbols'), cost: 0 }
      default:
        return { next: marks(1, next, false, true), cost: at(FIRST_MARKS) + (next === CLASS.control ? control : 0) }
    }
  }
  function letter(state: State, kind: 'lower' | 'capital' | 'upper' | 'tail', slope: number): Step {
    const length = state.length + 1
    const next = piece(kind, Math.min(length, TABLE + 1), state.before)
    return { next, cost: further(tableOf(kind, state.before), length, TABLE, slope) }
  }
  function afterBlanks({ length, last }: State, next: number): Step {
    // The last blank leaves the run: into a word; a space into anything but digits; or to stand alone.
    const back = length > 1 ? -blankRepeated : -blanks
    const isSpace = last === CLASS.space
    if (isLetter(next)) return plus(begin(next, isSpace ? AFTER_SPACE : AFTER_MARK), back)
    if (!isSpace || next === CLASS.digit) return plus(begin(next), back + blanks)
    const begun = plus(begin(next), back)
    return isMark(next) ? { next: marks(1, next, false, false), cost: begun.cost + markAfterSpace } : begun
  }

  return function step(state, next) {
    switch (state.kind) {
      case 'lower':
      case 'capital':
      case 'tail':
        if (next === CLASS.lower) return letter(state, state.kind, lowerSlope)
        break
      case 'upper':
        if (next === CLASS.upper) return letter(state, 'upper', upperSlope)
        if (next !== CLASS.lower) break
        if (state.length > 1) return { next: piece('tail', 1), cost: at(FIRST_TAIL) }
        return {
          next: piece('capital', 2, state.before),
          cost: at(tableOf('capital', state.before) + 1) - at(tableOf('upper', state.before)),
        }
      case 'latin':
        if (next === CLASS.lower) return { next: piece('tail', 1), cost: at(FIRST_TAIL) }
        break
      case 'digits':
        if (next === CLASS.digit && state.length < 3) return { next: piece('digits', state.length + 1), cost: 0 }
        break
      case 'marks':
        if (next > CLASS.mark && next === state.last)
          return { next: marks(state.length, next, true, false), cost: state.flag ? markRepeatedMore : markRepeated }
        if (isMark(next)) {
          const changes = state.length + 1
          const cost = further(FIRST_MARKS, changes, MARK_TABLE, marksSlope)
          const to = marks(Math.min(changes, MARK_TABLE + 1), next, false, false)
          return { next: to, cost: cost + (next === CLASS.control ? control : 0) }
        }
        if (next === CLASS.lineEnd) return { next: piece('markEnds'), cost: markLineEnd }
        if (isLetter(next) && state.single) return plus(begin(next, AFTER_MARK), -at(FIRST_MARKS))
        break
      case 'markEnds':
        if (next === CLASS.lineEnd) return { next: state, cost: 0 }
        break
      case 'ends':
        if (next === CLASS.lineEnd) return { next: state, cost: blankRepeated }
        if (isBlank(next)) return { next: piece('blanks', 1, ALONE, next, true), cost: blanks }
        break
      case 'blanks':
        if (isBlank(next)) return { next: piece('blanks', 2, ALONE, next, state.flag), cost: blankRepeated }
        if (next === CLASS.lineEnd)
          return { next: piece('ends'), cost: (state.flag ? blankRepeated : lineEnd) + blankRepeated - blanks }
        return afterBlanks(state, next)
    }
    return begin(next)
  }
}

function plus({ next, cost }: Step, more: number): Step {
  return { next, cost: cost + more }
}

function isLetter(next: number): boolean {
  return next === CLASS.lower || next === CLASS.upper
}

function isBlank(next: number): boolean {
  return next === CLASS.space || next === CLASS.blank
}

function isMark(next: number): boolean {
  return next >= CLASS.control
}

/** A run of punctuation; of the last character only that counts which may repeat. */
function marks(changes: number, next: number, repeats: boolean, single: boolean): State {
  return piece('marks', changes, ALONE, Math.max(next, CLASS.mark), repeats, single)
}
