/**
 * What the pieces of a text cost, in thousandths of a token of o200k_base, as test/bench/estimator/fit.ts prints them.
 * A table is indexed by length - 1; lengths beyond it pay the table's last entry and the slope for each further letter.
 */

/** Entries of each table: for letters, and for changes in a run of punctuation. */
export const TABLE = 16
export const MARK_TABLE = 8

/** Words: lower case, capital first, capitals only; each after a space, after one other character (`.name`), after neither. */
export const WORDS = {
  lowerAfterSpace: [921, 998, 1003, 1009, 1020, 1035, 1058, 1080, 1157, 1259, 1250, 1348, 1538, 1538, 1430, 3000],
  lowerAfterMark: [965, 1056, 1288, 1276, 1436, 1481, 1627, 1838, 2194, 2212, 2238, 2296, 2480, 2907, 3420, 6500],
  lowerAlone: [1002, 996, 1101, 1085, 1178, 1180, 1232, 1411, 1665, 1712, 1916, 1986, 2209, 2856, 2848, 3000],
  capitalAfterSpace: [1000, 1000, 1014, 1037, 1040, 1128, 1099, 1173, 1341, 1393, 1780, 1853, 2044, 2254, 2500, 2700],
  capitalAfterMark: [1100, 1480, 1575, 1436, 1408, 1625, 1710, 2001, 1885, 2092, 2314, 2992, 3010, 3032, 3200, 3600],
  capitalAlone: [1000, 1029, 1029, 1031, 1071, 1081, 1094, 1194, 1286, 1253, 1828, 1908, 1698, 2317, 2800, 3000],
  upperAfterSpace: [996, 1016, 1118, 1107, 1449, 1776, 1837, 2328, 2479, 2820, 3235, 3786, 4116, 4358, 4600, 4900],
  upperAfterMark: [1044, 1538, 1706, 1764, 1771, 2078, 2123, 2243, 2378, 2956, 3354, 3789, 4225, 4662, 5100, 5400],
  upperAlone: [1009, 1073, 1233, 1114, 1408, 1252, 1627, 2038, 2356, 2714, 3042, 3274, 3887, 4343, 4800, 4800],
} as const

/** Lower-case letters that go on a word, after two or more capitals (`HTTPServer`) or an accent, by their number. */
export const LOWER_TAIL = [
  249, 529, 906, 608, 745, 1005, 1126, 1298, 1448, 1522, 1550, 1583, 1619, 1659, 1700, 1800,
] as const

/** Runs of punctuation, by the number of places where the character changes, plus one. */
export const MARKS = [931, 935, 1233, 1702, 1903, 2562, 2397, 2279] as const

export const SINGLES = {
  /** Each letter beyond the end of a table. */
  lowerSlope: 600,
  upperSlope: 450,
  /** A group of up to three digits is one token. */
  digits: 1000,
  /**
   * In a run of punctuation: each change beyond the table; the first repeat of a character, and each one after it; each
   * control character besides; a space before; line ends after.
   */
  marksSlope: 600,
  markRepeated: 535,
  markRepeatedMore: 15,
  control: 1488,
  markAfterSpace: 126,
  markLineEnd: 152,
  /** Line ends with the blanks before them; blanks before a word beyond its own; each further character of either. */
  lineEnd: 1021,
  blanks: 987,
  blankRepeated: 4,
  /** Each letter beyond ASCII, and each run of them. */
  letterRun: 192,
  latin: 164,
  greek: 439,
  cyrillic: 240,
  hebrew: 442,
  arabic: 257,
  indic: 366,
  hangul: 495,
  kana: 638,
  ideograph: 609,
  otherLetter: 1200,
  /** Each symbol beyond ASCII; in lines drawn of one box character, each further one. */
  typographic: 876,
  arrow: 1230,
  technical: 3000,
  box: 1346,
  boxRepeated: 134,
  geometric: 1477,
  dingbat: 1278,
  fullWidth: 880,
  emoji: 1890,
  otherSymbol: 801,
} as const
