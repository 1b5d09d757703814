/** Reading rustc's diagnostics in their human form: a head, a place, an excerpt, notes and suggestions. */

/** A line that goes, and what its marker calls it. */
export interface Dropped {
  readonly line: number
  readonly what: string
}

export interface RustBlock {
  readonly level: 'error' | 'warning'
  /** The head line as rustc writes it: `error[E0308]: mismatched types`. */
  readonly head: string
  readonly path: string
  /** `12:3`; empty, like the path, where the diagnostic has no place. */
  readonly place: string
  /** The lint that found it, where the block says so: `unused_mut`, `clippy::needless_return`. */
  readonly lint: string
  /** The first line of code that a suggestion puts in. */
  readonly suggested: string
  /** Notes, helps and suggestions without their excerpts, each on a line of its own. */
  readonly notes: readonly string[]
  /** Lines that an error keeps: the marked excerpt, notes with their places, suggested code. */
  readonly shown: readonly number[]
  /** Lines that only draw: bare gutters, the blank line at the end. */
  readonly drawn: readonly number[]
  /** Excerpts of notes, places in the standard library, hints on lint levels, a linker's arguments. */
  readonly dropped: readonly Dropped[]
  readonly from: number
  /** Exclusive. */
  readonly to: number
}

const HEAD = /^(error|warning)(?:\[[A-Z]\d{4}\])?: /
const ARROW = /^ *--> ([^:]{1,4000}):(\d+:\d+)$/
const LIBRARY_ARROW = /^ *--> \/rustc\/[0-9a-f]{40}\//
const GUTTER = /^ *\|\s*$/
const BODY = /^(?:\s|\d{1,7} +[|+~-]|\.\.\.|note: |help: )/
const SOURCE = /^ *\d{1,7} +[|+~-](?: |$)/
const ADDED = /^ *\d{1,7} +[+~] +(\S.*)$/
const MARKS = /^ *\| /
const ATTACHED = /^ *= (?:note|help): /
const SUB = /^(?:note|help): /
const LABELLED = /[A-Za-z]/
const LABEL_HELP = /(?:^|[\s^~-])(help: .*)$/
const LINT_NOTE =
  /^ *= (?:note: `(?:#\[(?:warn|deny|forbid)\(([\w:]{1,100})\)\]|-[DW] ([\w:-]{1,100}))`|help: to override `-[DW] |help: for further information visit \S{1,200}#(\w{1,100})$)/
const LINKER_CALL =
  /^ *= note: +"?(?:\S{0,300}\/)?(?:cc|gcc|clang|ld|lld|rust-lld|link\.exe)" "|^ *= note: some arguments are omitted/
const LINT_LEVEL = 'note: the lint level is defined here'
/** An error's excerpt beyond this many lines keeps its labelled ones. */
const LONG = 14

/** Reads the block that opens at line `from`; null where none does. */
export function readBlock(lines: readonly string[], from: number): RustBlock | null {
  const head = lines[from] ?? ''
  const level = HEAD.exec(head)?.[1]
  if (level !== 'error' && level !== 'warning') return null
  const next = lines[from + 1] ?? ''
  const arrow = ARROW.exec(next)
  if (!arrow && !GUTTER.test(next)) return null

  const notes: string[] = []
  const shown: number[] = [from]
  const drawn: number[] = []
  const dropped: Dropped[] = []
  const drop = (line: number, what = 'source excerpts'): void => {
    dropped.push({ line, what })
  }
  let lint = ''
  let part: 'excerpt' | 'note' | 'help' | 'level' | 'linker' = 'excerpt'
  let excerpt = 0
  let suggested = ''
  let i = from + 1
  for (; i < lines.length && BODY.test(lines[i] ?? ''); i += 1) {
    const line = lines[i] ?? ''
    if (GUTTER.test(line) || line.trim() === '') drawn.push(i)
    else if (LINKER_CALL.test(line)) {
      part = 'linker'
      drop(i, 'linker arguments')
    } else if (ATTACHED.test(line)) {
      const found = LINT_NOTE.exec(line)
      part = found ? 'level' : 'note'
      if (found) {
        const name = (found[1] ?? found[2] ?? '').replaceAll('-', '_')
        lint = name || lint || (found[3] ? `clippy::${found[3]}` : '')
        drop(i, 'notes on lint levels')
      } else {
        notes.push(line.replace(/^ *= /, ''))
        shown.push(i)
      }
    } else if (SUB.test(line)) {
      part = line === LINT_LEVEL ? 'level' : line.startsWith('help') ? 'help' : 'note'
      if (part === 'level') drop(i, 'notes on lint levels')
      else {
        notes.push(line)
        shown.push(i)
      }
    } else if (part === 'level') drop(i, 'notes on lint levels')
    else if (LIBRARY_ARROW.test(line)) drop(i, 'places in the standard library')
    else if (ARROW.test(line)) {
      shown.push(i)
      if (part !== 'excerpt') notes.push(line.trim())
    } else if (part === 'excerpt') {
      excerpt += 1
      const help = MARKS.test(line) ? LABEL_HELP.exec(line)?.[1] : undefined
      if (help !== undefined) notes.push(help)
      if (excerpt <= LONG || (MARKS.test(line) && LABELLED.test(line))) shown.push(i)
      else drop(i)
    } else if (SOURCE.test(line)) {
      // A suggestion is code to write; a note's excerpt is code that is there.
      if (part === 'help' && suggested === '') suggested = ADDED.exec(line)?.[1] ?? ''
      if (part === 'help' || LABELLED.test(marksBelow(lines, i))) shown.push(i)
      else drop(i)
    } else if (MARKS.test(line)) {
      if (LABELLED.test(line)) shown.push(i)
      else drop(i)
    } else if (line === '...') drop(i)
    else {
      // A note's further lines.
      notes.push(line.trim())
      shown.push(i)
    }
  }
  if (lines[i] === '') {
    drawn.push(i)
    i += 1
  }
  return {
    level,
    head,
    path: arrow?.[1] ?? '',
    place: arrow?.[2] ?? '',
    lint,
    suggested,
    notes,
    shown,
    drawn,
    dropped,
    from,
    to: i,
  }
}

function marksBelow(lines: readonly string[], at: number): string {
  const below = lines[at + 1] ?? ''
  return MARKS.test(below) ? below : ''
}
