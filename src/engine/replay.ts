import { createPayback } from './payback.ts'
import type { MaskPolicy } from './policy.ts'
import { createThinking } from './thinking.ts'

/** What the replay has to know of one result, in order of the history. */
export interface ReplayResult {
  /** Original size towards the protected budget: of a masked result, what its stub records; 0 for protected tools. */
  readonly weight: number
  /** Whether masking may ever touch it. */
  readonly maskable: boolean
  /** Whether it stands masked already. */
  readonly masked: boolean
  /** The same for equal calls; null where the result may not point to an earlier one. */
  readonly callKey: string | null
  /** Whether it stands as a pointer already. */
  readonly repeats: boolean
  /** A path that its call read; with `keepLatestRead` the newest read of each path stays whole. Null for other calls. */
  readonly reads: string | null
}

/** What the replay has to know of the history, in order. */
export type ReplayStep =
  /** What the model wrote: its signed thinking blocks, and whether taking them out leaves something of the message. */
  | { readonly kind: 'assistant'; readonly signed: number; readonly strippable: boolean }
  /** A message of the user role without results; `human` where it starts a human turn. */
  | { readonly kind: 'user'; readonly human: boolean }
  | { readonly kind: 'results'; readonly results: number }
  | { readonly kind: 'other' }

/** Results masked together. */
export interface MaskEvent {
  /** Indexes into the results. */
  readonly results: readonly number[]
  /** Index of the step before which the event took place; the number of steps for an event that takes place now. */
  readonly step: number
  /** The signed thinking blocks of the steps from here up to `step` go with it; equal to `step` where none go. */
  readonly stripFrom: number
}

/** What a replay decides. */
export interface Replayed {
  readonly events: readonly MaskEvent[]
  /** Results that point to an equal one above from the first, with that one's index. */
  readonly repeats: ReadonlyMap<number, number>
}

/** What is worked out of a result only when it is needed. */
export interface Sizes {
  /** Tokens that masking the result frees, stubs counted. */
  net(result: number): number
  /** Whether the result may point to the older one: the same, and larger than a pointer. */
  isSame(result: number, older: number): boolean
}

export type ReplayPolicy = Pick<
  MaskPolicy,
  | 'toolProtectionThreshold'
  | 'minPrunableTokensThreshold'
  | 'protectLatestTurn'
  | 'recentTurnsToKeep'
  | 'keepLatestRead'
  | 'maxPayback'
  | 'cacheWritePrice'
  | 'cacheReadPrice'
  | 'thinking'
>

/**
 * Replays a history: walks the points at which the model was called (before each assistant message, and now), oldest
 * first, and decides at each from what stands before it alone. So a caller that sends its whole history at every call
 * gets the same decisions each time, and the bytes between two events stay equal, which a provider's prompt cache needs.
 *
 * At a point, a result is prunable when an assistant message came after it, it stands before the human turns that are
 * kept, and it is outside the newest `toolProtectionThreshold` tokens of results. When all that are prunable and not
 * yet masked would free `minPrunableTokensThreshold` or more, all of them are masked. These bounds only move forwards,
 * and what is prunable stays so, so that running sums make it one pass.
 *
 * A result that repeats a call, with the same outcome, while the earlier result is not prunable, points to that one as
 * soon as it comes in: no older byte changes. The earlier one then counts as standing where its newest pointer stands.
 */
export function replay(
  steps: readonly ReplayStep[],
  results: readonly ReplayResult[],
  policy: ReplayPolicy,
  sizes: Sizes,
): Replayed {
  const events: MaskEvent[] = []
  const repeats = new Map<number, number>()
  const thinking = createThinking(policy.thinking)
  const payback = createPayback(results.length, policy)
  /** Results seen, of these the ones an assistant message came after, and each one's step. */
  let seen = 0
  let consumed = 0
  const stepOf: number[] = []
  /** What counts at each result's place: its own weight, or nothing once a pointer further on carries it. */
  const weights: number[] = []
  /** Where a result that is pointed to counts as standing, and which result a pointer's place stands for. */
  const placeOf = new Map<number, number>()
  const ownerOf = new Map<number, number>()
  /** The newest result of each call that is no pointer. */
  const called = new Map<string, number>()
  /** The newest results within the budget are those from `window` up to `counted`; `weight` is their sum. */
  let window = 0
  let counted = 0
  let weight = 0
  /** Results from here on are looked at at the next point; `pending` are those looked at and not masked yet. */
  let next = 0
  let pending: number[] = []
  let freed = 0
  /** The first step that the next event would change. */
  let oldest = Number.POSITIVE_INFINITY
  /** The newest read of each path, and the older ones. */
  const latest = new Map<string, number>()
  const superseded = new Set<number>()
  /** Number of results before each human turn. */
  const turns: number[] = []
  let inHuman = false

  const weightOf = (result: number) => results[result]?.weight ?? 0
  const place = (result: number) => placeOf.get(result) ?? result

  function consider(result: number): void {
    if (!results[result]?.maskable) return
    const gain = sizes.net(result)
    if (gain <= 0) return
    pending.push(result)
    freed += gain
    oldest = Math.min(oldest, stepOf[result] ?? 0)
    payback.add(result)
  }

  function isKept(result: number): boolean {
    return policy.keepLatestRead && results[result]?.reads != null && !superseded.has(result)
  }

  /** The result that a new one points to; null for one that stands for itself. */
  function repeated(result: number): number | null {
    const { callKey = null, repeats: pointer = false } = results[result] ?? {}
    if (callKey === null) return null
    const older = called.get(callKey)
    if (older !== undefined && (pointer || (isWhole(older) && sizes.isSame(result, older)))) return older
    if (!pointer) called.set(callKey, result)
    return null
  }

  /** Whether a result stands whole and is not about to go. */
  function isWhole(result: number): boolean {
    return place(result) >= next && results[result]?.masked === false
  }

  /** The older result counts as standing where its newest pointer stands. */
  function move(older: number, to: number): void {
    const at = place(older)
    if (at >= window && at < counted) weight -= weights[at] ?? 0
    weights[at] = 0
    placeOf.set(older, to)
    ownerOf.set(to, older)
  }

  /** A result comes in: an older read of its path is kept no longer, and is looked at now where its turn has passed. */
  function see(result: number): void {
    weights.push(weightOf(result))
    const root = repeated(result)
    payback.result(root === null && results[result]?.masked === false ? weightOf(result) : 0)
    if (root !== null) {
      if (!results[result]?.repeats) repeats.set(result, root)
      move(root, result)
      return
    }
    const path = results[result]?.reads ?? null
    if (path === null) return
    const older = latest.get(path)
    latest.set(path, result)
    if (older === undefined || !policy.keepLatestRead) return
    superseded.add(older)
    if (place(older) < next) consider(older)
  }

  function decide(step: number): void {
    const newest = policy.protectLatestTurn ? consumed : seen
    for (; counted < newest; counted += 1) weight += weights[counted] ?? 0
    for (; weight > policy.toolProtectionThreshold && window < counted; window += 1) weight -= weights[window] ?? 0
    const kept = policy.recentTurnsToKeep === 0 ? seen : (turns.at(-policy.recentTurnsToKeep) ?? 0)
    const end = Math.min(window, consumed, kept)
    for (; next < end; next += 1) {
      const result = ownerOf.get(next) ?? next
      if (place(result) === next && !isKept(result)) consider(result)
    }
    if (pending.length === 0 || freed < policy.minPrunableTokensThreshold) return
    if (!thinking.allows(oldest) || !payback.allows(freed)) return
    events.push({ results: pending, step, stripFrom: thinking.strip(step) })
    pending = []
    freed = 0
    oldest = Number.POSITIVE_INFINITY
    payback.done()
  }

  steps.forEach((step, index) => {
    if (step.kind === 'assistant') {
      decide(index)
      payback.call()
      consumed = seen
    } else if (step.kind === 'results') {
      for (let i = 0; i < step.results; i += 1) {
        stepOf.push(index)
        see(seen)
        seen += 1
      }
    } else if (step.kind === 'user' && step.human && !inHuman) turns.push(seen)
    if (step.kind === 'user') inHuman ||= step.human
    else if (step.kind !== 'other') inHuman = false
    thinking.see(step, index)
  })
  decide(steps.length)
  return { events, repeats }
}
