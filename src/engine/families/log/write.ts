import type { Draft } from '../../draft.ts'
import { fromBothEnds } from '../../rank.ts'
import { cutAt } from '../../text/lines.ts'
import { estimateTokens } from '../../text/tokens.ts'
import { libraryFrames } from './frames.ts'
import { type Group, MOST_LISTED, MOST_WHOLE } from './groups.ts'
import { type Log, readLog } from './read.ts'
import type { LogRecord } from './record.ts'
import { textOf } from './template.ts'

/** Estimated tokens that the result may cost, and of those, groups with trouble, and groups that come often. */
const BUDGET = 3600
const TROUBLE_BUDGET = 2400
const OFTEN_BUDGET = 900
const OFTEN = 10
/** So many records of one group stay as they are. */
const MOST_QUIET = 2
const TAIL = 3
/** A warning or error too long for the budget is shown by its beginning. */
const OVERLONG = 1000
const CUT = 300
const CUT_COST = 150
const MOST_CUT = 6

/** What of a group stays, and what stands under its first record. */
interface Plan {
  readonly keep: readonly LogRecord[]
  readonly table: string | null
}

const range = (record: LogRecord): number[] =>
  Array.from({ length: record.to - record.from }, (_, k) => record.from + k)

/** What tells a record of a trace from the group's first: its own line, and what was thrown, where they differ. */
function differing(lines: readonly string[], first: LogRecord, record: LogRecord): string[] {
  const texts = record.body === first.body ? [] : [record.body]
  for (let k = 1; k < record.to - record.from; k += 1) {
    const line = lines[record.from + k] ?? ''
    if (line !== '' && !/^\s/.test(line) && line !== lines[first.from + k]) texts.push(line)
  }
  return texts
}

function planGroup(lines: readonly string[], group: Group): Plan {
  const { count, firsts, last } = group
  const first = firsts[0]
  if (!first) return { keep: [], table: null }
  if (count <= (group.traced ? 1 : MOST_QUIET)) return { keep: count === 1 ? [first] : [first, last], table: null }
  const until = last.stamp === '' ? '' : `, last at ${last.stamp}`
  if (group.trouble && !group.traced && firsts.length <= MOST_WHOLE) {
    const rest = count - firsts.length
    const table = rest === 0 ? null : `  ×${rest} more of the same${firsts.length > 1 ? ' lines' : ''}${until}`
    return { keep: firsts, table }
  }
  const more = `  ×${count - 1} more${until}`
  if (group.traced) {
    const texts = firsts
      .slice(1)
      .flatMap((record) => differing(lines, first, record))
      .map((text) => `    ${text}`)
    const rest = group.different - 1 - MOST_LISTED
    if (rest > 0) texts.push(`    and ${rest} that differ further`)
    return { keep: [first], table: [`${more}, the same trace:`, ...texts].join('\n') }
  }
  return { keep: group.trouble ? [first, last] : [first], table: `${more}: ${tableOf(group)}` }
}

/** The group's text, and the values in the places where they differ. */
function tableOf({ template, tallies, sets, trouble }: Group): string {
  const slots = [...tallies.keys()].filter((slot) => (tallies[slot]?.distinct ?? 0) > 1)
  const text = textOf(template, slots)
  if (trouble && sets !== null) {
    const list = [...sets.values()].map(({ values, count }) => {
      const set = slots.map((slot) => values[slot] ?? '').join(' ')
      return count > 1 ? `${set} ×${count}` : set
    })
    return `${text}: ${list.join('; ')}`
  }
  const values = slots.map((slot, at) => `{${at + 1}} ${tallies[slot]?.summarise(trouble ? 12 : 6)}`)
  return `${text}${values.length > 0 ? `: ${values.join('; ')}` : ''}`
}

/** How many records there are, from when to when, and how many of each level. */
function headingOf({ groups, starts, record }: Log): string {
  const levels = new Map<string, number>()
  for (const { level, count } of groups) if (level !== '') levels.set(level, (levels.get(level) ?? 0) + count)
  const stampAt = (at: number): string => record(at).stamp
  let low = 0
  while (low < starts.length && stampAt(low) === '') low += 1
  let high = starts.length - 1
  while (high > low && stampAt(high) === '') high -= 1
  const times = low < starts.length ? `, from ${stampAt(low)} to ${stampAt(high)}` : ''
  const counts = levels.size > 0 ? `; ${[...levels].map(([level, count]) => `${level} ${count}`).join(', ')}` : ''
  return `${starts.length} entries${times}${counts}; ×: like lines, with the values that differ (no process ids, sizes and agents of requests)`
}

/**
 * Writes a log: times and levels, then each group of like lines by its first, with how often it comes and the values
 * that differ; warnings and errors in full as far as the budget goes; the log's last lines.
 * @param texts what each input line says (the line itself, or what its JSON holds)
 * @param encoded whether `texts` are not the lines themselves
 * @param about what the heading says before the times
 * @param silence is told the lines that hold no fact
 */
export function writeLog(
  texts: readonly string[],
  encoded: boolean,
  about: string,
  draft: Draft,
  silence: (line: number) => void = () => {},
): void {
  const log = readLog(texts, silence)
  const { groups, starts } = log
  draft.restate(`${about}${headingOf(log)}`, [])

  // By the first line of a record.
  const tables = new Map<number, string>()
  const cuts = new Map<number, string>()
  const price = (record: LogRecord): number =>
    range(record).reduce((sum, line) => sum + estimateTokens(texts[line] ?? '') + 1, 0)
  const kept = new Set<number>()
  for (let at = Math.max(0, starts.length - TAIL); at < starts.length; at += 1) {
    const record = log.record(at)
    if (price(record) <= BUDGET / 12) kept.add(record.from)
  }
  let left = BUDGET
  let dropped = 0
  /** Shows a group where it costs no more than what is left, and no more than `most`; returns what it cost. */
  const show = (group: Group, most: number): number => {
    const plan = planGroup(texts, group)
    const cost =
      plan.keep.reduce((sum, record) => sum + (kept.has(record.from) ? 0 : price(record)), 0) +
      estimateTokens(plan.table ?? '')
    if (cost > left || cost > most) {
      const first = group.firsts[0]
      const text = first ? (texts[first.from] ?? '') : ''
      if (first && group.trouble && text.length > OVERLONG && left > CUT_COST && cuts.size < MOST_CUT) {
        left -= CUT_COST
        cuts.set(first.from, `${cutAt(text, CUT)} […${text.length - CUT} characters] ×${group.count}`)
      } else dropped += 1
      return 0
    }
    left -= cost
    for (const record of plan.keep) kept.add(record.from)
    const at = plan.keep[0]
    if (at && plan.table !== null) tables.set(at.from, plan.table)
    return cost
  }
  let most = TROUBLE_BUDGET
  for (const group of groups) if (group.trouble) most -= show(group, most)
  // What comes often says what the service does, what comes once or twice how its state changed.
  const quiet = groups.filter((group) => !group.trouble)
  most = OFTEN_BUDGET
  for (const group of quiet) if (group.count >= OFTEN) most -= show(group, most)
  for (const group of fromBothEnds(quiet)) if (group.count < OFTEN) show(group, left)

  const stands = new Uint8Array(texts.length)
  for (const from of [...kept, ...cuts.keys()]) stands[from] = 1
  const gone: number[] = []
  for (let at = 0; at < starts.length; at += 1) {
    const from = starts[at] ?? 0
    if (stands[from] === 1 && kept.has(from)) {
      writeRecord(texts, log.record(at), encoded, draft)
      const table = tables.get(from)
      if (table !== undefined) draft.restate(table, [])
      continue
    }
    const cut = stands[from] === 1 ? cuts.get(from) : undefined
    if (cut !== undefined) draft.restate(cut, [])
    const to = starts[at + 1] ?? texts.length
    for (let line = from; line < to; line += 1) gone.push(line)
  }
  draft.elide(
    dropped > 0 ? `lines like those shown, and ${dropped} groups of lines beyond the budget` : 'lines like those shown',
    gone,
  )
}

/** A record in full, but for the frames of libraries in its trace. */
function writeRecord(texts: readonly string[], record: LogRecord, encoded: boolean, draft: Draft): void {
  const library = libraryFrames(texts.slice(record.from, record.to))
  const frames: number[] = []
  for (let line = record.from; line < record.to; line += 1) {
    if (library[line - record.from]) frames.push(line)
    else if (encoded) draft.restate(texts[line] ?? '', [line])
    else draft.keep(line)
  }
  draft.elide('library frames', frames)
}
