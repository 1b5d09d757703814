/** A line's fixed text with `{}` where values stand, and the values, in order. */
export interface Template {
  readonly key: string
  readonly parts: readonly string[]
  readonly values: readonly string[]
}

const TOKEN = /[^\s,;=()[\]{}"'|<>]+/g
const DIGIT = /\d/
const DIGITS = /\d+/g
/** Identifiers without a readable shape: hex of four digits or more, long mixtures of letters and digits. */
const OPAQUE = /^[0-9a-fA-F]{4,}(?:-[0-9a-fA-F]{4,}){0,6}$|^(?=[^/]*\d[^/]*[A-Za-z]+[^/]*\d)[\w-]{12,}$/
/** Numbers that tell cases apart, not instances: HTTP and exit statuses. */
const BEFORE_CODE = /(?:" |\b(?:status|code|exit|errno|signal|sqlstate)[=: ]{1,2}|\bHTTP )$/i
const CODE = /^\d{1,3}[.,:]?$/
/** Times inside a line never tell two events apart. */
const TIME = /^(?:\d\d:\d\d:\d\d(?:[.,]\d{1,9})?|\d{4}-\d\d-\d\d(?:T.{1,30})?|\d\d\/[A-Z][a-z]{2}\/\d{4}.{0,20})$/
const LONGEST = 2000

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
    if (CODE.test(token) && BEFORE_CODE.test(line.slice(Math.max(0, match.index - 12), match.index))) continue
    if (TIME.test(token)) {
      lead += `${line.slice(from, match.index)}…`
      from = match.index + token.length
      continue
    }
    parts.push(lead + line.slice(from, match.index))
    lead = ''
    values.push(token)
    shapes.push(OPAQUE.test(token) ? '#' : token.replace(DIGITS, '#'))
    from = match.index + token.length
  }
  parts.push(lead + line.slice(from))
  return { key: parts.map((part, i) => part + (shapes[i] ?? '')).join(''), parts, values }
}

/** Which values differ between records of one template. */
export function varying(all: readonly Template[]): readonly number[] {
  const first = all[0]
  if (!first) return []
  const slots: number[] = []
  first.values.forEach((value, slot) => {
    if (all.some((template) => template.values[slot] !== value)) slots.push(slot)
  })
  return slots
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

/** The values in one place of all records: few are listed, many by their ends and number. */
export function summarise(values: readonly string[], most: number): string {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  const list = [...counts]
  const times = ([value, count]: [string, number]): string => (count > 1 ? `${value} ×${count}` : value)
  if (list.length <= most) return list.map(times).join(' ')
  return `${list.length} different, ${list.slice(0, 3).map(times).join(' ')} … ${list.slice(-1).map(times).join('')}`
}
