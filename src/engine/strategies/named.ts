import type { Draft } from '../draft.ts'
import type { ToolOutput } from '../family.ts'
import { keepDeduplicated } from './dedup.ts'
import { condenseToErrors } from './error-only.ts'
import { condenseByGroup } from './group.ts'
import type { Budgets } from './select.ts'
import { condenseToStats } from './stats.ts'
import { condenseToStructure } from './structure.ts'
import { condenseByWindow } from './window.ts'

/** A strategy for any command, by a name that a rule may give. */
export interface NamedStrategy {
  /**
   * Counts stand in the place of items: refused where a command's output drives the next decision (its failed, skipped
   * or changed items have to be there).
   */
  readonly countsOnly: boolean
  /** It keeps signals to the budgets given. */
  readonly budgeted: boolean
  /** @param items 1 for a line that has to stay; null for none. @returns false where the text is not what it knows */
  condense(output: ToolOutput, draft: Draft, budgets: Budgets, items: Uint8Array | null): boolean
}

const strategy = (condense: NamedStrategy['condense'], also: Partial<NamedStrategy> = {}): NamedStrategy => ({
  countsOnly: false,
  budgeted: false,
  condense,
  ...also,
})

export const namedStrategies: ReadonlyMap<string, NamedStrategy> = new Map([
  [
    'dedup',
    strategy(({ lines }, draft) => {
      keepDeduplicated(lines, 0, lines.length, draft)
      return true
    }),
  ],
  [
    'error-only',
    strategy((output, draft, budgets, items) => {
      condenseToErrors(output, budgets, items, draft)
      return true
    }),
  ],
  ['group', strategy(({ lines }, draft) => condenseByGroup(lines, 'file', draft))],
  ['group-by-rule', strategy(({ lines }, draft) => condenseByGroup(lines, 'rule', draft))],
  ['structure-only', strategy(({ lines }, draft) => condenseToStructure(lines, draft), { countsOnly: true })],
  [
    'stats',
    strategy(
      ({ lines }, draft) => {
        condenseToStats(lines, draft)
        return true
      },
      { countsOnly: true },
    ),
  ],
  [
    'window',
    strategy(
      ({ lines, facts }, draft, budgets, items) => {
        // Chosen by a budget, items would be left out: then all of them stay, without their repeats.
        if (items) keepDeduplicated(lines, 0, lines.length, draft)
        else condenseByWindow({ lines, facts }, budgets, draft)
        return true
      },
      { budgeted: true },
    ),
  ],
])
