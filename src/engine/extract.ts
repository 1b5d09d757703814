import { rankSignals } from './rank.ts'
import { factsOf } from './signals.ts'
import { cutAt } from './text/lines.ts'
import { estimateTokens } from './text/tokens.ts'

/** A line is cut here: one minified line would take the whole preview. */
const LINE_CHARS = 160
/** Share of the bound for the first lines; verdicts and errors stand last. */
const HEAD_SHARE = 0.35
/** A line of a condensed text costs its line end, and about every other one a gap's line before it. */
const LINE_COST = 2
/** The condensed text's own markers. */
const GAP = /^\[filtered: /

/** The text's first and last lines within the bound, blank lines left out, the gap between them counted. */
export function extract(text: string, bound: number): string {
  const whole = text.length <= bound * 8 ? text.trim() : ''
  if (whole !== '' && estimateTokens(whole) <= bound) return whole
  const all = text.length
  const head: string[] = []
  let left = bound * HEAD_SHARE
  let at = 0
  let lines = 0
  while (at < all) {
    const end = lineEnd(text, at)
    const line = lineFrom(text, at, end)
    const cost = estimateTokens(line) + 1
    if (line !== '') {
      if (cost > left && head.length > 0) break
      head.push(cost > left ? fit(line, left) : line)
      left -= cost
    }
    at = end + 1
    if (left <= 0) break
  }
  const tail: string[] = []
  left = bound * (1 - HEAD_SHARE)
  let end = all
  while (end > at) {
    const start = text.lastIndexOf('\n', end - 1) + 1
    const from = Math.max(start, at)
    const line = lineFrom(text, from, end)
    const cost = estimateTokens(line) + 1
    if (line !== '') {
      if (cost > left) break
      tail.push(line)
      left -= cost
    }
    end = from - 1
  }
  if (end > at) {
    for (let i = at; i < end; i = lineEnd(text, i) + 1) lines += 1
    if (lines > 0) tail.push(`[… ${lines} lines]`)
  }
  tail.reverse()
  return [...head, ...tail].join('\n')
}

/**
 * What a condensed text says first, within the bound: the signal that tells most, its opening line, its other
 * signals by rank, then its last lines.
 * A gap is one `…`; the text's own markers of gaps go with the gaps.
 */
export function extractSignals(text: string, bound: number): string {
  if (text.length <= bound * 8 && estimateTokens(text) <= bound) return text.trim()
  const lines = text.split('\n')
  const taken = new Set<number>()
  let left = bound
  /** False where the line does not fit. */
  const take = (at: number): boolean => {
    const line = lines[at] ?? ''
    if (taken.has(at) || line.trim() === '' || GAP.test(line)) return true
    const cost = estimateTokens(shorten(line)) + LINE_COST
    if (cost > left) return false
    taken.add(at)
    left -= cost
    return true
  }
  const ranked = rankSignals(factsOf(lines).values()).map(({ line }) => line)
  const best = ranked[0] ?? lines.findIndex((line) => line.trim() !== '' && !GAP.test(line))
  if (!take(best)) return fit(shorten(lines[best] ?? ''), bound)
  take(0)
  for (const line of ranked) take(line)
  for (let at = lines.length - 1; at > 0 && take(at); at -= 1);
  if (taken.size === 0) return extract(text, bound)
  const shown: string[] = []
  let next = 0
  for (const at of [...taken].sort((a, b) => a - b)) {
    if (at > next) shown.push('…')
    shown.push(shorten(lines[at] ?? ''))
    next = at + 1
  }
  if (next < lines.length) shown.push('…')
  return shown.join('\n')
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}

/** The line from `start` to `end`, shortened: no more of it is looked at than may be shown. */
function lineFrom(text: string, start: number, end: number): string {
  return shorten(cutAt(text.slice(start, end), LINE_CHARS + 1))
}

/** The line without white space at its ends, cut to LINE_CHARS units. */
function shorten(line: string): string {
  const text = line.trim()
  return text.length > LINE_CHARS ? `${cutAt(text, LINE_CHARS - 1)}…` : text
}

/** The longest beginning within the bound, of at least one character. */
function fit(line: string, bound: number): string {
  let length = line.length
  while (length > 8 && estimateTokens(line.slice(0, length)) > bound) length = length >> 1
  return length < line.length ? `${cutAt(line, length)}…` : line
}
