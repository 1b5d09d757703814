import { Gathered, type Group, readRecord } from './groups.ts'
import { createPlaces, type Matcher, matcherOf, matches } from './matcher.ts'
import { goesOn, LEVEL_WITHIN, type LogRecord, opensTrace, readHead } from './record.ts'
import { createStampForm } from './stamp.ts'
import { LONGEST, readTemplate, type Template } from './template.ts'

/** A log's records, in groups. */
export interface Log {
  /** In order of first occurrence. */
  readonly groups: readonly Group[]
  /** First line of each record; a record ends where the next begins. */
  readonly starts: readonly number[]
  record(at: number): LogRecord
}

/** Groups of which the latest lines were: few, since each line is compared with them one after the other. */
const MOST_RECENT = 16

/**
 * Reads the records of a log and groups them by level, template and trace.
 * @param silence is told the lines that hold no fact
 */
export function readLog(lines: readonly string[], silence: (line: number) => void): Log {
  const reader = new Reader(lines, silence)
  reader.read()
  const { starts } = reader
  return {
    groups: [...reader.groups.values()],
    starts,
    record: (at) => readRecord(lines, starts[at] ?? 0, starts[at + 1] ?? lines.length),
  }
}

/**
 * A line that has the template of a recent group is not read in full: that is what makes a log of like lines fast. It is
 * counted when its record ends, since lines below may belong to it.
 */
class Reader {
  readonly groups = new Map<string, Gathered>()
  readonly starts: number[] = []
  private readonly lines: readonly string[]
  private readonly silence: (line: number) => void
  private readonly stamps = createStampForm()
  private readonly recent: Gathered[] = []
  // Of the record that is open: its group where a recent one was found, where its body begins, where its values are.
  private matched: Gathered | null = null
  private bodyAt = 0
  private places = createPlaces()
  private spare = createPlaces()

  constructor(lines: readonly string[], silence: (line: number) => void) {
    this.lines = lines
    this.silence = silence
  }

  read(): void {
    let trace = false
    for (let i = 0; i < this.lines.length; i += 1) {
      const line = this.lines[i] ?? ''
      if (!this.openMatched(line, i)) {
        const head = readHead(line)
        if (head === null && this.starts.length > 0 && goesOn(line, this.lines[i - 1] ?? '', trace)) {
          if (opensTrace(line)) trace = true
          continue
        }
        this.close(i)
        if (head !== null && head.at >= 0) this.stamps.learn(line, head.at)
      }
      trace = false
      this.starts.push(i)
    }
    this.close(this.lines.length)
  }

  /** Opens a record of a recent group, where the line has the template of one. */
  private openMatched(line: string, i: number): boolean {
    const at = this.stamps.endIn(line)
    const group = at < 0 ? null : this.recentFor(line, at)
    if (group === null) return false
    this.close(i)
    this.matched = group
    this.bodyAt = at
    const filled = this.spare
    this.spare = this.places
    this.places = filled
    return true
  }

  /** A recent group whose template the line has; the more often one is found, the earlier it is tried. */
  private recentFor(line: string, at: number): Gathered | null {
    const { recent } = this
    for (let i = 0; i < recent.length; i += 1) {
      const group = recent[i]
      // Without a stamp it is the level that begins a record.
      if (!group?.matcher || (at === 0 && !beginsRecord(group))) continue
      if (!matches(group.matcher, line, at, this.spare)) continue
      const before = recent[i - 1]
      if (before) {
        recent[i - 1] = group
        recent[i] = before
      }
      return group
    }
    return null
  }

  /** Ends the record that is open before line `to`. */
  private close(to: number): void {
    if (this.starts.length === 0) return
    const from = this.starts[this.starts.length - 1] ?? 0
    const group = this.matched
    this.matched = null
    if (group === null || to - from > 1) this.addInFull(from, to)
    else if (group.addMatched(from, this.bodyAt, this.places) && group.silent) this.silence(from)
  }

  private addInFull(from: number, to: number): void {
    const { lines, groups, recent } = this
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
