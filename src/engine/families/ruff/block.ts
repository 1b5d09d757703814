import type { Block } from '../../strategies/report.ts'

/** full: `F401 [*] …`, below it ` --> a.py:1:8`. */
export const HEAD = /^(?:[A-Z]{1,8}\d{1,5}|invalid-syntax:|unformatted:|io-error:|panic:) \S/
const ARROW = /^ *--> ((?:[A-Za-z]:)?[^:]{1,400})(?::(\d{1,9}:\d{1,9}))?$/
const ELSEWHERE = /^ *::: (\S.{0,400})$/
/** A line of source, of a fix's diff, the marks under it, a cut between two parts. */
export const EXCERPT = /^ *\d{0,9} *\||^ *\d{1,9} {1,9}[+-]|^ {2,}[+-](?: |$)|^-{20,}$|^ *\.{3}$/
const REMOVED = /^ *- |^ *-$/
const ADDED = /^ *\d{1,9} {1,9}\+(?: |$)/
/** A mark with words of its own: `|     - previous definition of `f` here`. */
const LABEL = /^ *\| [ |_]{0,400}(?:\^{1,400}|-{1,400}) (\S.*)$/
const NUMBERED = /^ *(\d{1,9}) *\|/
const REMARK = /^(?:info|note): (.*)$/
const UNSAFE = 'This is an unsafe fix and may change runtime behavior'

/**
 * Reads the finding of the full form that begins at line `from`; null where none does. Source and fix go; what a mark
 * says, remarks and, for a file that is not formatted, the size of its diff stay.
 */
export function readBlock(lines: readonly string[], from: number): Block | null {
  const head = lines[from] ?? ''
  const arrow = HEAD.test(head) ? ARROW.exec(lines[from + 1] ?? '') : null
  if (!arrow?.[1]) return null
  const excerpt: number[] = []
  const notes: string[] = []
  const restated = [from, from + 1]
  let unsafe = ''
  let shown = ''
  let removed = 0
  let added = 0
  let i = from + 2
  for (; i < lines.length; i += 1) {
    const line = lines[i] ?? ''
    const remark = REMARK.exec(line)
    const elsewhere = ELSEWHERE.exec(line)
    if (line.startsWith('help: ')) excerpt.push(i)
    else if (remark) {
      if (remark[1] === UNSAFE) unsafe = ' (unsafe fix)'
      else notes.push(line)
      restated.push(i)
    } else if (elsewhere?.[1]) {
      restated.push(i)
      notes.push(elsewhere[1])
    } else if (EXCERPT.test(line)) {
      const label = LABEL.exec(line)
      shown = NUMBERED.exec(line)?.[1] ?? shown
      if (label?.[1]) notes.push(`${shown}: ${label[1]}`)
      if (REMOVED.test(line)) removed += 1
      else if (ADDED.test(line)) added += 1
      if (label) restated.push(i)
      else excerpt.push(i)
    } else break
  }
  const diff = head.startsWith('unformatted:') ? ` (-${removed} +${added} lines)` : ''
  return {
    finding: { path: arrow[1], place: arrow[2] ?? '', text: `${head}${unsafe}${diff}`, notes, lines: restated },
    excerpt,
    next: i,
  }
}
