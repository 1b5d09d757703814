import type { Block } from '../../strategies/report.ts'

/** `src/a.js:23:20 lint/style/useTemplate  FIXABLE  ━━━━`; a finding on a whole file has no numbers. */
export const HEAD =
  /^((?:[A-Za-z]:)?[^\s:━][^:━]{0,400}?)(?::(\d{1,9}:\d{1,9}))? ((?:lint|assist|suppressions|syntax)\/[\w/]{1,200}|parse|format|organizeImports|plugin)((?: {1,2}[A-Z]{4,12})*) {1,2}━{3,}$/
/** `  × message`: the marks of severity, and of advice. */
const MESSAGE = /^ {2}([×✖!⚠iℹ]) (\S.*)$/
/** `  > 23 │ source`, `     23 │ + added`, the marks under a line, and a cut between two parts. */
const EXCERPT = /^ {2,}>? *(?:\d{1,9} {1,9})?(?:\d{1,9} )?│|^ {2,}>? *\d{1,9} │|^ *\.{3}$|^ {2,}(?:\d{1,9} ){0,2} *·{3}/
const POINTED = /^ *> *(\d{1,9}) │/
const CHANGED = /^[ \d]+│ ([-+]) /
/** Of what a formatter would change, this many lines of each file show what it is about; the rest is counted. */
const SHOWN_CHANGES = 6
/** Longer ones tell it no better. */
const LONG_CHANGE = 200
const FIX = /^(?:Unsafe|Safe) fix: /
const SEVERITY: Readonly<Record<string, string>> = {
  '×': 'error',
  '✖': 'error',
  '!': 'warning',
  '⚠': 'warning',
  i: 'info',
  ℹ: 'info',
}

interface AdvisedBlock extends Block {
  /** Lines of advice that stood elsewhere already. */
  readonly repeated: readonly number[]
}

/**
 * Reads the diagnostic that begins at line `from`; null where none does.
 * @param advised advice that has been shown: each text stands once, each category's fix once
 */
export function readBlock(lines: readonly string[], from: number, advised: Set<string>): AdvisedBlock | null {
  const head = HEAD.exec(lines[from] ?? '')
  if (!head?.[1] || !head[3]) return null
  const restated = [from]
  const excerpt: number[] = []
  const repeated: number[] = []
  const notes: string[] = []
  const changes: string[] = []
  const advice: string[] = []
  let severity = ''
  let message = ''
  let inMessage = false
  let pointed = false
  let removed = 0
  let added = 0
  let i = from + 1
  for (; i < lines.length; i += 1) {
    const line = lines[i] ?? ''
    if (line !== '' && !line.startsWith(' ')) break
    const said = MESSAGE.exec(line)
    if (said?.[1] && said[2]) {
      inMessage = message === ''
      pointed = false
      if (inMessage) {
        severity = SEVERITY[said[1]] ?? ''
        message = said[2]
        restated.push(i)
      } else {
        const key = FIX.test(said[2]) ? `fix ${head[3]}` : said[2]
        if (advised.has(key)) repeated.push(i)
        else {
          if (said[2].endsWith(':')) notes.push(said[2])
          else {
            advised.add(key)
            advice.push(said[2])
          }
          restated.push(i)
        }
      }
    } else if (EXCERPT.test(line)) {
      const at = POINTED.exec(line)?.[1]
      const note = notes.at(-1)
      // What points elsewhere keeps the line that it points to.
      if (at !== undefined && !pointed && note?.endsWith(':')) notes[notes.length - 1] = `${note} ${at}`
      if (at !== undefined) pointed = true
      const change = CHANGED.exec(line)
      if (change?.[1] === '-') removed += 1
      else if (change) added += 1
      if (change && head[3] === 'format' && changes.length < SHOWN_CHANGES && line.length <= LONG_CHANGE) {
        changes.push(line.slice(change[0].length - 2))
        restated.push(i)
      } else excerpt.push(i)
    } else if (line.trim() === '') {
      if (message !== '') inMessage = false
      restated.push(i)
    } else {
      if (inMessage) message += ` ${line.trim()}`
      else notes.push(line)
      restated.push(i)
    }
  }
  if (message === '') return null
  const size = head[3] === 'format' && removed + added > 0 ? ` (-${removed} +${added} lines)` : ''
  const flags = (head[4] ?? '').trim().replace(/ {2,}/g, ' ')
  const text = [severity, head[3], flags, message].filter((part) => part !== '').join(' ')
  return {
    finding: {
      path: head[1],
      place: head[2] ?? '',
      text: `${text}${size}`,
      notes: [...notes, ...changes],
      advice,
      lines: restated,
    },
    excerpt,
    repeated,
    next: i,
  }
}
