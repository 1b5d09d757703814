import type { MaskPolicy } from './policy.ts'
import { createThinking } from './thinking.ts'

/** What the replay has to know of one result, in order of the history. */
export interface ReplayResult {
  /** Original size towards the protected budget: of a masked result, what its stub records; 0 for protected tools. */
  readonly weight: number
  /** Whether masking may ever touch it. */
  readonly maskable: boolean
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

export type ReplayPolicy = Pick<
  MaskPolicy,
  | 'toolProtectionThreshold'
  | 'minPrunableTokensThreshold'
  | 'protectLatestTurn'
  | 'recentTurnsToKeep'
  | 'keepLatestRead'
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
 * @param net tokens that masking the result frees, stubs counted; asked once a result, and only outside the budget
 */
export function replay(
  steps: readonly ReplayStep[],
  results: readonly ReplayResult[],
  policy: ReplayPolicy,
  net: (result: number) => number,
): readonly MaskEvent[] {
  const events: MaskEvent[] = []
  const thinking = createThinking(policy.thinking)
  /** Results seen, of these the ones an assistant message came after, and each one's step. */
  let seen = 0
  let consumed = 0
  const stepOf: number[] = []
  /** The newest results within the budget are those from `window` up to `counted`; `weight` is their sum. */
  let window = 0
  let counted = 0
  let weight = 0
  /** Results from here on are looked at at the next point; `pending` are those looked at and not masked yet. */
  let next = 0
  let pending: number[] = []
  let freed = 0
  /** The newest read of each path, and the older ones. */
  const latest = new Map<string, number>()
  const superseded = new Set<number>()
  /** Number of results before each human turn. */
  const turns: number[] = []
  let inHuman = false

  function consider(result: number): void {
    if (!results[result]?.maskable) return
    const gain = net(result)
    if (gain <= 0) return
    pending.push(result)
    freed += gain
  }

  function isKept(result: number): boolean {
    return policy.keepLatestRead && results[result]?.reads != null && !superseded.has(result)
  }

  /** A result comes in: an older read of its path is kept no longer, and is looked at now where its turn has passed. */
  function see(result: number): void {
    const path = results[result]?.reads ?? null
    if (path === null) return
    const older = latest.get(path)
    latest.set(path, result)
    if (older === undefined || !policy.keepLatestRead) return
    superseded.add(older)
    if (older < next) consider(older)
  }

  function decide(step: number): void {
    const newest = policy.protectLatestTurn ? consumed : seen
    for (; counted < newest; counted += 1) weight += results[counted]?.weight ?? 0
    for (; weight > policy.toolProtectionThreshold && window < counted; window += 1)
      weight -= results[window]?.weight ?? 0
    const kept = policy.recentTurnsToKeep === 0 ? seen : (turns.at(-policy.recentTurnsToKeep) ?? 0)
    const end = Math.min(window, consumed, kept)
    for (; next < end; next += 1) if (!isKept(next)) consider(next)
    if (pending.length === 0 || freed < policy.minPrunableTokensThreshold) return
    const oldest = pending.reduce((least, result) => Math.min(least, stepOf[result] ?? 0), step)
    if (!thinking.allows(oldest)) return
    events.push({ results: pending, step, stripFrom: thinking.strip(step) })
    pending = []
    freed = 0
  }

  steps.forEach((step, index) => {
    if (step.kind === 'assistant') {
      decide(index)
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
  return events
}
