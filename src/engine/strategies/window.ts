import type { Draft } from '../draft.ts'
import { factsOf } from '../signals.ts'
import { templateOf } from '../text/normal.ts'
import { estimateTokens } from '../text/tokens.ts'
import { keepDeduplicated, repeatsFrom } from './dedup.ts'

/** Words that hint at trouble without being a fact of their own; they only rank lines. */
const HINT =
  /warn|not found|no such|denied|refused|timed? ?out|timeout|cannot|could not|couldn't|can't|unable|invalid|missing|unexpected|expected|received|actual|mismatch|deprecated|abort|cancel|retry|rejected|conflict|differ|dubious/i

/** Lines kept around each signal: what led to it, and what it says in detail. */
const BEFORE = 2
const AFTER = 6
const HEAD = 6
const TAIL = 30

/**
 * For output of no known family: all of it without its repeats where that fits the budget; else the signals with a
 * window around each, head and tail, and the first line of each template, the more telling first, as far as it fits.
 * @param budget estimated tokens for the kept lines
 * @returns the strategy's name
 */
export function condenseByWindow(lines: readonly string[], budget: number, draft: Draft): string {
  const cost = new Uint32Array(lines.length)
  const repeat = new Uint8Array(lines.length)
  let total = 0
  for (let i = 0; i < lines.length; ) {
    const run = repeatsFrom(lines, i, lines.length)
    cost[i] = estimateTokens(lines[i] ?? '') + 1
    total += cost[i] ?? 0
    repeat.fill(1, i + 1, i + run)
    i += run
  }
  if (total <= budget) {
    keepDeduplicated(lines, 0, lines.length, draft)
    return 'dedup'
  }
  const chosen = choose(lines, cost, repeat, budget)
  for (let i = 0; i < lines.length; ) {
    let end = i + 1
    while (end < lines.length && chosen[end] === chosen[i]) end += 1
    if (chosen[i]) draft.keepRange(i, end)
    else draft.elideRange('lines without a signal', i, end)
    i = end
  }
  return 'window'
}

function choose(lines: readonly string[], cost: Uint32Array, repeat: Uint8Array, budget: number): Uint8Array {
  const chosen = new Uint8Array(lines.length)
  let left = budget
  const take = (i: number, share: number): void => {
    if (i < 0 || i >= lines.length || chosen[i] || repeat[i]) return
    const price = cost[i] ?? 0
    // One overlong line must not eat what many short ones could use.
    if (price > left || price > budget * share) return
    chosen[i] = 1
    left -= price
  }
  const signals = [...factsOf(lines).values()].map((fact) => fact.line)
  const both = fromBothEnds(signals)
  for (const i of both) take(i, 0.25)
  for (let k = 0; k < HEAD; k += 1) take(k, 0.05)
  for (let k = 1; k <= TAIL; k += 1) take(lines.length - k, 0.05)
  for (let reach = 1; reach <= AFTER; reach += 1) {
    for (const i of both) {
      take(i + reach, 0.05)
      if (reach <= BEFORE) take(i - reach, 0.05)
    }
  }
  const templates = new Set<string>()
  const firsts: number[] = []
  for (let i = 0; i < lines.length && left > 0; i += 1) {
    if (repeat[i] || (lines[i] ?? '').trim() === '') continue
    const template = templateOf(lines[i] ?? '')
    if (templates.has(template)) continue
    templates.add(template)
    firsts.push(i)
  }
  for (const i of firsts) if (HINT.test(lines[i] ?? '')) take(i, 0.05)
  for (const i of fromBothEnds(firsts)) take(i, 0.05)
  return chosen
}

/** The items alternately from the front and the back: where a budget ends, the middle goes. */
function fromBothEnds<T>(items: readonly T[]): T[] {
  const order: T[] = []
  for (let low = 0, high = items.length - 1; low <= high; low += 1, high -= 1) {
    order.push(...items.slice(low, low + 1))
    if (high > low) order.push(...items.slice(high, high + 1))
  }
  return order
}
