/** Finds where a line's body begins by the stamp of a line before it: stamps of one form differ in their digits alone. */
export interface StampForm {
  /** Where the body begins; -1 where the line does not begin as the line that was learnt from. */
  endIn(line: string): number
  /** @param length of the stamp at the line's start, the space after it included */
  learn(line: string, length: number): void
}

const ZERO = 0x30
const NINE = 0x39
/** The first characters of two stamps in a row are mostly the same: date, hour and minute. */
const SAME = 16

const isDigit = (unit: number): boolean => unit >= ZERO && unit <= NINE

export function createStampForm(): StampForm {
  let length = -1
  let units = new Uint16Array(0)
  let begin = ''
  const learn = (line: string, end: number): void => {
    if (units.length < end) units = new Uint16Array(end)
    for (let at = 0; at < end; at += 1) units[at] = line.charCodeAt(at)
    length = end
    begin = line.slice(0, Math.min(end, SAME))
  }
  return {
    learn,
    endIn(line) {
      if (length < 0 || line.length < length) return -1
      const same = line.startsWith(begin)
      for (let at = same ? begin.length : 0; at < length; at += 1) {
        const unit = line.charCodeAt(at)
        const known = units[at] ?? 0
        if (unit !== known && !(isDigit(unit) && isDigit(known))) return -1
      }
      if (!same) learn(line, length)
      return length
    },
  }
}
