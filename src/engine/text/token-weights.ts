/**
 * What the pieces of a text cost, in thousandths of a token of o200k_base, as test/bench/estimator/fit.ts prints them.
 * A table is indexed by length - 1; lengths beyond it pay the table's last entry and the slope for each further letter.
 */

/** Entries of each table: for letters, and for changes in a run of punctuation. */
export const TABLE = 16
export const MARK_TABLE = 8

/** Words: lower case, capital first, capitals only; each after a space, after one other character (`.name`), after neither. */
export const WORDS = {
  lowerAfterSpace: [931, 997, 1010, 1015, 1023, 1046, 1077, 1089, 1170, 1307, 1278, 1355, 1476, 1583, 1498, 3243],
  lowerAfterMark: [981, 1056, 1206, 1245, 1448, 1433, 1627, 1783, 2250, 2121, 2289, 2349, 2657, 3393, 4875, 6710],
  lowerAlone: [1001, 1000, 1112, 1088, 1171, 1178, 1225, 1349, 1708, 1736, 1844, 1903, 2507, 2876, 3000, 2859],
  capitalAfterSpace: [1000, 1016, 1007, 1019, 1028, 1067, 1088, 1183, 1330, 1384, 1869, 1939, 2028, 2188, 2500, 2700],
  capitalAfterMark: [1100, 1522, 1740, 1353, 1480, 1698, 1894, 2076, 1898, 2089, 2297, 2684, 2900, 2973, 3200, 3400],
  capitalAlone: [1000, 1014, 1016, 1018, 1063, 1101, 1063, 1165, 1329, 1190, 1396, 1632, 1692, 2236, 2800, 3000],
  upperAfterSpace: [993, 1052, 1151, 1100, 1397, 1627, 1883, 2398, 2618, 2977, 3519, 3841, 4025, 4313, 4600, 4900],
  upperAfterMark: [1043, 1402, 1588, 1681, 1700, 2005, 2129, 2269, 2327, 2876, 3325, 3748, 4218, 4665, 5100, 5400],
  upperAlone: [1007, 1118, 1171, 1189, 1541, 1314, 1638, 2114, 2482, 2832, 3199, 3468, 3578, 4193, 4800, 3547],
} as const

/** Lower-case letters that go on a word, after two or more capitals (`HTTPServer`) or an accent, by their number. */
export const LOWER_TAIL = [
  80, 334, 831, 473, 667, 1068, 997, 1140, 1335, 1419, 1455, 1503, 1562, 1629, 1700, 1800,
] as const

/** Runs of punctuation, by the number of places where the character changes, plus one. */
export const MARKS = [919, 947, 1284, 1698, 2066, 2415, 2557, 2965] as const

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
  markRepeated: 536,
  markRepeatedMore: 15,
  control: 1448,
  markAfterSpace: 132,
  markLineEnd: 106,
  /** Line ends with the blanks before them; blanks before a word beyond its own; each further character of either. */
  lineEnd: 1021,
  blanks: 987,
  blankRepeated: 5,
  /** Each letter beyond ASCII, and each run of them. */
  letterRun: 166,
  latin: 271,
  greek: 443,
  cyrillic: 244,
  hebrew: 448,
  arabic: 262,
  indic: 368,
  hangul: 502,
  kana: 635,
  ideograph: 606,
  otherLetter: 1200,
  /** Each symbol beyond ASCII; in lines drawn of one box character, each further one. */
  typographic: 903,
  arrow: 1197,
  technical: 2998,
  box: 1321,
  boxRepeated: 122,
  geometric: 1479,
  dingbat: 1166,
  fullWidth: 924,
  emoji: 1887,
  otherSymbol: 853,
} as const
