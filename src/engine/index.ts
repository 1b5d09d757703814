/**
 * The engine: pure and synchronous, the same bytes on every runtime. It plans; the caller stores full outputs under ids
 * of its own (see ID_PATTERN), then renders. Nothing here does I/O, reads a clock or needs a runtime's API.
 */
export {
  DEFAULT_FILTER_OPTIONS,
  type FilterContext,
  type FilterOptions,
  type FilterPlan,
  planFilter,
  renderFilter,
} from './filter.ts'
export { measureHistory } from './history/measure.ts'
export { type JsonEdit, spliceJson } from './json.ts'
export { ID_PATTERN, readTrailer, type Trailer } from './marker.ts'
export { type MaskInput, type MaskPlan, type MaskReport, planMask, type Spill, type Stored } from './mask.ts'
export { DEFAULT_BOUNDS, DEFAULT_POLICY, type MaskPolicy, type PolicyBounds, PRESETS, readPolicy } from './policy.ts'
export { estimateTokens } from './text/tokens.ts'
