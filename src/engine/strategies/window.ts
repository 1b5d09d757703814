import type { Draft } from '../draft.ts'
import type { ToolOutput } from '../family.ts'
import { estimateTokens } from '../text/tokens.ts'
import { keepDeduplicated, repeatsFrom, repeatsOfLine } from './dedup.ts'
import { type Budgets, selectLines } from './select.ts'

/**
 * For output of no known family: all of it without its repeats where that fits the budget; else the lines that tell
 * most, as far as they fit.
 * @param shown where the lines are to stand in other words than they came (without timestamps): those words
 * @returns the strategy's name
 */
export function condenseByWindow(
  { lines, facts }: Pick<ToolOutput, 'lines' | 'facts'>,
  budgets: Budgets,
  draft: Draft,
  shown?: readonly string[],
): string {
  const texts = shown ?? lines
  if (fits(texts, budgets.lines)) {
    if (!shown) {
      keepDeduplicated(lines, 0, lines.length, draft)
      return 'dedup'
    }
    texts.forEach((text, i) => {
      draft.restate(text, [i])
    })
    return 'window'
  }
  const repeats = repeatsOf(texts)
  const { chosen, cuts } = selectLines(texts, repeats, facts(), budgets)
  for (let i = 0; i < lines.length; ) {
    let end = i + 1
    while (end < lines.length && chosen[end] === chosen[i]) end += 1
    if (chosen[i] === 0) draft.elideRange(gapOf(texts, repeats, i, end), i, end)
    else
      for (let k = i; k < end; k += 1) {
        const cut = cuts.get(k)
        if (!shown && cut === undefined) draft.keep(k)
        else draft.restate(cut ?? texts[k] ?? '', [k])
      }
    i = end
  }
  return 'window'
}

function gapOf(texts: readonly string[], repeats: Uint8Array, from: number, to: number): string {
  for (let i = from; i < to; i += 1) if (repeats[i] === 0) return 'lines without a signal'
  return repeatsOfLine(texts, from - 1, to - from + 1)
}

/** Whether the lines without their repeats cost at most so many tokens; reads no further than it has to. */
function fits(lines: readonly string[], budget: number): boolean {
  let total = 0
  for (let i = 0; i < lines.length; i += repeatsFrom(lines, i, lines.length)) {
    total += estimateTokens(lines[i] ?? '') + 1
    if (total > budget) return false
  }
  return true
}

/** 1 for each line that repeats the one before it. */
export function repeatsOf(lines: readonly string[]): Uint8Array {
  const repeats = new Uint8Array(lines.length)
  for (let i = 0; i < lines.length; ) {
    const run = repeatsFrom(lines, i, lines.length)
    if (run > 1) repeats.fill(1, i + 1, i + run)
    i += run
  }
  return repeats
}
