/** Reading the JSON that a tool printed, also where it is cut off, or other text stands around it. */

/** The JSON value of an output, and the lines that it takes. */
export interface PrintedJson {
  readonly value: unknown
  readonly from: number
  /** Exclusive. */
  readonly to: number
  /** False where the text ends before the value does: `value` is what could be read. */
  readonly complete: boolean
}

/**
 * Finds the first line that `opens` a JSON array or object, and reads the value from there to its end. What stands
 * behind the value on its last line must be blank.
 * @returns null where no line opens one, or the text is no JSON
 */
export function findJson(lines: readonly string[], opens: (line: string) => boolean): PrintedJson | null {
  const from = lines.findIndex((line, i) => i < 200 && opens(line))
  if (from < 0) return null
  let text = lines[from] ?? ''
  let read = readJson(text)
  let to = from + 1
  if (read === null || !read.complete) {
    text = lines.slice(from).join('\n')
    read = readJson(text)
    if (read === null) return null
    const used = text.slice(0, read.end)
    to = from + used.split('\n').length
  }
  const lineEnd = text.indexOf('\n', read.end)
  if (text.slice(read.end, lineEnd < 0 ? text.length : lineEnd).trim() !== '') return null
  return { value: read.value, from, to, complete: read.complete }
}

/**
 * Reads the JSON array or object that a text begins with. Where the text ends before the value does, the complete part
 * of it is read: open arrays and objects are closed behind the last complete member.
 */
export function readJson(text: string): { value: unknown; end: number; complete: boolean } | null {
  const open: string[] = []
  let safe = -1
  for (let i = 0; i < text.length; i += 1) {
    const char = text[i]
    if (char === '"') {
      i = endOfString(text, i)
      continue
    }
    if (char === '[' || char === '{') {
      open.push(char === '[' ? ']' : '}')
      safe = i + 1
    } else if (char === ']' || char === '}') {
      if (open.pop() !== char) return null
      safe = i + 1
      if (open.length === 0) return parsed(text.slice(0, safe), safe, true)
    } else if (char === ',') safe = i
    else if (open.length === 0 && char !== ' ' && char !== '\n') return null
  }
  if (safe < 0) return null
  const cut = text.slice(0, safe)
  return parsed(`${cut}${closersOf(cut)}`, text.length, false)
}

function parsed(json: string, end: number, complete: boolean): ReturnType<typeof readJson> {
  try {
    const value: unknown = JSON.parse(json)
    return { value, end, complete }
  } catch {
    return null
  }
}

/** Index of the quote that closes the string opened at `from`; the text's length where none does. */
function endOfString(text: string, from: number): number {
  for (let i = from + 1; i < text.length; i += 1) {
    if (text[i] === '\\') i += 1
    else if (text[i] === '"') return i
  }
  return text.length
}

function closersOf(text: string): string {
  const open: string[] = []
  for (let i = 0; i < text.length; i += 1) {
    const char = text[i]
    if (char === '"') i = endOfString(text, i)
    else if (char === '[' || char === '{') open.push(char === '[' ? ']' : '}')
    else if (char === ']' || char === '}') open.pop()
  }
  return open.reverse().join('')
}

/**
 * JSON arrays and objects that are printed over several lines, by the line that opens each: a bracket alone on its line,
 * and the next line that is its counterpart. What does not parse is none.
 */
export function printedJson(lines: readonly string[]): Map<number, { value: unknown; to: number }> {
  const found = new Map<number, { value: unknown; to: number }>()
  const unclosed = new Set<string>()
  for (let i = 0; i < lines.length; i += 1) {
    const closer = lines[i] === '[' ? ']' : lines[i] === '{' ? '}' : null
    if (closer === null || unclosed.has(closer)) continue
    let end = i + 1
    while (end < lines.length && lines[end] !== closer) end += 1
    if (end === lines.length) {
      unclosed.add(closer)
      continue
    }
    const json = parsed(lines.slice(i, end + 1).join('\n'), end, true)
    if (json) found.set(i, { value: json.value, to: end + 1 })
    i = end
  }
  return found
}

/** The member `key` of an object; undefined for any other value. */
export function memberOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Reflect.get(value, key) : undefined
}

/** The member as text: strings and numbers, else empty. */
export function textOf(value: unknown, key: string): string {
  const member = memberOf(value, key)
  return typeof member === 'string' ? member : typeof member === 'number' ? `${member}` : ''
}

/** The value as a list; empty where it is none. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** The member as a list; empty where it is none. */
export const listIn = (value: unknown, key: string): readonly unknown[] => listOf(memberOf(value, key))

/** `12:3` of a line and a column, as far as they are given. */
export function placeOf(line: string, column: string): string {
  return line === '' || line === '0' ? '' : column === '' || column === '0' ? line : `${line}:${column}`
}
