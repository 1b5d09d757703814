/**
 * What the pieces of a text cost, in thousandths of a token of o200k_base, as test/bench/estimator/fit.ts prints them.
 * A table is indexed by length - 1; lengths beyond it pay the table's last entry and the slope for each further letter.
 */

/** Entries of each table. */
export const TABLE = 16

/** Words: lower case, capital first, capitals only; each after a space, after one other character (`.name`), after neither. */
export const WORDS = {
  lowerAfterSpace: [926, 996, 1011, 1016, 1024, 1050, 1084, 1090, 1173, 1322, 1309, 1380, 1519, 1710, 1703, 2829],
  lowerAfterMark: [980, 1054, 1196, 1228, 1425, 1460, 1651, 1827, 2318, 2127, 2280, 2348, 2632, 3076, 4000, 6448],
  lowerAlone: [1001, 1000, 1125, 1092, 1176, 1182, 1244, 1347, 1697, 1730, 1838, 2033, 2562, 2876, 3000, 3044],
  capitalAfterSpace: [1000, 1019, 1009, 1024, 1034, 1076, 1092, 1176, 1301, 1398, 1900, 1962, 2030, 2212, 2500, 2700],
  capitalAfterMark: [1100, 1530, 1669, 1246, 1412, 1644, 1848, 1823, 1887, 2182, 2305, 2444, 2726, 2970, 3200, 3400],
  capitalAlone: [1000, 1019, 1024, 1018, 1062, 1105, 1053, 1110, 1215, 1102, 1332, 1653, 1857, 2368, 2800, 3000],
  upperAfterSpace: [988, 1031, 1172, 1131, 1438, 1748, 2012, 2499, 2694, 3046, 3523, 3845, 4111, 4345, 4600, 4900],
  upperAfterMark: [1056, 1390, 1502, 1660, 1692, 2135, 2204, 2385, 2491, 3136, 3644, 4023, 4416, 4766, 5100, 5400],
  upperAlone: [1009, 1171, 1254, 1211, 1405, 1364, 1792, 2391, 2751, 3038, 3433, 3687, 3770, 4328, 4800, 4600],
} as const

/** Lower-case letters that go on a word, after two or more capitals (`HTTPServer`) or an accent, by their number. */
export const LOWER_TAIL = [
  0, 275, 738, 422, 612, 1125, 1099, 1097, 1172, 1283, 1341, 1420, 1510, 1604, 1700, 1800,
] as const

/** Runs of punctuation, by the number of places where the character changes, plus one. */
export const MARKS = [
  917, 966, 1338, 1773, 2095, 2624, 2833, 3326, 4147, 4921, 5589, 5810, 6225, 6770, 7300, 8718,
] as const

export const SINGLES = {
  /** Each letter beyond the end of a table. */
  lowerSlope: 600,
  upperSlope: 450,
  /** A group of up to three digits is one token. */
  digits: 1000,
  /**
   * In a run of punctuation: each change beyond the table; each repeated character, and each beyond 16; each control
   * character besides; a space before; line ends after.
   */
  marksSlope: 600,
  markRepeated: 143,
  markRepeatedMore: 1,
  control: 1408,
  markAfterSpace: 131,
  markLineEnd: 80,
  /** Line ends with the blanks before them; blanks before a word beyond its own; each further character of either. */
  lineEnd: 1022,
  blanks: 986,
  blankRepeated: 4,
  /** Each letter beyond ASCII, and each run of them. */
  letterRun: 169,
  latin: 313,
  greek: 442,
  cyrillic: 243,
  hebrew: 447,
  arabic: 261,
  indic: 368,
  hangul: 502,
  kana: 634,
  ideograph: 605,
  otherLetter: 1200,
  /** Each symbol beyond ASCII; in lines drawn of one box character, each further one. */
  typographic: 909,
  arrow: 1194,
  technical: 2998,
  box: 1319,
  boxRepeated: 123,
  geometric: 1479,
  dingbat: 1180,
  fullWidth: 933,
  emoji: 1892,
  otherSymbol: 869,
} as const
