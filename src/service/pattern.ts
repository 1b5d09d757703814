import type { LineTest } from '../engine/strategies/line-rules.ts'

/** Longest pattern taken, in UTF-16 units. */
export const MAX_PATTERN = 1000
/** Instructions that a compiled pattern may have: matching time is their number times the line's length. */
const MAX_PROGRAM = 5000

export interface PatternOptions {
  readonly ignoreCase?: boolean
  /** Instructions allowed; fewer where a pattern comes with a request. */
  readonly maxProgram?: number
}

/** A compiled pattern. */
export interface Pattern extends LineTest {
  /** Instructions: a character takes about as many steps at worst. */
  readonly size: number
}

/** Compiles a pattern; gives what is wrong for one that can't be used. */
export type CompilePattern = (pattern: string, options?: PatternOptions) => Pattern | { readonly fault: string }

/**
 * The compiler of patterns in RE2 syntax: they run in time linear to the line, whatever the pattern. Its library is
 * loaded on first use: most servers never need it.
 */
export async function loadPatterns(): Promise<CompilePattern> {
  const { RE2JS } = await import('re2js')
  return function compilePattern(pattern, { ignoreCase = false, maxProgram = MAX_PROGRAM } = {}) {
    if (pattern.length > MAX_PATTERN) return { fault: `the pattern is longer than ${MAX_PATTERN} characters` }
    try {
      const compiled = RE2JS.compile(pattern, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0)
      const size = compiled.programSize()
      if (size > maxProgram) return { fault: 'the pattern is too large: use smaller repeat counts' }
      return Object.assign((line: string) => compiled.test(line), { size })
    } catch (error) {
      const words = error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : String(error)
      return { fault: `not a pattern in RE2 syntax: ${words}` }
    }
  }
}
