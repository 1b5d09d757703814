import { mayHold } from '../../signals.ts'
import type { Matcher, Places } from './matcher.ts'
import { isTrouble, type LogRecord, readHead } from './record.ts'
import type { Template } from './template.ts'
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

const ENDED =
  /\bKilled\b|\bOOM|[Oo]ut of memory|oom-kill|SIG(?:TERM|KILL|SEGV|ABRT)|core dumped|exit(?:ed)? (?:status|with|code)|panic:|fatal|terminated by|shut ?down|recover|Exception|Traceback|[Ff]ailed|refused|denied/
const DIGITS = /^\d+$/

/** The record that the lines `from` to `to` (exclusive) are. */
export function readRecord(lines: readonly string[], from: number, to: number): LogRecord {
  const line = lines[from] ?? ''
  const { stamp, level, body } = readHead(line) ?? { stamp: '', level: '', body: line }
  return { from, to, stamp, level, body }
}

/** A line with more in it than a path, and nothing but one line of text. */
const isPlain = (line: string): boolean => line.includes(' ') && !line.includes('\n') && !line.includes('[redacted: ')

/** A group under construction. */
export class Gathered implements Group {
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
  private readonly mostFirsts: number
  private lastFrom = -1
  private lastTo = -1

  constructor(lines: readonly string[], record: LogRecord, template: Template, matcher: Matcher | null) {
    this.lines = lines
    this.level = record.level
    this.traced = record.to - record.from > 1
    this.trouble = isTrouble(record.level) || this.traced || ENDED.test(record.body)
    this.mostFirsts = this.trouble ? MOST_WHOLE + 1 : 2
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
    else if (this.firsts.length < this.mostFirsts && (!this.trouble || this.isNew(record.body)))
      this.firsts.push(record)
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
    if (this.firsts.length < this.mostFirsts && (!this.trouble || this.isNew(line.slice(at))))
      this.firsts.push(readRecord(this.lines, from, from + 1))
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

  /** Whether none of the first records has this body. */
  private isNew(body: string): boolean {
    return !this.firsts.some((first) => first.body === body)
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
