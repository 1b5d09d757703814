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
  let form: string | null = null
  let begin = ''
  const learn = (line: string, length: number): void => {
    form = line.slice(0, length)
    begin = form.slice(0, SAME)
  }
  return {
    learn,
    endIn(line) {
      if (form === null || line.length < form.length) return -1
      const same = line.startsWith(begin)
      for (let at = same ? begin.length : 0; at < form.length; at += 1) {
        const unit = line.charCodeAt(at)
        const known = form.charCodeAt(at)
        if (unit !== known && !(isDigit(unit) && isDigit(known))) return -1
      }
      if (!same) learn(line, form.length)
      return form.length
    },
  }
}
