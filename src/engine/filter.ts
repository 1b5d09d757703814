/** What is known of an output besides its text. */
export interface FilterContext {
  readonly command?: string
  readonly tool?: string
  readonly exitCode?: number
  /** Upper bound for the result's estimated tokens, markers included. */
  readonly maxTokens?: number
  /** Words for how to get the full output, with `{id}`. */
  readonly hint?: string
}

/** Why an output is returned as it came. */
export type UnchangedReason =
  | 'small'
  | 'already-filtered'
  | 'narrowed'
  | 'own-tool'
  | 'lone-surrogates'
  | 'not-smaller'
  | 'disabled'

export interface LineFates {
  readonly in: number
  readonly kept: number
  readonly restated: number
  readonly elided: number
}

/** A decision about one text. Where `changed`, store the raw text first, then `renderFilter(plan, id)`. */
export type FilterPlan =
  | {
      readonly changed: false
      readonly reason: UnchangedReason
      readonly family: string | null
      readonly lines: LineFates
      readonly tokensBefore: number
      readonly warnings: readonly string[]
    }
  | {
      readonly changed: true
      readonly family: string
      readonly strategy: string
      /** The condensed text without its trailer. */
      readonly body: string
      readonly lines: LineFates
      readonly chars: number
      readonly hint: string
      readonly tokensBefore: number
      /** Of the rendered result; the id's cost is constant. */
      readonly tokensAfter: number
      readonly warnings: readonly string[]
    }

/** Plans the condensed form of one tool output. Pure, synchronous, linear in the text's length. */
export function planFilter(_text: string, _context: FilterContext): FilterPlan {
  throw new Error('not built yet')
}

/** The text that a model reads in the output's place. @param id where the raw output is stored; null without a store */
export function renderFilter(_plan: FilterPlan & { readonly changed: true }, _id: string | null): string {
  throw new Error('not built yet')
}
