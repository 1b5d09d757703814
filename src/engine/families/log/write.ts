import type { Draft } from '../../draft.ts'
import { fromBothEnds } from '../../rank.ts'
import { cutAt } from '../../text/lines.ts'
import { estimateTokens } from '../../text/tokens.ts'
import { libraryFrames } from './frames.ts'
import { type Group, groupRecords } from './groups.ts'
import type { LogRecord } from './record.ts'
import { summarise, textOf, varying } from './template.ts'

/** Estimated tokens that the result may cost, and of those, groups with trouble, and groups that come often. */
const BUDGET = 3600
const TROUBLE_BUDGET = 2400
const OFTEN_BUDGET = 900
const OFTEN = 10
/** So many different records of one group stay as they are; so many sets of values are listed. */
const MOST_WHOLE = 8
const MOST_QUIET = 2
const MOST_LISTED = 40
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
  const { records, templates } = group
  const first = records[0]
  const last = records.at(-1)
  if (!first || !last) return { keep: [], table: null }
  const keyOf = (record: LogRecord): string =>
    lines.slice(record.from + 1, record.to).reduce((text, line) => `${text}\n${line}`, record.body)
  const different = new Map<string, LogRecord[]>()
  for (const record of records) {
    const key = keyOf(record)
    const same = different.get(key)
    if (same) same.push(record)
    else different.set(key, [record])
  }
  if (records.length <= (group.traced ? 1 : MOST_QUIET)) return { keep: records, table: null }
  const until = last.stamp === '' ? '' : `, last at ${last.stamp}`
  if (group.trouble && !group.traced && different.size <= MOST_WHOLE) {
    const firsts = [...different.values()].flatMap((same) => same.slice(0, 1))
    const rest = records.filter((record) => !firsts.includes(record))
    const table =
      rest.length === 0 ? null : `  ×${rest.length} more of the same${firsts.length > 1 ? ' lines' : ''}${until}`
    return { keep: firsts, table }
  }
  const slots = varying(templates)
  const more = `  ×${records.length - 1} more${until}`
  if (group.traced) {
    const others = [...different.values()].slice(1).flatMap((same) => same.slice(0, 1))
    const texts = others
      .slice(0, MOST_LISTED)
      .flatMap((record) => differing(lines, first, record))
      .map((text) => `    ${text}`)
    const rest = others.length - MOST_LISTED
    if (rest > 0) texts.push(`    and ${rest} that differ further`)
    return { keep: [first], table: [`${more}, the same trace:`, ...texts].join('\n') }
  }
  const text = templates[0] ? textOf(templates[0], slots) : ''
  const tuples = new Map<string, number>()
  for (const template of templates) {
    const tuple = slots.map((slot) => template.values[slot] ?? '').join(' ')
    tuples.set(tuple, (tuples.get(tuple) ?? 0) + 1)
  }
  if (group.trouble && tuples.size <= MOST_LISTED) {
    const list = [...tuples].map(([tuple, count]) => (count > 1 ? `${tuple} ×${count}` : tuple)).join('; ')
    return { keep: [first, last], table: `${more}: ${text}: ${list}` }
  }
  const values = slots.map(
    (slot, at) =>
      `{${at + 1}} ${summarise(
        templates.map((template) => template.values[slot] ?? ''),
        group.trouble ? 12 : 6,
      )}`,
  )
  return {
    keep: group.trouble ? [first, last] : [first],
    table: `${more}: ${text}${values.length > 0 ? `: ${values.join('; ')}` : ''}`,
  }
}

/**
 * Writes a log: times and levels, then each group of like lines by its first, with how often it comes and the values
 * that differ; warnings and errors in full as far as the budget goes; the log's last lines.
 * @param texts what each input line says (the line itself, or what its JSON holds)
 * @param encoded whether `texts` are not the lines themselves
 * @param about what the heading says before the times
 */
export function writeLog(texts: readonly string[], encoded: boolean, about: string, draft: Draft): void {
  const { groups, records } = groupRecords(texts)
  const levels = new Map<string, number>()
  for (const { level } of records) if (level !== '') levels.set(level, (levels.get(level) ?? 0) + 1)
  const stamped = records.filter((record) => record.stamp !== '')
  const times = stamped.length > 0 ? `, from ${stamped[0]?.stamp} to ${stamped.at(-1)?.stamp}` : ''
  const counts = levels.size > 0 ? `; ${[...levels].map(([level, count]) => `${level} ${count}`).join(', ')}` : ''
  draft.restate(
    `${about}${records.length} entries${times}${counts}; ×: like lines, with the values that differ (no process ids, sizes and agents of requests)`,
    [],
  )

  const tables = new Map<LogRecord, string>()
  const cuts = new Map<LogRecord, string>()
  const price = (record: LogRecord): number =>
    range(record).reduce((sum, line) => sum + estimateTokens(texts[line] ?? '') + 1, 0)
  const kept = new Set(records.slice(-TAIL).filter((record) => price(record) <= BUDGET / 12))
  let left = BUDGET
  let dropped = 0
  /** Shows a group where it costs no more than what is left, and no more than `most`; returns what it cost. */
  const show = (group: Group, most: number): number => {
    const plan = planGroup(texts, group)
    const cost =
      plan.keep.reduce((sum, record) => sum + (kept.has(record) ? 0 : price(record)), 0) +
      estimateTokens(plan.table ?? '')
    if (cost > left || cost > most) {
      const first = group.records[0]
      const text = first ? (texts[first.from] ?? '') : ''
      if (first && group.trouble && text.length > OVERLONG && left > CUT_COST && cuts.size < MOST_CUT) {
        left -= CUT_COST
        cuts.set(first, `${cutAt(text, CUT)} […${text.length - CUT} characters] ×${group.records.length}`)
      } else dropped += 1
      return 0
    }
    left -= cost
    for (const record of plan.keep) kept.add(record)
    const at = plan.keep[0]
    if (at && plan.table !== null) tables.set(at, plan.table)
    return cost
  }
  let most = TROUBLE_BUDGET
  for (const group of groups) if (group.trouble) most -= show(group, most)
  // What comes often says what the service does, what comes once or twice how its state changed.
  const quiet = groups.filter((group) => !group.trouble)
  most = OFTEN_BUDGET
  for (const group of quiet) if (group.records.length >= OFTEN) most -= show(group, most)
  for (const group of fromBothEnds(quiet)) if (group.records.length < OFTEN) show(group, left)

  const gone: number[] = []
  const frames: number[] = []
  for (const record of records) {
    if (!kept.has(record)) {
      const cut = cuts.get(record)
      if (cut !== undefined) draft.restate(cut, [])
      for (let line = record.from; line < record.to; line += 1) gone.push(line)
      continue
    }
    const library = libraryFrames(texts.slice(record.from, record.to))
    for (let line = record.from; line < record.to; line += 1) {
      if (library[line - record.from]) frames.push(line)
      else if (encoded) draft.restate(texts[line] ?? '', [line])
      else draft.keep(line)
    }
    draft.elide('library frames', frames.splice(0))
    const table = tables.get(record)
    if (table !== undefined) draft.restate(table, [])
  }
  draft.elide(
    dropped > 0 ? `lines like those shown, and ${dropped} groups of lines beyond the budget` : 'lines like those shown',
    gone,
  )
}
