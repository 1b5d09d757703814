/** Reading what gcc and clang print: a diagnostic, the lines that lead to it, its excerpt and its notes. */

export interface Remark {
  readonly path: string
  /** `12:3` or `12`. */
  readonly place: string
  readonly text: string
  /** Lines of its own, and of the excerpt below it. */
  readonly line: number
  readonly excerpt: readonly number[]
  /** The excerpt's first line of code; empty where there is none. */
  readonly code: string
  /** Lines before it that say how the compiler came there. */
  readonly context: readonly number[]
}

export interface Unit extends Remark {
  readonly severity: 'error' | 'warning'
  readonly notes: readonly Remark[]
}

const DIAGNOSTIC =
  /^((?:[A-Za-z]:)?[^\s:()'"`|]{1,4000}):(\d{1,9}(?::\d{1,9})?): ((?:fatal )?error|warning|note|remark): +(.*)$/
export const INCLUDED = /^In file included from (\S{1,4000}:\d{1,9})(?::\d{1,9})?[,:]$/
export const FROM = /^ {2,40}from (\S{1,4000}:\d{1,9})(?::\d{1,9})?[,:]$/
const SCOPE = /^\S{1,4000}: (?:In|At) .{1,4000}:$/
const REQUIRED =
  /^\S{1,4000}:\d{1,9}(?::\d{1,9})?: {2,3}(?:required |recursively required |in .{1,40} expansion |\[ ?skipping )/
const GUTTER = /^ *\d{0,9} \|/
/** clang points at the line above without a gutter. */
const CARET = /^[ \t~^]+$/
const C_FILE = /\.(?:c|cc|cpp|cxx|c\+\+|h|hh|hpp|hxx|inl|ipp|tcc|cu|cuh|m|mm|s|S)$/

const isCaret = (line: string): boolean => CARET.test(line) && line.trim() !== ''

const isContext = (line: string): boolean =>
  INCLUDED.test(line) || FROM.test(line) || SCOPE.test(line) || REQUIRED.test(line)

/** Whether a line is a diagnostic of a C-family source beyond doubt. */
export function isCDiagnostic(line: string): boolean {
  const match = DIAGNOSTIC.exec(line)
  return match !== null && C_FILE.test(match[1] ?? '')
}

/** Headers that come with the compiler or the system: notes there seldom help. */
export const isSystem = (path: string): boolean =>
  /^\/(?:usr|opt|Library|Applications)\/|\/include\/c\+\+\/|^[A-Z]:\\Program Files/.test(path)

/** All diagnostics in the lines, in order, each note with the one that it belongs to. */
export function readUnits(lines: readonly string[]): Unit[] {
  const units: (Omit<Unit, 'notes'> & { notes: Remark[] })[] = []
  let context: number[] = []
  for (let i = 0; i < lines.length; i += 1) {
    const line = lines[i] ?? ''
    const match = DIAGNOSTIC.exec(line)
    if (!match) {
      if (isContext(line)) context.push(i)
      else context = []
      continue
    }
    const [, path = '', place = '', severity = '', text = ''] = match
    const { excerpt, code, end } = readExcerpt(lines, i + 1)
    const remark: Remark = { path, place, text, line: i, excerpt, code, context }
    context = []
    const owner = units.at(-1)
    if (severity === 'note' && owner) owner.notes.push(remark)
    else units.push({ ...remark, severity: severity.endsWith('error') ? 'error' : 'warning', notes: [] })
    i = end - 1
  }
  return units
}

function readExcerpt(lines: readonly string[], from: number): { excerpt: number[]; code: string; end: number } {
  const excerpt: number[] = []
  let end = from
  while (end < lines.length && GUTTER.test(lines[end] ?? '')) {
    excerpt.push(end)
    end += 1
  }
  if (excerpt.length > 0) return { excerpt, code: (lines[from] ?? '').replace(GUTTER, '').trim(), end }
  if (!isCaret(lines[from + 1] ?? '') || DIAGNOSTIC.test(lines[from] ?? '')) return { excerpt, code: '', end: from }
  end = from + 2
  // What to put in stands below the caret.
  const fix = lines[end] ?? ''
  if (/^\s+\S/.test(fix) && !isContext(fix) && !DIAGNOSTIC.test(fix) && !isCaret(lines[end + 1] ?? '')) end += 1
  for (let i = from; i < end; i += 1) excerpt.push(i)
  return { excerpt, code: (lines[from] ?? '').trim(), end }
}
