import { estimateTokens } from '../text/tokens.ts'
import { messageOf, readTable, writeTable } from '../value-table.ts'
import type { Diagnostic } from './diagnostics.ts'
import { keyOf, type Shape, shapeOf, type Worded, wordsOf } from './message-shape.ts'
import { groupBy } from './table.ts'

/** Findings that are written shorter as a table than under their files. */
export interface TabledFindings {
  readonly text: string
  readonly findings: readonly Diagnostic[]
}

const FEWEST = 3
/** A table is less easy to read than findings under their files: it has to save this part of their tokens, and so many. */
const LEAST_PART = 0.1
const LEAST_TOKENS = 10
/**
 * Parts findings into tables of like messages and the rest, each in order of first occurrence. Messages are like where
 * they have as many words, and the same first and last one. Linear in the findings' text.
 */
export function partByValues(findings: readonly Diagnostic[]): { tables: TabledFindings[]; rest: Diagnostic[] } {
  if (findings.length < FEWEST) return { tables: [], rest: [...findings] }
  const groups = new Map<string, Worded[]>()
  const messagesIn = new Map<string, number>()
  for (const finding of findings) {
    messagesIn.set(finding.path, (messagesIn.get(finding.path) ?? 0) + 1)
    const worded = wordsOf(finding)
    if (worded === null) continue
    const key = keyOf(worded)
    const group = groups.get(key)
    if (group) group.push(worded)
    else groups.set(key, [worded])
  }
  const tables: TabledFindings[] = []
  const taken = new Set<Diagnostic>()
  for (const group of groups.values()) {
    for (const table of bestTables(group, messagesIn)) {
      tables.push(table)
      for (const finding of table.findings) taken.add(finding)
    }
  }
  return { tables, rest: findings.filter((finding) => !taken.has(finding)) }
}

interface Candidate {
  readonly text: string
  readonly group: readonly Worded[]
}

interface Choice {
  readonly tables: readonly Candidate[]
  readonly cost: number
}

/** Tables for a group of like messages, and none for those that are shorter under their files: whatever is shortest. */
function bestTables(group: readonly Worded[], messagesIn: ReadonlyMap<string, number>): TabledFindings[] {
  if (group.length < FEWEST) return []
  let best: Choice = { tables: [], cost: plainCost(group, messagesIn) }
  for (const parts of partitionsOf(group)) {
    const tables: Candidate[] = []
    let cost = 0
    for (const part of parts) {
      const choice = oneTable(part, messagesIn)
      tables.push(...choice.tables)
      cost += choice.cost
    }
    if (cost < best.cost) best = { tables, cost }
  }
  return best.tables
    .filter(readsBack)
    .map(({ text, group: own }) => ({ text, findings: own.map(({ finding }) => finding) }))
}

const isEnough = (part: readonly Worded[]): boolean => part.length >= FEWEST

/** Ways to part a group: not at all, by the whole message, by the value in each column that differs. */
function* partitionsOf(group: readonly Worded[]): Generator<readonly (readonly Worded[])[]> {
  yield [group]
  const shape = shapeOf(group)
  const byText = [...groupBy(group, ({ message }) => message).values()]
  if (byText.length === 1) return
  if (byText.some(isEnough)) yield byText
  if (shape === null || shape.width < 2) return
  const rows = group.map((worded) => ({ worded, values: shape.valuesOf(worded.words) }))
  for (let column = 0; column < shape.width; column += 1) {
    const byValue = [...groupBy(rows, ({ values }) => values[column] ?? '').values()]
    const parts = byValue.map((part) => part.map(({ worded }) => worded))
    if (parts.some(isEnough)) yield [...parts.filter(isEnough), parts.filter((part) => !isEnough(part)).flat()]
  }
}

/** A table of what fits in one, where that is shorter; the rest is told under the files. */
function oneTable(part: readonly Worded[], messagesIn: ReadonlyMap<string, number>): Choice {
  const plain = plainCost(part, messagesIn)
  const shape = part.length < FEWEST ? null : shapeOf(part)
  const fits = shape === null ? [] : part.filter(({ words }) => isSeparable(shape.valuesOf(words)))
  const fitting = fits.length === part.length ? shape : shapeOf(fits)
  const table = fits.length < FEWEST || fitting === null ? null : tableOf(fits, fitting)
  if (table === null) return { tables: [], cost: plain }
  const told = new Set(fits)
  const others = part.filter((worded) => !told.has(worded))
  const cost = estimateTokens(table.text) + 1 + (others.length === 0 ? 0 : plainCost(others, messagesIn))
  const enough = plain - cost >= Math.max(plain * LEAST_PART, LEAST_TOKENS)
  return enough ? { tables: [table], cost } : { tables: [], cost: plain }
}

/** Whether values can be told apart in a list of them. */
function isSeparable(values: readonly string[]): boolean {
  return values.every((value) => !value.includes('; ') && (values.length === 1 || !value.includes(', ')))
}

function plainCost(group: readonly Worded[], messagesIn: ReadonlyMap<string, number>): number {
  let cost = 0
  for (const same of groupBy(group, ({ message }) => message).values()) cost += costUnderFiles(same, messagesIn)
  return cost
}

/** Tokens of findings with one message as they would stand under their files. */
function costUnderFiles(same: readonly Worded[], messagesIn: ReadonlyMap<string, number>): number {
  const files = new Map<string, number>()
  const text = `\n ${same[0]?.message ?? ''}`
  let cost = 0
  for (const { finding } of same) {
    const known = files.get(finding.path) ?? 0
    files.set(finding.path, known + 1)
    cost += estimateTokens(` ${finding.place}`)
  }
  for (const [path, count] of files) {
    cost += estimateTokens(text)
    // A file with nothing else need not be named on a line of its own.
    if (count === messagesIn.get(path)) cost += estimateTokens(path) + 1
  }
  return cost
}

function tableOf(group: readonly Worded[], shape: Shape): Candidate {
  const items = group.map(({ words, finding: { path, place } }) => ({ path, place, values: shape.valuesOf(words) }))
  return { text: writeTable({ message: shape.message, width: shape.width, items }), group }
}

/** Whether each of a table's findings can be read back from it: a path or a value may look like a place. */
function readsBack({ text, group }: Candidate): boolean {
  const lines = text.split('\n')
  const read = readTable(lines, 0)
  if (read === null || read.end !== lines.length) return false
  const { table } = read
  const got = table.items.map((item) => [item.path, item.place, messageOf(table, item)].join('\n')).sort()
  const want = group.map(({ finding, message }) => [finding.path, finding.place, message].join('\n')).sort()
  return got.length === want.length && got.every((item, i) => item === want[i])
}
