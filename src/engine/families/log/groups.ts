import { mayHold } from '../../signals.ts'
import { createPlaces, type Matcher, matcherOf, matches, type Places } from './matcher.ts'
import { goesOn, isTrouble, LEVEL_WITHIN, type LogRecord, opensTrace, readHead } from './record.ts'
import { createStampForm } from './stamp.ts'
import { LONGEST, readTemplate, type Template } from './template.ts'
import { codeOf, Tally } from './values.ts'

/** So many different records of one group may stay as they are; so many sets of values, or different traces, are listed. */
export const MOST_WHOLE = 8
export const MOST_LISTED = 40

/** Records that say the same, apart from values. */
export interface Group {
  readonly level: string
  /** A warning, an error, a trace, or a line without stamp that says that the program ended. */
  readonly trouble: boolean
  readonly traced: boolean
  /** Of the first record. */
  readonly template: Template
  readonly count: number
  /** Of a group with trouble, the first of each different record, up to the number that matters and one more; of another, its first ones. */
  readonly firsts: readonly LogRecord[]
  /** Of traces: how many differ. */
  readonly different: number
  readonly last: LogRecord
  /** For each place of the template its values. */
  readonly tallies: readonly Tally[]
  /** Of a group with trouble: its sets of values and how often each comes; null where there are too many to list. */
  readonly sets: ReadonlyMap<string, { readonly values: readonly string[]; readonly count: number }> | null
}

/** A log's records, in groups. */
export interface Log {
  /** In order of first occurrence. */
  readonly groups: readonly Group[]
  /** First line of each record; a record ends where the next begins. */
  readonly starts: readonly number[]
  record(at: number): LogRecord
}

const ENDED =
  /\bKilled\b|\bOOM|[Oo]ut of memory|oom-kill|SIG(?:TERM|KILL|SEGV|ABRT)|core dumped|exit(?:ed)? (?:status|with|code)|panic:|fatal|terminated by|shut ?down|recover|Exception|Traceback|[Ff]ailed|refused|denied/
const DIGITS = /^\d+$/

function readRecord(lines: readonly string[], from: number, to: number): LogRecord {
  const line = lines[from] ?? ''
  const { stamp, level, body } = readHead(line) ?? { stamp: '', level: '', body: line }
  return { from, to, stamp, level, body }
}

/** A line with more in it than a path, and nothing but one line of text. */
const isPlain = (line: string): boolean => line.includes(' ') && !line.includes('\n') && !line.includes('[redacted: ')

/** A group under construction. */
class Gathered implements Group {
  readonly level: string
  readonly trouble: boolean
  readonly traced: boolean
  readonly template: Template
  readonly firsts: LogRecord[] = []
  readonly tallies: readonly Tally[]
  readonly matcher: Matcher | null
  /** Whether lines that match hold no fact, as the first does. */
  readonly silent: boolean
  count = 0
  sets: Map<string, { values: readonly string[]; count: number }> | null = new Map()
  private readonly lines: readonly string[]
  private readonly texts = new Set<string>()
  private lastFrom = -1
  private lastTo = -1

  constructor(lines: readonly string[], record: LogRecord, template: Template, matcher: Matcher | null) {
    this.lines = lines
    this.level = record.level
    this.traced = record.to - record.from > 1
    this.trouble = isTrouble(record.level) || this.traced || ENDED.test(record.body)
    this.template = template
    this.tallies = template.values.map(() => new Tally())
    this.matcher = matcher
    const line = lines[record.from] ?? ''
    this.silent = matcher !== null && isPlain(line) && !mayHold(line)
  }

  get different(): number {
    return this.texts.size
  }

  get last(): LogRecord {
    return readRecord(this.lines, this.lastFrom, this.lastTo)
  }

  /** @param values of a template that has the group's key */
  add(record: LogRecord, values: readonly string[]): void {
    this.count += 1
    this.lastFrom = record.from
    this.lastTo = record.to
    if (this.traced) this.addTrace(record)
    else if (this.mayBeFirst(record.body)) this.firsts.push(record)
    values.forEach((value, slot) => {
      const exact = this.template.shapes[slot] !== '#' || DIGITS.test(value)
      this.tallies[slot]?.add(exact ? codeOf(value, 0, value.length) : 0, value, 0, value.length)
    })
    if (this.trouble) this.addSet(values)
  }

  /**
   * @param at where the body of the record, one line, begins
   * @returns whether the line differs from the first in digits alone
   */
  addMatched(from: number, at: number, places: Places): boolean {
    const line = this.lines[from] ?? ''
    this.count += 1
    this.lastFrom = from
    this.lastTo = from + 1
    if (this.mayBeFirst(line.slice(at))) this.firsts.push(readRecord(this.lines, from, from + 1))
    let digitsAlone = true
    for (let slot = 0; slot < this.tallies.length; slot += 1) {
      const code = places.codes[slot] ?? 0
      if (code === 0) digitsAlone = false
      this.tallies[slot]?.add(code, line, places.from[slot] ?? 0, places.to[slot] ?? 0)
    }
    if (this.trouble && this.sets !== null) {
      this.addSet(this.tallies.map((_, slot) => line.slice(places.from[slot], places.to[slot])))
    }
    return digitsAlone
  }

  /** Whether a record of one line with this body is one of the first that differ. */
  private mayBeFirst(body: string): boolean {
    if (!this.trouble) return this.firsts.length < 2
    return this.firsts.length <= MOST_WHOLE && !this.firsts.some((first) => first.body === body)
  }

  private addTrace(record: LogRecord): void {
    const text = [record.body, ...this.lines.slice(record.from + 1, record.to)].join('\n')
    if (this.texts.has(text)) return
    this.texts.add(text)
    if (this.firsts.length <= MOST_LISTED) this.firsts.push(record)
  }

  private addSet(values: readonly string[]): void {
    if (this.sets === null) return
    const key = values.join(' ')
    const known = this.sets.get(key)
    if (known) known.count += 1
    else if (this.sets.size === MOST_LISTED) this.sets = null
    else this.sets.set(key, { values, count: 1 })
  }
}

/** Groups of which the latest lines were: few, since each line is compared with them one after the other. */
const MOST_RECENT = 16

/**
 * Reads the records of a log and groups them by level, template and trace.
 * @param silence is told the lines that hold no fact
 */
export function readLog(lines: readonly string[], silence: (line: number) => void): Log {
  const groups = new Map<string, Gathered>()
  const recent: Gathered[] = []
  const starts: number[] = []
  const stamps = createStampForm()
  // The record that is open: its group where one was found without reading it in full, with the places of its values.
  let matched: Gathered | null = null
  let bodyAt = 0
  let places = createPlaces()
  let spare = createPlaces()
  let trace = false

  const close = (to: number): void => {
    const from = starts.at(-1)
    if (from === undefined) return
    if (matched !== null && to - from === 1) {
      if (matched.addMatched(from, bodyAt, places) && matched.silent) silence(from)
    } else addInFull(from, to)
    matched = null
  }
  const addInFull = (from: number, to: number): void => {
    const record = readRecord(lines, from, to)
    const template = readTemplate(record.body)
    const key = [record.level, template.key]
    for (let i = from + 1; i < to; i += 1) key.push(readTemplate(lines[i] ?? '').key)
    const full = key.join('\n')
    let group = groups.get(full)
    if (!group) {
      group = new Gathered(lines, record, template, to - from > 1 ? null : matcherFor(lines[from] ?? '', template))
      groups.set(full, group)
      if (group.matcher !== null) {
        if (recent.length === MOST_RECENT) recent.pop()
        recent.push(group)
      }
    }
    group.add(record, template.values)
  }
  /** A recent group whose template the line has; the more often one is found, the earlier it is tried. */
  const recentFor = (line: string, at: number): Gathered | null => {
    for (let i = 0; i < recent.length; i += 1) {
      const group = recent[i]
      // Without a stamp it is the level that begins a record.
      if (!group?.matcher || (at === 0 && !beginsRecord(group)) || !matches(group.matcher, line, at, spare)) continue
      const before = recent[i - 1]
      if (before) {
        recent[i - 1] = group
        recent[i] = before
      }
      return group
    }
    return null
  }

  for (let i = 0; i < lines.length; i += 1) {
    const line = lines[i] ?? ''
    const at = stamps.endIn(line)
    const group = at < 0 ? null : recentFor(line, at)
    if (group !== null) {
      close(i)
      matched = group
      bodyAt = at
      const filled = spare
      spare = places
      places = filled
    } else {
      const head = readHead(line)
      if (head === null && starts.length > 0 && goesOn(line, lines[i - 1] ?? '', trace)) {
        if (opensTrace(line)) trace = true
        continue
      }
      close(i)
      if (head !== null && head.at >= 0) stamps.learn(line, head.at)
    }
    trace = false
    starts.push(i)
  }
  close(lines.length)
  return {
    groups: [...groups.values()],
    starts,
    record: (at) => readRecord(lines, starts[at] ?? 0, starts[at + 1] ?? lines.length),
  }
}

/** Whether a line of the group begins a record without a stamp. */
const beginsRecord = ({ level, template }: Group): boolean =>
  level !== '' && !/^[\s\d[(\uFEFF]/.test(template.parts[0] ?? '')

/** A matcher for lines like this one, where level and body follow from the template; null elsewhere. */
function matcherFor(line: string, template: Template): Matcher | null {
  const head = readHead(line)
  if (head === null || head.at < 0) return null
  if (head.levelEnd < 0) return head.body.length <= LEVEL_WITHIN ? matcherOf(template, LEVEL_WITHIN) : null
  return head.levelEnd < (template.parts[0] ?? '').length ? matcherOf(template, LONGEST) : null
}
