/**
 * What the pieces of a text cost, in thousandths of a token of o200k_base, as test/bench/estimator/fit.ts prints them.
 * A table is indexed by length - 1; lengths beyond it pay the table's last entry and the slope for each further letter.
 */

/** Entries of each table: for letters, and for changes in a run of punctuation. */
export const TABLE = 16
export const MARK_TABLE = 8

/** Words: lower case, capital first, capitals only; each after a space, after one other character (`.name`), after neither. */
export const WORDS = {
  lowerAfterSpace: [931, 997, 1010, 1016, 1023, 1046, 1077, 1089, 1169, 1308, 1279, 1355, 1481, 1588, 1511, 3178],
  lowerAfterMark: [982, 1055, 1203, 1243, 1440, 1449, 1636, 1787, 2284, 2102, 2291, 2348, 2651, 3345, 4750, 6708],
  lowerAlone: [1000, 1000, 1111, 1087, 1170, 1178, 1225, 1349, 1708, 1736, 1844, 1904, 2509, 2877, 3000, 2874],
  capitalAfterSpace: [1000, 1016, 1007, 1018, 1028, 1067, 1088, 1183, 1326, 1384, 1877, 1933, 1987, 2175, 2500, 2700],
  capitalAfterMark: [1100, 1470, 1738, 1348, 1479, 1696, 1851, 2074, 1923, 2093, 2291, 2657, 2819, 2942, 3200, 3400],
  capitalAlone: [1000, 1015, 1018, 1018, 1063, 1103, 1061, 1162, 1302, 1171, 1364, 1628, 1697, 2243, 2800, 3000],
  upperAfterSpace: [994, 1039, 1142, 1099, 1402, 1625, 1883, 2400, 2622, 2981, 3522, 3843, 4030, 4318, 4600, 4900],
  upperAfterMark: [1043, 1398, 1587, 1682, 1707, 2007, 2131, 2274, 2336, 2906, 3378, 3802, 4263, 4690, 5100, 5400],
  upperAlone: [1007, 1113, 1170, 1181, 1620, 1325, 1645, 2133, 2513, 2859, 3235, 3499, 3598, 4208, 4800, 3836],
} as const

/** Lower-case letters that go on a word, after two or more capitals (`HTTPServer`) or an accent, by their number. */
export const LOWER_TAIL = [83, 346, 889, 482, 658, 1063, 981, 1129, 1317, 1398, 1430, 1481, 1546, 1621, 1700, 1800] as const

/** Runs of punctuation, by the number of places where the character changes, plus one. */
export const MARKS = [920, 966, 1300, 1734, 2101, 2432, 2733, 3071] as const

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
  markRepeated: 318,
  markRepeatedMore: 50,
  control: 1428,
  markAfterSpace: 130,
  markLineEnd: 75,
  /** Line ends with the blanks before them; blanks before a word beyond its own; each further character of either. */
  lineEnd: 1021,
  blanks: 987,
  blankRepeated: 5,
  /** Each letter beyond ASCII, and each run of them. */
  letterRun: 164,
  latin: 265,
  greek: 443,
  cyrillic: 244,
  hebrew: 448,
  arabic: 262,
  indic: 368,
  hangul: 502,
  kana: 635,
  ideograph: 607,
  otherLetter: 1200,
  /** Each symbol beyond ASCII; in lines drawn of one box character, each further one. */
  typographic: 903,
  arrow: 1197,
  technical: 2998,
  box: 1321,
  boxRepeated: 122,
  geometric: 1479,
  dingbat: 1163,
  fullWidth: 925,
  emoji: 1886,
  otherSymbol: 862,
} as const
