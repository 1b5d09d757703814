import type { Draft } from './draft.ts'
import type { Family, ToolOutput } from './family.ts'
import type { FilterOptions } from './filter.ts'
import { condenseByWindow } from './strategies/window.ts'

/** A way to condense, by falling strength. */
export interface Strategy {
  readonly family: string
  readonly view?: (line: string) => string
  readonly viewJson?: (value: unknown) => string
  /** Whether it keeps to a budget for signals itself. */
  readonly budgeted: boolean
  condense(output: ToolOutput, draft: Draft): string | null
}

/**
 * The ways to condense an output, strongest first: its family's, what any output's is, and as a terminal shows it.
 * @param drawn whether the text as a terminal shows it differs: else the last strategy has nothing to take away
 */
export function strategiesFor(family: Family | null, drawn: boolean, options: FilterOptions): Strategy[] {
  const strategies: Strategy[] = []
  if (family) {
    strategies.push({
      family: family.name,
      budgeted: family.budgeted ?? false,
      ...(family.view && { view: family.view }),
      ...(family.viewJson && { viewJson: family.viewJson }),
      condense: family.condense,
    })
  }
  strategies.push({
    family: 'generic',
    budgeted: true,
    condense: (output, draft) =>
      condenseByWindow(output, { lines: options.genericBudget, signals: options.signalBudget }, draft),
  })
  if (drawn)
    strategies.push({
      family: 'generic',
      budgeted: false,
      condense: (output, draft) => {
        draft.keepRange(0, output.lines.length)
        return 'terminal'
      },
    })
  return strategies
}
