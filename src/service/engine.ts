import { type FilterContext, type FilterPlan, planFilter, renderFilter } from '../engine/filter.ts'

/** What the use cases need of the engine; handed in so that tests can let it fail. */
export interface Engine {
  planFilter(text: string, context: FilterContext): FilterPlan
  renderFilter(plan: FilterPlan & { readonly changed: true }, id: string | null): string
  /** Estimated tokens of a text. */
  estimateTokens(text: string): number
}

export const engine: Engine = { planFilter, renderFilter, estimateTokens: (text) => Math.ceil(text.length / 4) }
