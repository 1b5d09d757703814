import { cutMarker } from '../../marker.ts'
import { isHighSurrogate, isLowSurrogate } from '../../text/lines.ts'

/** Lines up to this length stand whole; of a longer pair this much stays beside what differs. */
const LONG = 400
const BESIDE = 60

/**
 * A removed and an added line that are both overlong, each without what they share at either end: what differs stays
 * whole. Null where that would not make them much shorter.
 */
export function shortenPair(removed: string, added: string): { removed: string; added: string } | null {
  const shorter = Math.min(removed.length, added.length)
  if (shorter < LONG) return null
  let head = 1
  while (head < shorter && removed.charCodeAt(head) === added.charCodeAt(head)) head += 1
  let tail = 0
  while (
    tail < shorter - head &&
    removed.charCodeAt(removed.length - 1 - tail) === added.charCodeAt(added.length - 1 - tail)
  )
    tail += 1
  head -= BESIDE
  tail -= BESIDE
  if (head > 1 && isHighSurrogate(removed.charCodeAt(head - 1))) head -= 1
  if (tail > 0 && isLowSurrogate(removed.charCodeAt(removed.length - tail))) tail -= 1
  const cut = Math.max(0, head - 1) + Math.max(0, tail)
  if (cut < LONG / 2) return null
  const shown = (line: string): string => {
    const from = head > 1 ? `${line[0]}${marker(head - 1)}` : line[0]
    const to = tail > 0 ? marker(tail) : ''
    return `${from}${line.slice(Math.max(1, head), tail > 0 ? line.length - tail : undefined)}${to}`
  }
  return { removed: shown(removed), added: shown(added) }
}

const marker = (count: number): string => cutMarker(count, 'git-diff, the same in the other line')
