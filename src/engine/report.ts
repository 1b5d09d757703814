import type { MaskPolicy } from './policy.ts'

/** Why a reply is as it is. */
export type MaskReason = 'masked' | 'below-minimum' | 'nothing-to-mask' | 'not-stored' | 'format-unknown' | 'disabled'

/** What masking did, or with `dryRun` would do. Tokens are estimated, of the whole history. */
export interface MaskReport {
  readonly format: string | null
  readonly reason: MaskReason
  readonly dryRun: boolean
  /** The model's tokens for one estimated token, by which the thresholds were held; the figures here are not scaled. */
  readonly scale: number
  readonly tokensBefore: number
  readonly tokensAfter: number
  readonly tokensSaved: number
  /** Results that stand filtered since they came in (`filterAtBirth`). */
  readonly filtered: number
  /** Results that point to an equal one above since they came in (`dedupeCalls`). */
  readonly repeated: number
  /** Results masked by an event that takes place at this call, and results that stand masked in all. */
  readonly maskedNow: number
  readonly masked: number
  /** Masking events in this history's life, as far as it shows them. */
  readonly events: number
  /** Index of the first message that this call's event changed; null without one. */
  readonly firstChange: number | null
  /** Tokens from the first change on: what a prompt cache has to write again. */
  readonly tokensAfterFirstChange: number
  /** Calls until this call's event has paid for the rewriting; null without one. */
  readonly breakEvenCalls: number | null
  /** Signed thinking blocks that stand after the first change. */
  readonly signedBlocksAfterFirstChange: number
}

export interface Change {
  readonly message: number
  readonly saved: number
  /** Made by an event that takes place at this call. */
  readonly now: boolean
}

export interface Happened {
  readonly format: string | null
  readonly reason: MaskReason
  readonly scale: number
  readonly policy: Pick<MaskPolicy, 'dryRun' | 'cacheWritePrice' | 'cacheReadPrice'>
  /** Estimated tokens by message, before. */
  readonly sizes: readonly number[]
  readonly changes: readonly Change[]
  readonly filtered: number
  readonly repeated: number
  readonly masked: number
  readonly maskedNow: number
  readonly events: number
  /** Messages that hold signed thinking, once a block. */
  readonly signed: readonly number[]
}

/**
 * The report of one call. An event pays for itself once the calls after it exceed ((w - r) / r) * S / T: w and r are the
 * prices of writing and reading the cache, S the tokens after the first change, T the tokens that the event frees.
 */
export function writeReport(happened: Happened): MaskReport {
  const { policy, changes, sizes } = happened
  const before = sizes.reduce((sum, size) => sum + size, 0)
  const saved = changes.reduce((sum, change) => sum + change.saved, 0)
  const now = changes.filter((change) => change.now)
  const first = now.reduce((least, change) => Math.min(least, change.message), Number.POSITIVE_INFINITY)
  let after = 0
  if (now.length > 0) {
    for (let i = first; i < sizes.length; i += 1) after += sizes[i] ?? 0
    for (const change of changes) if (change.message >= first) after -= change.saved
  }
  const freed = now.reduce((sum, change) => sum + change.saved, 0)
  const { cacheWritePrice: write, cacheReadPrice: read } = policy
  return {
    format: happened.format,
    reason: happened.reason,
    dryRun: policy.dryRun,
    scale: happened.scale,
    tokensBefore: before,
    tokensAfter: before - saved,
    tokensSaved: saved,
    filtered: happened.filtered,
    repeated: happened.repeated,
    maskedNow: happened.maskedNow,
    masked: happened.masked,
    events: happened.events,
    firstChange: now.length > 0 ? first : null,
    tokensAfterFirstChange: after,
    breakEvenCalls: freed > 0 ? Math.ceil((Math.max(0, write - read) / read) * (after / freed)) : null,
    signedBlocksAfterFirstChange: happened.signed.filter((message) => message > first).length,
  }
}
