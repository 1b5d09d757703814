/**
 * What varies between two runs of one command, and is no part of a fact: timestamps, durations, addresses.
 * All patterns here are bounded (no nested or adjacent open repeats), so they run in linear time.
 */
const STAMP =
  /\d{4}[-/]\d\d[-/]\d\d[T _]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?: ?(?:Z|UTC|[+-]\d\d:?\d\d))?|\b[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d\b|\b\d\d:\d\d:\d\d(?:[.,]\d{1,9})?\b/g
const DURATION =
  /(?<![\w.:])\d{1,12}(?:\.\d{1,12})? ?(?:ns|µs|us|ms|s|sec|secs|seconds|m|min|minutes)(?:\d{1,2}(?:\.\d{1,9})?s)?(?![\w])/g
const ADDRESS = /0x[0-9a-fA-F]{1,16}\b/g
const SPACE = /[ \t]+/g

/** The timestamp at the start of a log line, with the space after it: `2026-01-02T03:04:05.6789012Z `. */
export const LEADING_STAMP =
  /^\uFEFF?[[(]?(?:\d{4}[-/]\d\d[-/]\d\d[T _]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?: ?(?:Z|UTC|[+-]\d\d:?\d\d))?|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|\d\d:\d\d:\d\d(?:[.,]\d{1,9})?)[\])]?:? ?/

/** A line's text as a fact's key: without timestamps, durations and addresses, spaces collapsed. Cut at 500 units. */
export function factKey(text: string): string {
  const cut = text.length > 500 ? text.slice(0, 500) : text
  const bare = /\d/.test(cut) ? cut.replace(STAMP, '').replace(DURATION, '').replace(ADDRESS, '') : cut
  return bare.replace(SPACE, ' ').trim()
}

/** A line without its leading timestamp. */
export function withoutStamp(line: string): string {
  return MAY_BE_STAMPED.test(line) ? line.replace(LEADING_STAMP, '') : line
}
const MAY_BE_STAMPED = /^[[(\uFEFF]?[[(]?\d\d|^[A-Z][a-z]{2} [ \d]/

const QUOTE = 0x22
const HASH = 0x23
const DASH = 0x2d

/**
 * A number that like lines share: words with a digit in them (numbers, ids, times) and text in double quotes count as
 * one sign each. One pass without allocation; two different templates may, rarely, share a number, so it only ranks.
 */
export function templateHash(line: string): number {
  let hash = 0x811c9dc5
  let word = 0
  let digit = false
  let quoted = false
  for (let i = 0; i <= line.length && i < 400; i += 1) {
    const unit = i < line.length ? line.charCodeAt(i) : 0
    if (unit === QUOTE) quoted = !quoted
    if (quoted) continue
    const isDigit = unit >= 0x30 && unit <= 0x39
    if (isDigit || (unit >= 0x41 && unit <= 0x5a) || (unit >= 0x61 && unit <= 0x7a) || unit === 0x5f || unit === DASH) {
      word = Math.imul(word ^ unit, 0x01000193)
      if (isDigit) digit = true
      continue
    }
    hash = Math.imul(hash ^ (digit ? HASH : word), 0x01000193)
    hash = Math.imul(hash ^ unit, 0x01000193)
    word = 0
    digit = false
  }
  return hash >>> 0
}

const QUOTED = /"[^"]{0,200}"|'[^']{0,200}'|`[^`]{0,200}`/g
const HEXISH = /\b(?=[0-9a-f-]{0,40}\d)[0-9a-f]{6,40}(?:-[0-9a-f]{4,12}){0,5}\b/gi
const NUMBER = /\d{1,40}/g

/** A line with its numbers and hex strings replaced; what it quotes and names stays. Empty for a line that a key would cut. */
export function numberlessOf(text: string): string {
  return text.length > 500 ? '' : factKey(text).replace(HEXISH, '#').replace(NUMBER, '#')
}

/** A line's template: its fact key with quoted text, hex strings and numbers replaced, for grouping like lines. */
export function templateOf(text: string): string {
  return factKey(text).replace(QUOTED, '""').replace(HEXISH, '#').replace(NUMBER, '#')
}
