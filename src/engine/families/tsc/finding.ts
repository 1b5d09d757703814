import type { Block } from '../../strategies/report.ts'

/** `src/a.ts(12,3): error TS2322: …` */
export const PLAIN =
  /^(\S[^():]{0,400}|[A-Za-z]:[^():]{1,400})\((\d{1,9},\d{1,9})\): (error|warning|message) (TS\d{1,6}: .*)$/
/** `src/a.ts:12:3 - error TS2322: …` */
export const PRETTY =
  /^(\S[^:]{0,400}|[A-Za-z]:[^:]{1,400}):(\d{1,9}:\d{1,9}) - (error|warning|message) (TS\d{1,6}: .*)$/
/** `  src/b.ts:4:17`, behind it ` - …` or, on a later line, what it says. */
const RELATED = /^ {2}(\S[^:]{0,400}:\d{1,9}:\d{1,9})(?: - (.*))?$/
/** A line of source under its number, the marks under it, and `...` between two lines. */
const EXCERPT = /^ *\d{1,7} |^ *\d{1,7}$|^\s*~+\s*$|^ {2,}\.{3}\s*$|^ *$/

/** Reads the finding that begins at line `from`, with its explanation, excerpts and related places; null where none does. */
export function readFinding(lines: readonly string[], from: number): Block | null {
  const line = lines[from] ?? ''
  const head = PLAIN.exec(line) ?? PRETTY.exec(line)
  if (!head?.[1] || !head[2] || !head[3] || !head[4]) return null
  const pretty = !line.startsWith('(', head[1].length)
  const restated = [from]
  const excerpt: number[] = []
  const notes: string[] = []
  let i = from + 1
  // The explanation: indented lines straight below.
  for (; i < lines.length && /^ {2,}\S/.test(lines[i] ?? ''); i += 1) {
    notes.push(lines[i] ?? '')
    restated.push(i)
  }
  if (pretty) {
    for (; i < lines.length; i += 1) {
      const text = lines[i] ?? ''
      const related = RELATED.exec(text)
      if (related) notes.push(related[2] === undefined ? `${related[1]}` : `${related[1]} - ${related[2]}`)
      else if (EXCERPT.test(text)) {
        if (text.trim() === '') restated.push(i)
        else excerpt.push(i)
        continue
      } else if (/^ {4}\S/.test(text)) notes[notes.length - 1] = joined(notes.at(-1), text.trim())
      else break
      restated.push(i)
    }
  }
  const place = pretty ? head[2] : `(${head[2]})`
  const text = head[3] === 'error' ? head[4] : `${head[3]} ${head[4]}`
  return { finding: { path: head[1], place, text, notes, lines: restated }, excerpt, next: i }
}

const joined = (place: string | undefined, text: string): string =>
  place === undefined ? text : `${place}${place.includes(' - ') ? ' ' : ' - '}${text}`
