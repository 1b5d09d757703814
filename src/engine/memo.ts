import type { CondensedPlan } from './filter.ts'
import { estimateTokens } from './text/tokens.ts'

/** Values by a text and what else they depend on. */
export interface Lookup<T> {
  get(text: string, about: string): T | undefined
  set(text: string, about: string, value: T): void
}

/** A text's sizes. */
export interface TextSize {
  /** Estimated. */
  readonly tokens: number
  /** Split at LF; a last line without LF counts. */
  readonly lines: number
  /** Without a lone surrogate: it can be stored as UTF-8. */
  readonly wellFormed: boolean
}

/**
 * Remembers what was worked out of a text before: within one call, or for longer where the caller hands one in. Every
 * value is a function of what it is kept under, so that any cache will do. The caller bounds it and shares it within a
 * tenant.
 */
export interface Memo {
  /** By text alone. */
  readonly sizes: Lookup<TextSize>
  /** By content and call. */
  readonly previews: Lookup<string>
  /** Tokens that a stub frees, by content, call, the content's weight and the words in the stub. */
  readonly gains: Lookup<number>
  /** Condensed forms by content and call, null where there is none. */
  readonly births: Lookup<CondensedPlan | null>
}

export function createMemo(): Memo {
  return { sizes: createLookup(), previews: createLookup(), gains: createLookup(), births: createLookup() }
}

/** By text first: a long text is compared, and no key is made of it. */
function createLookup<T>(): Lookup<T> {
  const byText = new Map<string, Map<string, T>>()
  return {
    get: (text, about) => byText.get(text)?.get(about),
    set(text, about, value) {
      const known = byText.get(text)
      if (known) known.set(about, value)
      else byText.set(text, new Map([[about, value]]))
    },
  }
}

/** Below this many characters measuring is as cheap as looking it up. */
const WORTH_KEEPING = 200

/** A text's sizes, remembered: a history's texts are measured for the budgets, for the stubs and for the report. */
export function sizeOf(text: string, memo: Memo): TextSize {
  if (text.length < WORTH_KEEPING) return sizesOf(text)
  let size = memo.sizes.get(text, '')
  if (size === undefined) {
    size = sizesOf(text)
    memo.sizes.set(text, '', size)
  }
  return size
}

/** `estimateTokens`, remembered. */
export function tokensOf(text: string, memo: Memo): number {
  return text.length < WORTH_KEEPING ? estimateTokens(text) : sizeOf(text, memo).tokens
}

function sizesOf(text: string): TextSize {
  return { tokens: estimateTokens(text), lines: countLines(text), wellFormed: text.isWellFormed() }
}

function countLines(text: string): number {
  let lines = text.endsWith('\n') ? 0 : 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1
  return lines
}
