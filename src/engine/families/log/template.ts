/** A line's fixed text with `{}` where values stand, and the values, in order. */
export interface Template {
  readonly key: string
  /** Texts around the values, one more than there are values. */
  readonly parts: readonly string[]
  readonly values: readonly string[]
  /** What each value is in the key: `#` for its digits, or for all of it. */
  readonly shapes: readonly string[]
}

const TOKEN = /[^\s,;=()[\]{}"'|<>]+/g
const DIGIT = /\d/
const DIGITS = /\d+/g
/** Identifiers without a readable shape: hex of four digits or more, long mixtures of letters and digits. */
const OPAQUE = /^[0-9a-fA-F]{4,}(?:-[0-9a-fA-F]{4,}){0,6}$|^(?=[^/]*\d[^/]*[A-Za-z]+[^/]*\d)[\w-]{12,}$/
/** Numbers that tell cases apart, not instances: HTTP and exit statuses. */
const BEFORE_CODE = /(?:" |\b(?:status|code|exit|errno|signal|sqlstate)[=: ]{1,2}|\bHTTP )$/i
const CODE = /^\d{1,3}[.,:]?$/
/** So far back it is read what stands before a code. */
const LOOK_BACK = 12
/** Times inside a line never tell two events apart. */
const TIME = /^(?:\d\d:\d\d:\d\d(?:[.,]\d{1,9})?|\d{4}-\d\d-\d\d(?:T.{1,30})?|\d\d\/[A-Z][a-z]{2}\/\d{4}.{0,20})$/
export const TIME_SIGN = '…'
export const LONGEST = 2000

export const isOpaque = (token: string): boolean => OPAQUE.test(token)
export const isTime = (token: string): boolean => TIME.test(token)
/** Whether a number behind this text is a code. */
export const precedesCode = (text: string): boolean => BEFORE_CODE.test(text.slice(-LOOK_BACK))

/** Reads the template of a line; values longer than a word keep their shape in it (`/orders/#`). */
export function readTemplate(text: string): Template {
  const line = text.length > LONGEST ? text.slice(0, LONGEST) : text
  const parts: string[] = []
  const values: string[] = []
  const shapes: string[] = []
  let from = 0
  let lead = ''
  for (const match of line.matchAll(TOKEN)) {
    const token = match[0]
    if (!DIGIT.test(token) || token.startsWith('HTTP/')) continue
    if (CODE.test(token) && precedesCode(line.slice(Math.max(0, match.index - LOOK_BACK), match.index))) continue
    if (isTime(token)) {
      lead += `${line.slice(from, match.index)}${TIME_SIGN}`
      from = match.index + token.length
      continue
    }
    parts.push(lead + line.slice(from, match.index))
    lead = ''
    values.push(token)
    shapes.push(isOpaque(token) ? '#' : token.replace(DIGITS, '#'))
    from = match.index + token.length
  }
  parts.push(lead + line.slice(from))
  return { key: parts.map((part, i) => part + (shapes[i] ?? '')).join(''), parts, values, shapes }
}

/** The template's text with `{1}`, `{2}` where values differ, the others in their place. */
export function textOf(template: Template, slots: readonly number[]): string {
  const parts: string[] = []
  const places = new Map(slots.map((slot, at) => [slot, at]))
  template.parts.forEach((part, i) => {
    parts.push(part)
    const value = template.values[i]
    if (value === undefined) return
    const at = places.get(i)
    parts.push(at === undefined ? value : `{${at + 1}}`)
  })
  return parts.join('')
}
