import { RE2JS } from 're2js'
import type { LineTest } from '../engine/strategies/line-rules.ts'

/** Longest pattern taken, in UTF-16 units. */
export const MAX_PATTERN = 1000
/** Instructions that a compiled pattern may have: matching time is their number times the line's length. */
const MAX_PROGRAM = 5000

/**
 * Compiles a pattern in RE2 syntax: it runs in time linear to the line, whatever the pattern.
 * @returns what is wrong, for a pattern that can't be used
 */
export function compilePattern(pattern: string): LineTest | { readonly fault: string } {
  if (pattern.length > MAX_PATTERN) return { fault: `the pattern is longer than ${MAX_PATTERN} characters` }
  try {
    const compiled = RE2JS.compile(pattern)
    if (compiled.programSize() > MAX_PROGRAM) return { fault: 'the pattern is too large: use smaller repeat counts' }
    return (line) => compiled.test(line)
  } catch (error) {
    const words = error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : String(error)
    return { fault: `not a pattern in RE2 syntax: ${words}` }
  }
}
