import type { CondensedPlan } from './filter.ts'
import { estimateTokens } from './text/tokens.ts'

interface Lookup<T> {
  get(key: string): T | undefined
  set(key: string, value: T): unknown
}

/**
 * Remembers what was worked out of a text before: within one call, or for longer where the caller hands one in. Every
 * value is a function of its key alone, so that any cache will do. The caller bounds it and shares it within a tenant.
 */
export interface Memo {
  /** Estimated tokens by text. */
  readonly tokens: Lookup<number>
  /** Previews by content and call. */
  readonly previews: Lookup<string>
  /** Condensed forms by content and call, null where there is none; a memo without them makes them at each call. */
  readonly births?: Lookup<CondensedPlan | null>
}

export function createMemo(): Memo {
  return { tokens: new Map(), previews: new Map(), births: new Map() }
}

/** Below this many characters an estimate is as cheap as looking it up. */
const WORTH_KEEPING = 200

/** `estimateTokens`, remembered: a history's texts are measured for the budgets and for the report. */
export function tokensOf(text: string, memo: Memo): number {
  if (text.length < WORTH_KEEPING) return estimateTokens(text)
  let tokens = memo.tokens.get(text)
  if (tokens === undefined) {
    tokens = estimateTokens(text)
    memo.tokens.set(text, tokens)
  }
  return tokens
}
