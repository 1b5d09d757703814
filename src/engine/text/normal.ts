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

const QUOTED = /"[^"]{0,200}"|'[^']{0,200}'|`[^`]{0,200}`/g
const HEXISH = /\b(?=[0-9a-f-]{0,40}\d)[0-9a-f]{6,40}(?:-[0-9a-f]{4,12}){0,5}\b/gi
const NUMBER = /\d{1,40}/g

/** A line's template: its fact key with quoted text, hex strings and numbers replaced, for grouping like lines. */
export function templateOf(text: string): string {
  return factKey(text).replace(QUOTED, '""').replace(HEXISH, '#').replace(NUMBER, '#')
}
