import { LOWER_TAIL, MARK_TABLE, MARKS, SINGLES, TABLE, WORDS } from './token-weights.ts'

/** The weights in one row: three kinds of words times three contexts, then the other tables, then the single weights. */
export const WEIGHTS: Float64Array = Float64Array.from([
  ...Object.values(WORDS).flat(),
  ...LOWER_TAIL,
  ...MARKS,
  ...Object.values(SINGLES),
])

const AFTER_TABLES = Object.keys(WORDS).length * TABLE + TABLE + MARK_TABLE

/** Where each single weight stands in the row. */
export function binOf(name: keyof typeof SINGLES): number {
  return AFTER_TABLES + Object.keys(SINGLES).indexOf(name)
}

export const FIRST_TAIL: number = Object.keys(WORDS).length * TABLE
export const FIRST_MARKS: number = FIRST_TAIL + TABLE

/** Classes of characters: the columns of the automaton. After them come the characters of DRAWN, each its own class. */
export const CLASS = {
  lower: 0,
  upper: 1,
  digit: 2,
  space: 3,
  blank: 4,
  lineEnd: 5,
  /** All beyond ASCII. */
  other: 6,
  control: 7,
  /** Other punctuation. */
  mark: 8,
} as const

/** Punctuation that lines are drawn of: a repeat costs little. */
const DRAWN = '-=.*~^_#+/:|<>'
/** How many kinds of characters cost differently. */
export const CLASSES: number = CLASS.mark + 1 + DRAWN.length

/**
 * The automaton's columns: the classes, and again those of characters that a terminal acts on, so that one pass tells the
 * cost and whether there are any: CR; VT and FF; other controls; DEL.
 */
const ACTED_ON: readonly number[] = [CLASS.lineEnd, CLASS.blank, CLASS.control, CLASS.mark]
export const COLUMNS: number = CLASSES + ACTED_ON.length

/** The class of a column, and whether a terminal acts on its characters. */
export function classOfColumn(column: number): { readonly of: number; readonly actedOn: boolean } {
  return { of: ACTED_ON[column - CLASSES] ?? column, actedOn: column >= CLASSES }
}

/** Column of each ASCII character. */
export const COLUMN_OF: Uint8Array = Uint8Array.from({ length: 128 }, (_, unit) => {
  const drawn = DRAWN.indexOf(String.fromCharCode(unit))
  const isControl = (unit < 0x20 && unit !== 0x09 && unit !== 0x0a) || unit === 0x7f
  if (isControl) return CLASSES + ACTED_ON.indexOf(classOf(unit))
  return drawn < 0 ? classOf(unit) : CLASS.mark + 1 + drawn
})

function classOf(unit: number): number {
  if (unit >= 0x61 && unit <= 0x7a) return CLASS.lower
  if (unit >= 0x41 && unit <= 0x5a) return CLASS.upper
  if (unit >= 0x30 && unit <= 0x39) return CLASS.digit
  if (unit === 0x20) return CLASS.space
  if (unit === 0x0a || unit === 0x0d) return CLASS.lineEnd
  if (unit === 0x09 || unit === 0x0b || unit === 0x0c) return CLASS.blank
  return unit < 0x20 ? CLASS.control : CLASS.mark
}

export const LATIN: number = binOf('latin')
const GREEK = binOf('greek')
const CYRILLIC = binOf('cyrillic')
const HEBREW = binOf('hebrew')
const ARABIC = binOf('arabic')
const INDIC = binOf('indic')
const HANGUL = binOf('hangul')
const KANA = binOf('kana')
const IDEOGRAPH = binOf('ideograph')
const OTHER_LETTER = binOf('otherLetter')
const TYPOGRAPHIC = binOf('typographic')
const ARROW = binOf('arrow')
const TECHNICAL = binOf('technical')
export const BOX: number = binOf('box')
const GEOMETRIC = binOf('geometric')
const DINGBAT = binOf('dingbat')
const FULL_WIDTH = binOf('fullWidth')
const EMOJI = binOf('emoji')
const OTHER_SYMBOL = binOf('otherSymbol')

/** From a unit on, up to the next row: the weight of a character there. Blocks of Unicode, coarse, and fixed for good. */
const BLOCKS: readonly (readonly [number, number])[] = [
  [0x0080, OTHER_SYMBOL],
  [0x00aa, OTHER_SYMBOL],
  [0x00c0, LATIN],
  [0x0250, OTHER_LETTER],
  [0x0370, GREEK],
  [0x0400, CYRILLIC],
  [0x0530, OTHER_LETTER],
  [0x0590, HEBREW],
  [0x0600, ARABIC],
  [0x0780, OTHER_LETTER],
  [0x0900, INDIC],
  [0x1000, OTHER_LETTER],
  [0x1100, HANGUL],
  [0x1200, OTHER_LETTER],
  [0x1e00, LATIN],
  [0x1f00, GREEK],
  [0x2000, TYPOGRAPHIC],
  [0x2070, OTHER_SYMBOL],
  [0x2190, ARROW],
  [0x2300, TECHNICAL],
  [0x2500, BOX],
  [0x2580, GEOMETRIC],
  [0x2600, DINGBAT],
  [0x27c0, ARROW],
  [0x2800, TECHNICAL],
  [0x2900, OTHER_SYMBOL],
  [0x2e80, IDEOGRAPH],
  [0x3000, FULL_WIDTH],
  [0x3040, KANA],
  [0x3100, IDEOGRAPH],
  [0xa000, OTHER_LETTER],
  [0xac00, HANGUL],
  [0xd7b0, EMOJI],
  [0xe000, OTHER_SYMBOL],
  [0xf900, IDEOGRAPH],
  [0xfb00, OTHER_LETTER],
  [0xfe00, OTHER_SYMBOL],
  [0xff00, FULL_WIDTH],
]

/** For each 16 units of the first 65536, the bin: one look-up a character. */
const BIN_OF_BLOCK: Uint8Array = new Uint8Array(0x1000)
for (const [from, bin] of BLOCKS) BIN_OF_BLOCK.fill(bin, from >> 4)

/** The bin of a unit that is no ASCII; a surrogate pair counts at its first half, as an emoji. */
export function binOfOther(unit: number): number {
  return BIN_OF_BLOCK[unit >> 4] ?? OTHER_SYMBOL
}

/** Whether the bin is one of letters, which words of the tokenizer take in. */
export function isLetterBin(bin: number): boolean {
  return bin >= LATIN && bin <= OTHER_LETTER
}
