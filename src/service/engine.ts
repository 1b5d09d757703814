import {
  type CondensedPlan,
  type FilterContext,
  type FilterOptions,
  type FilterPlan,
  planFilter,
  renderFilter,
} from '../engine/filter.ts'
import { spliceJson } from '../engine/json.ts'
import { type MaskFault, type MaskInput, type MaskPlan, planMask } from '../engine/mask.ts'
import { estimateTokens } from '../engine/text/tokens.ts'
import type { Edit } from './types.ts'

/** What the use cases need of the engine; handed in so that tests can let it fail. */
export interface Engine {
  planFilter(text: string, context: FilterContext, options: FilterOptions): FilterPlan
  renderFilter(plan: CondensedPlan, id: string | null): string
  planMask(input: MaskInput): MaskPlan | MaskFault
  /** Replaces values in a JSON text; every other byte stays. */
  spliceJson(json: string, edits: readonly Edit[]): string
  /** Estimated tokens of a text. */
  estimateTokens(text: string): number
}

export const engine: Engine = { planFilter, renderFilter, planMask, spliceJson, estimateTokens }
