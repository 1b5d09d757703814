/** Finds where a substitution ends, without reading what it means: its text is not known before it has run. */

/** What the scanner is inside of: a command in parentheses, arithmetic, double quotes, `${…}`. */
type Inside = 'command' | 'math' | 'quotes' | 'braces'

/** A here-document that was announced (`<<EOF`) and whose body starts after the line's end. */
export interface HereDocument {
  readonly delimiter: string
  /** `<<-`: leading tabs of the delimiter line do not count. */
  readonly tabs: boolean
}

/**
 * End of the substitution that starts at `start` with `$(`, `${`, a backtick, `<(` or `>(`: the index after its closing
 * character; -1 where it never closes. Nesting is kept on a stack of its own, so that depth costs no recursion.
 */
export function endOfSubstitution(text: string, start: number): number {
  if (text[start] === '`') return endOfBackticks(text, start)
  const stack: Inside[] = [opened(text, start)]
  const pending: HereDocument[] = []
  let i = start + 2
  while (i < text.length) {
    const inside = stack.at(-1)
    const unit = text[i]
    if (unit === '\\') i += 2
    else if (unit === '`') {
      i = endOfBackticks(text, i)
      if (i < 0) return -1
    } else if (unit === '$' && (text[i + 1] === '(' || text[i + 1] === '{')) {
      stack.push(opened(text, i))
      i += 2
    } else if (unit === '"') {
      if (inside === 'quotes') stack.pop()
      else stack.push('quotes')
      i += 1
    } else if (inside === 'quotes') i += 1
    else if (inside === 'braces') {
      if (unit === '}') stack.pop()
      i += 1
    } else if (unit === '(') {
      stack.push(inside ?? 'command')
      i += 1
    } else if (unit === ')') {
      stack.pop()
      i += 1
    } else if (inside === 'math') i += 1
    else {
      i = stepInCommand(text, i, pending)
      if (i < 0) return -1
    }
    if (stack.length === 0) return i
  }
  return -1
}

function opened(text: string, at: number): Inside {
  if (text[at + 1] === '{') return 'braces'
  return text[at] === '$' && text[at + 2] === '(' ? 'math' : 'command'
}

function endOfBackticks(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i += 1) {
    if (text[i] === '\\') i += 1
    else if (text[i] === '`') return i + 1
  }
  return -1
}

/** One step inside a command: quotes, comments and here-documents hide parentheses. */
function stepInCommand(text: string, i: number, pending: HereDocument[]): number {
  const unit = text[i]
  if (unit === "'") {
    if (text[i - 1] === '$') return endOfAnsiQuotes(text, i)
    const end = text.indexOf("'", i + 1)
    return end < 0 ? -1 : end + 1
  }
  if (unit === '#' && ' \t\n;(&|'.includes(text[i - 1] ?? ' ')) {
    const end = text.indexOf('\n', i)
    return end < 0 ? -1 : end
  }
  if (unit === '<' && text[i + 1] === '<') {
    if (text[i + 2] === '<') return i + 3
    return readDelimiter(text, i + 2, pending)
  }
  if (unit === '\n' && pending.length > 0) return skipHereDocuments(text, i + 1, pending)
  return i + 1
}

/** End of `$'…'`, given the index of its first quote; -1 where it never closes. */
export function endOfAnsiQuotes(text: string, quote: number): number {
  for (let i = quote + 1; i < text.length; i += 1) {
    if (text[i] === '\\') i += 1
    else if (text[i] === "'") return i + 1
  }
  return -1
}

function readDelimiter(text: string, from: number, pending: HereDocument[]): number {
  const tabs = text[from] === '-'
  let i = tabs ? from + 1 : from
  while (text[i] === ' ' || text[i] === '\t') i += 1
  let delimiter = ''
  for (; i < text.length && !' \t\r\n;&|<>()'.includes(text[i] ?? ''); i += 1)
    if (!'\'"\\'.includes(text[i] ?? '')) delimiter += text[i]
  if (delimiter !== '') pending.push({ delimiter, tabs })
  return i
}

/** The index after the bodies of the announced here-documents, whose first line starts at `from`; empties the list. */
export function skipHereDocuments(text: string, from: number, pending: HereDocument[]): number {
  let i = from
  for (const { delimiter, tabs } of pending.splice(0)) {
    while (i < text.length) {
      const newline = text.indexOf('\n', i)
      const end = newline < 0 ? text.length : newline
      let start = i
      while (tabs && text[start] === '\t') start += 1
      const last = text[end - 1] === '\r' ? end - 1 : end
      i = Math.min(text.length, end + 1)
      if (last - start === delimiter.length && text.startsWith(delimiter, start)) break
    }
  }
  return i
}
