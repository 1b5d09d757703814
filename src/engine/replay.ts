import { createPayback } from './payback.ts'
import type { MaskPolicy } from './policy.ts'
import { createNewest } from './replay-newest.ts'
import { createPlaces } from './replay-places.ts'
import { createTurns } from './replay-turns.ts'
import { createWindow } from './replay-window.ts'
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
  /** Names of what stays whole where it is newest: the newest result of each name (a path that was read) is kept. */
  readonly newestOf: readonly string[]
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
  const history = createReplay(results, policy, sizes)
  steps.forEach((step, index) => {
    if (step.kind === 'assistant') history.call(index)
    else if (step.kind === 'results') for (let i = 0; i < step.results; i += 1) history.result(index)
    history.after(step, index)
  })
  return history.end(steps.length)
}

/** A history as far as it has been walked. */
interface Replay {
  /** The model is called, and answers with the step `step`: an event may take place, and what came in is consumed. */
  call(step: number): void
  /** The next result comes in, in the step `step`. */
  result(step: number): void
  /** The step is over. */
  after(step: ReplayStep, index: number): void
  /** What was decided, once an event may take place now. */
  end(steps: number): Replayed
}

function createReplay(results: readonly ReplayResult[], policy: ReplayPolicy, sizes: Sizes): Replay {
  const events: MaskEvent[] = []
  const repeats = new Map<number, number>()
  const thinking = createThinking(policy.thinking)
  const payback = createPayback(results.length, policy)
  const window = createWindow(policy.toolProtectionThreshold)
  const places = createPlaces(results)
  const newest = createNewest()
  const turns = createTurns(policy.recentTurnsToKeep)
  const waiting = createWaiting()
  /** Results seen, and of these the ones that an assistant message came after. */
  let seen = 0
  let consumed = 0
  /** Results that stand from here on are looked at at the next point. */
  let next = 0
  /** Each result's step. */
  const stepOf: number[] = []

  /** Where it can go and is not kept, a result whose turn has passed waits for the next event. */
  function consider(result: number): void {
    if (!results[result]?.maskable || newest.isKept(result)) return
    const gain = sizes.net(result)
    if (gain <= 0) return
    waiting.add(result, gain, stepOf[result] ?? 0)
    payback.add(result)
  }

  function decide(step: number): void {
    const start = window.advance(policy.protectLatestTurn ? consumed : seen)
    const end = Math.min(start, consumed, turns.kept(seen))
    for (; next < end; next += 1) {
      const owner = places.ownerOf(next)
      if (owner !== null) consider(owner)
    }
    if (waiting.isEmpty() || waiting.freed() < policy.minPrunableTokensThreshold) return
    if (!thinking.allows(waiting.oldest()) || !payback.allows(waiting.freed())) return
    events.push({ results: waiting.take(), step, stripFrom: thinking.strip(step) })
    payback.done()
  }

  return {
    call(step) {
      decide(step)
      payback.call()
      consumed = seen
    },
    result(step) {
      const result = seen
      const { weight = 0, masked = true, repeats: isPointer = false, newestOf = [] } = results[result] ?? {}
      seen += 1
      stepOf.push(step)
      window.add(weight)
      const root = places.rootOf(result, (older) => places.of(older) >= next && sizes.isSame(result, older))
      payback.result(root === null && !masked ? weight : 0)
      if (root === null) {
        // What it takes the place of is kept no longer, and is looked at now where its turn has passed.
        for (const older of newest.see(result, newestOf)) if (places.of(older) < next) consider(older)
        return
      }
      if (!isPointer) repeats.set(result, root)
      window.clear(places.of(root))
      places.move(root, result)
    },
    after(step, index) {
      turns.see(step, seen)
      thinking.see(step, index)
    },
    end(steps) {
      decide(steps)
      return { events, repeats }
    },
  }
}

/** Results that are to go, until together they free enough. */
function createWaiting() {
  let results: number[] = []
  let freed = 0
  /** The first step that masking them would change. */
  let oldest = Number.POSITIVE_INFINITY
  return {
    isEmpty: () => results.length === 0,
    freed: () => freed,
    oldest: () => oldest,
    add(result: number, gain: number, step: number) {
      results.push(result)
      freed += gain
      oldest = Math.min(oldest, step)
    },
    take() {
      const taken = results
      results = []
      freed = 0
      oldest = Number.POSITIVE_INFINITY
      return taken
    },
  }
}
