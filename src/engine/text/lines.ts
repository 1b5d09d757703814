/** Splitting and cutting text by UTF-16 code units, the unit that every count of the engine is in. */

/** The lines of `text`, split at LF before anything else; a text that ends in LF has no final empty line, `''` has none. */
export function splitLines(text: string): string[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** Whether half of a surrogate pair stands alone: such a string has no UTF-8 form that gives it back. */
export function hasLoneSurrogate(text: string): boolean {
  return !text.isWellFormed()
}

export function isHighSurrogate(unit: number): boolean {
  return (unit & 0xfc00) === 0xd800
}

export function isLowSurrogate(unit: number): boolean {
  return (unit & 0xfc00) === 0xdc00
}

/** The first `units` code units of `text`, one fewer where the cut would split a surrogate pair. */
export function cutAt(text: string, units: number): string {
  const splits = isHighSurrogate(text.charCodeAt(units - 1)) && isLowSurrogate(text.charCodeAt(units))
  return text.slice(0, Math.max(0, splits ? units - 1 : units))
}
