import { fromBothEnds, rankSignals } from '../rank.ts'
import type { Fact, FactKind } from '../signals.ts'
import { templateHash } from '../text/normal.ts'
import { estimateTokens } from '../text/tokens.ts'
import { cutLine } from './long-line.ts'

/** Words that hint at trouble, or tell its details, without being a fact of their own; they only rank lines. */
const HINT =
  /warn|\bfail(?:ed|ures?|s|ing)?\b|crash|not found|no such|denied|refused|timed? ?out|timeout|cannot|could not|couldn't|can't|unable|invalid|missing|unexpected|expected|received|actual|mismatch|deprecated|abort|cancel|retry|rejected|conflict|differ|dubious|hint|caused by|gave up|giving up|exceed|expired|stuck|stalled|hung\b|not ready|still (?:running|waiting)|unhealthy|busy|in use|no space|read-only|locked|would |reformat|not formatted|modified by|^\s*(?:at|left|right|note|help)[ :]|^\s*\+{1,3} |^\s*-{1,3} |^\s*> /i
/** What a formatter or a diff prints: the names of files, and changed lines. */
const DIFF = /^(?:diff |Diff in |--- |\+\+\+ |@@ )|^[-+]\s*\S/
/** Headings that tell which part of the output a signal belongs to. */
const SECTION = /^={3,} .{1,200}={3,}$|^##\[group\]Run /
const HEADING =
  /^##\[(?:group|command)\]|^-{3,} .{1,200} -{3,}$|^_{3,} .{1,200} _{3,}$|^\$ \S|^> \S+@\S+ |^\+ \S|^#\d+ \[|^(?:RUN|Step \d)/

/** Lines around each signal: what led to it, and what it says in detail; further around an exit status. */
const BEFORE = 2
const AFTER = 6
const DETAIL = 24
const BEFORE_EXIT = 14
const MOST_DETAILED = 10
/** Titles of a report's parts: `=== FAILURES ===`. */
const PART = /^={3,} [A-Z][A-Za-z ]{2,60} ={3,}$/
const MOST_PARTS = 8
const HEAD = 5
const SAMPLED_ROWS = 100
/** The price of lines of more units is remembered. */
const LONG = 1000
const TAIL = 24

/** What is told in the lines that follow. */
const DETAILED: ReadonlySet<FactKind> = new Set(['panic', 'unfinished-test', 'failed-test'])

export interface Budgets {
  /** Estimated tokens that the chosen lines may cost in all. */
  readonly lines: number
  /** Of those, what lines with signals may cost. */
  readonly signals: number
}

/** Lines `from` to `to` (exclusive). */
export interface Range {
  readonly from: number
  readonly to: number
}

/** The chosen lines. */
export interface Selection {
  /** 1 for each chosen line. */
  readonly chosen: Uint8Array
  /** Of chosen lines that would cost too much whole: what stands in their place. */
  readonly cuts: ReadonlyMap<number, string>
}

/**
 * Chooses the lines that tell most for a budget: signals, their surroundings and the headings that they stand under,
 * head and tail, then the first line of each template.
 * @param repeats 1 for each line that repeats the one before it: such lines are never chosen
 * @param facts of the lines
 * @param focus where it went wrong (the steps that failed): what is left of the budget goes there first, and last
 */
export function selectLines(
  lines: readonly string[],
  repeats: Uint8Array,
  facts: ReadonlyMap<string, Fact>,
  budgets: Budgets,
  focus: readonly Range[] = [],
): Selection {
  const chosen = new Uint8Array(lines.length)
  const cuts = new Map<number, string>()
  let left = budgets.lines
  // One overlong line must not eat what many short ones could use.
  const widest = Math.max(40, budgets.lines / 20)
  const cutTo = Math.max(widest / 2, budgets.lines / 2 / lines.length)
  const prices = new Map<number, number>()
  const priceOf = (i: number): number => {
    const known = prices.get(i)
    if (known !== undefined) return known
    const line = lines[i] ?? ''
    const price = estimateTokens(line) + 1
    if (line.length > LONG) prices.set(i, price)
    return price
  }
  const take = (i: number, limit = widest, cutLimit = cutTo): boolean => {
    if (i < 0 || i >= lines.length || chosen[i] === 1 || repeats[i] === 1 || left <= 0) return false
    let price = priceOf(i)
    if (price > left || price > limit) {
      const short = cutLine(lines[i] ?? '', Math.min(left, cutLimit) - 1)
      if (short === null) return false
      cuts.set(i, short)
      price = estimateTokens(short) + 1
    }
    chosen[i] = 1
    left -= price
    return true
  }

  const ranked = rankSignals(facts.values())
  const signals: number[] = []
  for (const fact of ranked) {
    const limit = Math.min(Math.max(widest, budgets.lines / 4), budgets.signals - (budgets.lines - left))
    if (take(fact.line, limit, limit)) signals.push(fact.line)
  }
  const headings = lastMatching(lines, HEADING)
  const sections = lastMatching(lines, SECTION)
  for (const i of signals) {
    take(sections[i] ?? -1)
    take(headings[i] ?? -1)
    take(stepOf(lines, i))
  }
  let parts = 0
  for (let i = 0; i < lines.length && parts < MOST_PARTS; i += 1) {
    if (PART.test(lines[i] ?? '') && take(i)) parts += 1
  }
  for (let k = 0; k < HEAD; k += 1) take(k)
  for (let k = 1; k <= TAIL / 2; k += 1) take(lines.length - k)
  const failures = ranked.filter((fact) => DETAILED.has(fact.kind) && chosen[fact.line] === 1).slice(0, MOST_DETAILED)
  for (const { line } of failures) for (let reach = 1; reach <= AFTER + 2; reach += 1) take(line + reach)
  const exits = ranked.filter((fact) => fact.kind === 'exit').map((fact) => fact.line)
  for (let reach = 1; reach <= AFTER; reach += 1) {
    for (const i of signals) {
      take(i + reach)
      if (reach <= BEFORE) take(i - reach)
    }
  }
  const seen = new Set<number>()
  for (const i of signals) {
    for (let k = i + 1; k <= i + DETAIL && k < lines.length; k += 1) {
      if (!HINT.test(lines[k] ?? '')) continue
      const template = templateHash(lines[k] ?? '')
      if (!seen.has(template) && take(k)) seen.add(template)
    }
  }
  for (const i of exits) for (let k = 1; k <= BEFORE_EXIT; k += 1) take(i - k)
  for (let k = 1; k <= TAIL; k += 1) take(lines.length - k)

  const floor = left / 2
  for (const i of fromBothEnds(matchingIn(lines, focus, (line) => HINT.test(line) || DIFF.test(line)))) {
    if (left <= floor) break
    take(i)
  }
  const firsts = firstOfTemplates(lines, repeats)
  for (const i of firsts) if (HINT.test(lines[i] ?? '')) take(i)
  for (const i of firsts) if (HEADING.test(lines[i] ?? '') || SECTION.test(lines[i] ?? '')) take(i)
  for (const i of fromBothEnds(firsts)) take(i)
  // What the step printed last is nearest to why it failed.
  for (const { from, to } of focus) for (let i = to - 1; i >= from && left > 0; i -= 1) take(i)
  // Rows of one form are no repeats: as many as half the budget holds.
  if (isTable(lines)) {
    for (const i of fromBothEnds(lines.map((_, i) => i))) {
      if (left <= budgets.lines / 2) break
      take(i)
    }
  }
  return { chosen, cuts }
}

const SEPARATORS = [',', '\t', '|', ';'] as const

/** Whether nearly all lines have the same number of separators, as rows of a table have; from a sample of them. */
function isTable(lines: readonly string[]): boolean {
  const rows: string[] = []
  const step = Math.max(1, Math.floor(lines.length / SAMPLED_ROWS))
  for (let i = 0; i < lines.length; i += step) rows.push((lines[i] ?? '').slice(0, LONG))
  return SEPARATORS.some((separator) => {
    const count = (row: string): number => row.split(separator).length
    const columns = count(rows[0] ?? '')
    return columns > 2 && rows.filter((row) => count(row) === columns).length >= rows.length * 0.9
  })
}

function matchingIn(lines: readonly string[], ranges: readonly Range[], holds: (line: string) => boolean): number[] {
  const found: number[] = []
  for (const { from, to } of ranges) for (let i = from; i < to; i += 1) if (holds(lines[i] ?? '')) found.push(i)
  return found
}

/** For each line the nearest one at or above it that matches, or -1. */
function lastMatching(lines: readonly string[], pattern: RegExp): Int32Array {
  const headings = new Int32Array(lines.length)
  let last = -1
  for (let i = 0; i < lines.length; i += 1) {
    if (pattern.test(lines[i] ?? '')) last = i
    headings[i] = last
  }
  return headings
}

/** BuildKit prefixes a step's lines with `#12 `: the line that names the step, within the last few thousand; -1 otherwise. */
function stepOf(lines: readonly string[], at: number): number {
  const prefix = /^#\d+ /.exec(lines[at] ?? '')?.[0]
  if (!prefix) return -1
  for (let i = at; i >= 0 && i > at - 3000; i -= 1) if (lines[i]?.startsWith(`${prefix}[`)) return i
  return -1
}

function firstOfTemplates(lines: readonly string[], repeats: Uint8Array): number[] {
  const templates = new Set<number>()
  const firsts: number[] = []
  for (let i = 0; i < lines.length; i += 1) {
    if (repeats[i] === 1 || (lines[i] ?? '').trim() === '') continue
    const template = templateHash(lines[i] ?? '')
    if (templates.has(template)) continue
    templates.add(template)
    firsts.push(i)
  }
  return firsts
}
