import { endOfAnsiQuotes, endOfSubstitution } from './substitution.ts'

export interface Word {
  /** The word with its quotes removed; substitutions stand in it as they were written. */
  readonly text: string
  /** How many of its first code units stood outside quotes: keywords, assignments and numbers count only there. */
  readonly bare: number
  /** Index of the first code unit after the word. */
  readonly end: number
}

const ENDS = ' \t\r\n|&;()<>'
const SPECIAL = `${ENDS}\\'"$\``
const WINDOWS_PATH = /^(?:[A-Za-z]:|\.{1,2})\\/

/**
 * Reads the shell word that starts at `start` (POSIX 2.2 quoting, and `$'…'`); null where a quote or a substitution never
 * closes. A word that starts like a path of Windows (`C:\`, `.\`) keeps its backslashes.
 */
export function readWord(text: string, start: number): Word | null {
  const windows = WINDOWS_PATH.test(text.slice(start, start + 4))
  let word = ''
  let bare = -1
  let i = start
  function quoted(): void {
    if (bare < 0) bare = word.length
  }
  while (i < text.length) {
    const unit = text[i] ?? ''
    const next = text[i + 1] ?? ''
    if (unit === '\\') {
      if (next === '\n') i += 2
      else if (windows && !' \'"'.includes(next)) {
        word += unit
        i += 1
      } else {
        quoted()
        word += next
        i += 2
      }
    } else if (unit === "'") {
      const end = text.indexOf("'", i + 1)
      if (end < 0) return null
      quoted()
      word += text.slice(i + 1, end)
      i = end + 1
    } else if (unit === '$' && next === "'") {
      const end = endOfAnsiQuotes(text, i + 1)
      if (end < 0) return null
      quoted()
      word += unescapeAnsi(text.slice(i + 2, end - 1))
      i = end
    } else if (unit === '"' || (unit === '$' && next === '"')) {
      const piece = readDoubleQuotes(text, unit === '"' ? i + 1 : i + 2)
      if (piece === null) return null
      quoted()
      word += piece.text
      i = piece.end
    } else if (startsSubstitution(unit, next) || ((unit === '<' || unit === '>') && next === '(')) {
      const end = endOfSubstitution(text, i)
      if (end < 0) return null
      quoted()
      word += text.slice(i, end)
      i = end
    } else if (ENDS.includes(unit)) break
    else {
      const from = i
      i += 1
      while (i < text.length && !SPECIAL.includes(text[i] ?? '')) i += 1
      word += text.slice(from, i)
    }
  }
  return { text: word, bare: bare < 0 ? word.length : bare, end: i }
}

function startsSubstitution(unit: string, next: string): boolean {
  return unit === '`' || (unit === '$' && (next === '(' || next === '{'))
}

function readDoubleQuotes(text: string, from: number): { text: string; end: number } | null {
  let content = ''
  let copied = from
  let i = from
  while (i < text.length) {
    const unit = text[i] ?? ''
    const next = text[i + 1] ?? ''
    if (unit === '"') return { text: content + text.slice(copied, i), end: i + 1 }
    if (unit === '\\' && '$`"\\\n'.includes(next)) {
      content += text.slice(copied, i) + (next === '\n' ? '' : next)
      i += 2
      copied = i
    } else if (startsSubstitution(unit, next)) {
      i = endOfSubstitution(text, i)
      if (i < 0) return null
    } else i += 1
  }
  return null
}

const ANSI: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  e: '\x1b',
  f: '\f',
  v: '\v',
}
const ANSI_ESCAPE = /\\(?:x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|([0-7]{1,3})|([\s\S]))/g

function unescapeAnsi(content: string): string {
  return content.replace(ANSI_ESCAPE, (_, hex, unicode, octal, other) => {
    if (hex !== undefined || unicode !== undefined) return String.fromCharCode(Number.parseInt(hex ?? unicode, 16))
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8))
    return ANSI[other] ?? other
  })
}
