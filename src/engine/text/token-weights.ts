/**
 * What the pieces of a text cost, in thousandths of a token of o200k_base, as test/bench/estimator/fit.ts prints them.
 * A table is indexed by length - 1; lengths beyond it pay the table's last entry and the slope for each further letter.
 */

/** Entries of each table. */
export const TABLE = 16

/** Words: lower case, capital first, capitals only; each after a space, after one other character (`.name`), after neither. */
export const WORDS = {
  lowerAfterSpace: [1000, 1000, 1000, 1010, 1050, 1100, 1150, 1220, 1300, 1400, 1500, 1650, 1800, 2000, 2200, 2400],
  lowerAfterMark: [1050, 1200, 1250, 1350, 1500, 1600, 1700, 1800, 1900, 2000, 2200, 2400, 2600, 2800, 3000, 3200],
  lowerAlone: [1000, 1000, 1150, 1250, 1350, 1500, 1600, 1700, 1800, 2000, 2200, 2400, 2600, 2800, 3000, 3200],
  capitalAfterSpace: [1000, 1000, 1050, 1100, 1150, 1200, 1250, 1300, 1400, 1500, 1700, 1900, 2100, 2300, 2500, 2700],
  capitalAfterMark: [1100, 1300, 1400, 1500, 1600, 1700, 1800, 1900, 2000, 2200, 2400, 2600, 2800, 3000, 3200, 3400],
  capitalAlone: [1000, 1050, 1100, 1150, 1200, 1300, 1400, 1500, 1600, 1800, 2000, 2200, 2400, 2600, 2800, 3000],
  upperAfterSpace: [1000, 1050, 1200, 1300, 1600, 1900, 2200, 2500, 2800, 3100, 3400, 3700, 4000, 4300, 4600, 4900],
  upperAfterMark: [1100, 1400, 1600, 1800, 2100, 2400, 2700, 3000, 3300, 3600, 3900, 4200, 4500, 4800, 5100, 5400],
  upperAlone: [1000, 1050, 1250, 1500, 1800, 2100, 2400, 2700, 3000, 3300, 3600, 3900, 4200, 4500, 4800, 5100],
} as const

/** Lower-case letters after two or more capitals (`HTTPServer`), by their number. */
export const LOWER_TAIL = [
  300, 400, 500, 600, 700, 800, 900, 1000, 1100, 1200, 1300, 1400, 1500, 1600, 1700, 1800,
] as const

/** Runs of punctuation, by the number of places where the character changes, plus one. */
export const MARKS = [
  1000, 1100, 1400, 1800, 2300, 2800, 3300, 3800, 4300, 4800, 5300, 5800, 6300, 6800, 7300, 7800,
] as const

export const SINGLES = {
  /** Each letter beyond the end of a table. */
  lowerSlope: 250,
  upperSlope: 350,
  /** A group of up to three digits is one token. */
  digits: 1000,
  /** In a run of punctuation: each change beyond the table; each repeated character; a space before; line ends after. */
  marksSlope: 600,
  markRepeated: 30,
  markAfterSpace: 50,
  markLineEnd: 150,
  /** Line ends with the blanks before them; blanks before a word beyond its own; each further character of either. */
  lineEnd: 1000,
  blanks: 1000,
  blankRepeated: 5,
  /** Each letter beyond ASCII, and each run of them. */
  letterRun: 300,
  latin: 600,
  cyrillic: 280,
  arabic: 400,
  indic: 500,
  hangul: 700,
  kana: 700,
  ideograph: 850,
  otherLetter: 1200,
  /** Each symbol beyond ASCII; one that repeats the symbol before it. */
  typographic: 1000,
  drawing: 1200,
  fullWidth: 1000,
  emoji: 2000,
  otherSymbol: 1800,
  symbolRepeated: 300,
} as const
