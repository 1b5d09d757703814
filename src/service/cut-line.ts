import type { LineTest } from '../engine/strategies/line-rules.ts'
import { isHighSurrogate, isLowSurrogate } from '../engine/text/lines.ts'

/** UTF-16 units of a line that are shown. */
const SHOWN = 2000

/**
 * A line cut to what can be shown, with what was left out counted at either side: the part in which `matches` finds
 * something, else the beginning.
 * @param bytesBefore for a piece of a longer line: the bytes of it that came before
 * @param isWhole false for a piece of a longer line
 */
export function cutLine(text: string, bytesBefore: number, isWhole: boolean, matches: LineTest | null): string {
  if (isWhole && text.length <= SHOWN) return text
  const [from, to] = windowOf(text, matches)
  const left = from + (bytesBefore > 0 ? 1 : 0) > 0 ? `[${countOf(from, bytesBefore)} cut]` : ''
  const rest = text.length - to
  const right =
    rest > 0 || !isWhole ? `[${rest > 0 ? `${rest} characters` : 'the rest'}${isWhole ? '' : ' or more'} cut]` : ''
  return `${left}${text.slice(from, to)}${right}`
}

function countOf(characters: number, bytes: number): string {
  return [...(bytes > 0 ? [`${bytes} bytes`] : []), ...(characters > 0 ? [`${characters} characters`] : [])].join(
    ' and ',
  )
}

/** Windows half over each other, so that a match up to half a window is in one of them whole. */
function windowOf(text: string, matches: LineTest | null): readonly [from: number, to: number] {
  for (let from = 0; matches !== null && from < text.length; from += SHOWN / 2) {
    const window = edges(text, from, from + SHOWN)
    if (matches(text.slice(...window))) return window
  }
  return edges(text, 0, SHOWN)
}

/** The same places, moved by one where they would cut a surrogate pair. */
function edges(text: string, from: number, to: number): readonly [number, number] {
  const end = Math.min(to, text.length)
  return [
    from > 0 && isLowSurrogate(text.charCodeAt(from)) ? from + 1 : from,
    end < text.length && isHighSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end,
  ]
}
