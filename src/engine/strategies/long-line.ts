import { cutMarker } from '../marker.ts'
import { factsOf } from '../signals.ts'
import { cutAt, isHighSurrogate, isLowSurrogate } from '../text/lines.ts'
import { estimateTokens } from '../text/tokens.ts'

/** To how many UTF-16 units of its start and of its end a line is cut, by falling size. */
const SIZES = [
  [1500, 500],
  [600, 200],
  [240, 80],
  [100, 30],
] as const
/** No line of so few units is cut: what is left would be hardly shorter. */
const SHORT = 400
/** Of a line without facts that does not begin with words (base64, minified code) no more than this stays before the cut. */
const DENSE = 240

/**
 * An overlong line as its start, a marker that counts what was cut, and its end: as much as `limit` tokens allow.
 * Null for a line that is too short to be cut, or where even the smallest form costs more.
 */
export function cutLine(line: string, limit: number): string | null {
  return shortForm(line, (short) => estimateTokens(short) <= limit)
}

/** The shortest cut form of a line in which each of its facts is still read; the longest where none is. */
export function cutLineWithFacts(line: string): string | null {
  if (line.length <= SHORT) return null
  const facts = [...factsOf([line]).keys()]
  let best: string | null = null
  shortForm(line, (short) => {
    const still = factsOf([short])
    if (best !== null && !facts.every((key) => still.has(key))) return true
    best = short
    return false
  })
  return best
}

/** The first form, from the longest on, that will do. */
function shortForm(line: string, willDo: (short: string) => boolean): string | null {
  const dense = line.lastIndexOf(' ', DENSE) < 0 && factsOf([line]).size === 0
  const most = dense ? DENSE : line.length
  for (const [before, behind] of SIZES) {
    if (before > most || line.length < SHORT || line.length < (before + behind) * 1.25) continue
    const head = cutAt(line, before)
    const tail = endAt(line, behind)
    const short = `${head} ${cutMarker(line.length - head.length - tail.length, 'window')} ${tail}`
    if (willDo(short)) return short
  }
  return null
}

/** The last `units` code units, one fewer where the cut would split a surrogate pair. */
function endAt(text: string, units: number): string {
  const from = text.length - units
  const splits = isLowSurrogate(text.charCodeAt(from)) && isHighSurrogate(text.charCodeAt(from - 1))
  return text.slice(splits ? from + 1 : from)
}
