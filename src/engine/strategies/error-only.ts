import type { Draft } from '../draft.ts'
import type { ToolOutput } from '../family.ts'
import { estimateTokens } from '../text/tokens.ts'
import type { Budgets } from './select.ts'
import { condenseByWindow } from './window.ts'

/** Lines that stay around each signal of a run that did not succeed. */
const BEFORE = 1
const AFTER = 3

/**
 * Errors and verdicts stay, the rest is counted. After a success (exit code 0) nothing else stays; after a failure, or
 * where the exit code is unknown, so do the lines around each signal, and where there is no signal at all the lines
 * that tell most: a failure without words is no success.
 * @param items 1 for a line that has to stay; null for none
 */
export function condenseToErrors(
  { lines, exitCode, facts }: Pick<ToolOutput, 'lines' | 'exitCode' | 'facts'>,
  budgets: Budgets,
  items: Uint8Array | null,
  draft: Draft,
): void {
  const signals = [...facts().values()].flatMap(({ line, header }) => (header < 0 ? [line] : [header, line]))
  const succeeded = exitCode === 0
  const stays = items?.slice() ?? new Uint8Array(lines.length)
  for (const line of signals)
    stays.fill(1, succeeded ? line : Math.max(0, line - BEFORE), succeeded ? line + 1 : line + AFTER + 1)
  if (items === null && !succeeded && (signals.length === 0 || costOf(lines, stays) > budgets.lines)) {
    condenseByWindow({ lines, facts }, budgets, draft)
    return
  }
  const what = succeeded ? 'lines of a run with exit code 0' : 'lines without a signal'
  for (let i = 0; i < lines.length; i += 1) {
    if (stays[i] === 1) draft.keep(i)
    else draft.elide(what, [i])
  }
}

function costOf(lines: readonly string[], stays: Uint8Array): number {
  return lines.reduce((sum, line, i) => sum + (stays[i] === 1 ? estimateTokens(line) + 1 : 0), 0)
}
