import { DEFAULT_HINT, gapMarker, writeTrailer } from '../engine/marker.ts'
import { cutAt, isHighSurrogate } from '../engine/text/lines.ts'
import { countLines } from './streams.ts'
import type { LineCount } from './types.ts'

export interface Bounded {
  readonly text: string
  readonly lines: LineCount
}

/** What the marker and the trailer add at most; a text that is over its bound by less is left as it is. */
const ROOM_FOR_MARKERS = 600

/**
 * Head and tail of a text that could be neither filtered nor stored, for operators who fail closed. Cut at line ends
 * where there are any, else inside a line (which then counts as elided); the trailer says that nothing is stored, and
 * is recognised when the result is filtered again. Null where the text is within its bound as it is.
 * @param keep UTF-16 units at each end
 * @param why reason code, for the marker
 * @param tokens estimated tokens of the text, for the trailer
 */
export function boundText(text: string, keep: number, why: string, tokens: number): Bounded | null {
  if (text.length <= 2 * keep + ROOM_FOR_MARKERS) return null
  const headEnd = text.lastIndexOf('\n', keep - 1) + 1
  const head = headEnd > 0 ? text.slice(0, headEnd) : `${cutAt(text, keep)}\n`
  const from = text.length - keep
  const lineEnd = text.indexOf('\n', from - 1)
  const aligned = lineEnd !== -1 && lineEnd < text.length - 1
  const tail = aligned ? text.slice(lineEnd + 1) : cutAfter(text, from)

  const all = countLines(text)
  const kept = (headEnd > 0 ? countLines(head) : 0) + (aligned ? countLines(tail) : 0)
  const lines = { in: all, kept, restated: 0, elided: all - kept }
  const body = `${head}${gapMarker(lines.elided, `cut to head and tail, not stored (${why})`)}\n${tail.replace(/\n$/, '')}`
  const trailer = { elided: lines.elided, lines: all, by: 'bounded', chars: text.length, tokens, id: null }
  return { text: `${body}\n${writeTrailer(trailer, DEFAULT_HINT, body)}\n`, lines }
}

/** What stands from `start` on, one unit less where that would begin with half of a surrogate pair. */
function cutAfter(text: string, start: number): string {
  return text.slice(isHighSurrogate(text.charCodeAt(start - 1)) ? start + 1 : start)
}
