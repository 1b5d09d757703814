import type { Draft } from '../draft.ts'
import { keepDeduplicated } from './dedup.ts'
import { type Budgets, costsOf, selectLines } from './select.ts'

/**
 * For output of no known family: all of it without its repeats where that fits the budget; else the lines that tell
 * most, as far as they fit.
 * @param shown where the lines are to stand in other words than they came (without timestamps): those words
 * @returns the strategy's name
 */
export function condenseByWindow(
  lines: readonly string[],
  budgets: Budgets,
  draft: Draft,
  shown?: readonly string[],
): string {
  const texts = shown ?? lines
  const { cost, total } = costsOf(texts)
  if (total <= budgets.lines && !shown) {
    keepDeduplicated(lines, 0, lines.length, draft)
    return 'dedup'
  }
  const chosen = total <= budgets.lines ? cost.map((price) => Math.min(price, 1)) : selectLines(texts, cost, budgets)
  for (let i = 0; i < lines.length; ) {
    let end = i + 1
    while (end < lines.length && (chosen[end] ?? 0) === chosen[i]) end += 1
    if (chosen[i] === 0) draft.elideRange(gapOf(cost, i, end), i, end)
    else if (!shown) draft.keepRange(i, end)
    else for (let k = i; k < end; k += 1) draft.restate(texts[k] ?? '', [k])
    i = end
  }
  return 'window'
}

function gapOf(cost: Uint32Array, from: number, to: number): string {
  for (let i = from; i < to; i += 1) if (cost[i] !== 0) return 'lines without a signal'
  return 'repeats of the line above'
}
