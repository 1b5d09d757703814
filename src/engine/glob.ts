/** Longest pattern taken; with it, matching is linear in the text. */
export const MAX_GLOB_LENGTH = 200

/**
 * Whether `text` as a whole matches a glob in which `*` is any run of characters (also none) and `?` any one UTF-16 unit;
 * everything else stands for itself, case included. Two pointers and no backtracking beyond the last `*`: at most
 * `pattern.length * text.length` steps, and patterns are short.
 */
export function matchesGlob(pattern: string, text: string): boolean {
  let p = 0
  let t = 0
  let star = -1
  let resume = 0
  while (t < text.length) {
    const unit = pattern[p]
    if (unit === '*') {
      star = p
      p += 1
      resume = t
    } else if (unit !== undefined && (unit === '?' || unit === text[t])) {
      p += 1
      t += 1
    } else if (star >= 0) {
      p = star + 1
      resume += 1
      t = resume
    } else return false
  }
  while (pattern[p] === '*') p += 1
  return p === pattern.length
}

/** Whether one of the globs matches. */
export function matchesAny(patterns: readonly string[], text: string): boolean {
  return patterns.some((pattern) => matchesGlob(pattern, text))
}

/**
 * The same as `matchesAny` for names that come again and again (a history has few distinct tools): each distinct name is
 * matched once.
 */
export function createMatcher(patterns: readonly string[]): (name: string) => boolean {
  const exact = new Set(patterns.filter((pattern) => !/[*?]/.test(pattern)))
  const globs = patterns.filter((pattern) => !exact.has(pattern))
  const known = new Map<string, boolean>()
  return (name) => {
    let matches = known.get(name)
    if (matches === undefined) {
      matches = exact.has(name) || matchesAny(globs, name)
      known.set(name, matches)
    }
    return matches
  }
}
