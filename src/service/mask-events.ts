import type { MaskPlan, Spill, Stored } from '../engine/mask.ts'
import { type EventOutput, type EventStore, type FoundEvent, idsOf } from './event-store.ts'
import type { Judge } from './guarded.ts'
import { createLimit, type Limit } from './limit.ts'
import type { LastingMemo } from './memo.ts'
import type { Voucher } from './receipt.ts'
import { Refusal } from './spill.ts'

export interface EventParts {
  readonly judge: Judge
  readonly events: EventStore
  /** Names that were worked out earlier for the tenant. */
  readonly names: LastingMemo['names']
  /** Label of the session that what is stored belongs to. */
  readonly session: string | undefined
  /** Outputs that one event may store. */
  readonly maxSpills: number
}

/** What became of a plan's events: each builds on those before it, so the first that fails takes the later ones along. */
export interface Outcome extends Stored {
  readonly failure: string | null
  /** Outputs written at this call; the others were stored before. */
  readonly written: number
  /** What the guard said of the events that took effect. */
  readonly notes: readonly string[]
  /** What is known of the events that are stored, whether they took effect or not. */
  readonly vouchers: readonly Voucher[]
}

/** What became of one event. */
interface EventOutcome {
  readonly ids: readonly string[]
  /** What was stored in the spills' places, where the guard has taken something out. */
  readonly contents: readonly string[] | null
  readonly notes: readonly string[]
  readonly written: number
  readonly vouchers: readonly Voucher[]
}

/** Store requests of one call that run at a time: runtimes allow few connections, and a call stores many outputs. */
const STORE_WIDTH = 6

/** Every event takes effect, and its stubs say that the caller's own history holds the rest. */
export function withoutStore(plan: MaskPlan): Outcome {
  const ids = plan.spills.map(() => null)
  return { ids, events: plan.events.length, failure: null, written: 0, notes: [], vouchers: [] }
}

/**
 * Sees to it that the outputs of a plan's events are stored. Never rejects.
 * @param believed what a receipt says of an event, by its key
 */
export async function storeEvents(
  plan: MaskPlan,
  tenant: string,
  parts: EventParts,
  believed: (key: string) => Voucher | undefined,
): Promise<Outcome> {
  const ids: (string | null)[] = plan.spills.map(() => null)
  const contents: (string | null)[] = plan.spills.map(() => null)
  const notes: string[] = []
  const limit = createLimit(STORE_WIDTH)
  const outcomes = await Promise.allSettled(
    plan.events.map((event) => storeEvent(spillsOf(event, plan), tenant, parts, limit, believed)),
  )
  const vouchers = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value.vouchers : []))
  let events = 0
  let written = 0
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected')
      return { ids, contents, events, failure: codeOf(outcome.reason), written, notes, vouchers }
    for (const [place, spill] of (plan.events[events] ?? []).entries()) {
      ids[spill] = outcome.value.ids[place] ?? null
      contents[spill] = outcome.value.contents?.[place] ?? null
    }
    notes.push(...outcome.value.notes)
    written += outcome.value.written
    events += 1
  }
  return { ids, contents, events, failure: null, written, notes, vouchers }
}

function spillsOf(event: readonly number[], plan: MaskPlan): Spill[] {
  return event.flatMap((index) => plan.spills[index] ?? [])
}

async function storeEvent(
  spills: readonly Spill[],
  tenant: string,
  { judge, events, names, session, maxSpills }: EventParts,
  limit: Limit,
  believed: (key: string) => Voucher | undefined,
): Promise<EventOutcome> {
  if (spills.length === 0) return { ids: [], contents: null, notes: [], written: 0, vouchers: [] }
  if (spills.length > maxSpills) throw new Refusal('too-many-spills')
  const find = (contents: readonly string[]) =>
    events.find(tenant, outputsOf(spills, contents, session), limit, believed, names)
  async function stored(found: FoundEvent) {
    const { voucher, written } = found.voucher
      ? { voucher: found.voucher, written: 0 }
      : await events.write(tenant, found, limit)
    return { ids: idsOf(found.event, voucher), written, voucher }
  }

  const texts = spills.map(({ content }) => content)
  const raw = await find(texts)
  if (raw.voucher) {
    const { voucher, ...rest } = await stored(raw)
    return { ...rest, contents: null, notes: [], vouchers: [voucher] }
  }
  // The model has seen these results already; what the guard may still keep out is the store, and the stub.
  const verdict = await judge(texts, 'raw', undefined)
  if (verdict.action === 'block') throw new Refusal(verdict.code)
  const { notes } = verdict
  if (verdict.action === 'allow') {
    const { voucher, ...rest } = await stored(raw)
    return { ...rest, contents: null, notes, vouchers: [voucher] }
  }
  const contents = verdict.texts
  if (!spills.every(({ kind }, i) => isStorable(kind, contents[i] ?? ''))) throw new Refusal('redacted')
  // What is left is an event of its own. A marker of the raw one is never written: at each call the guard is asked
  // afresh, as nothing but its verdict leads from what came in to what is stored. A receipt may say to ask it at once.
  const { voucher, ...rest } = await stored(await find(contents))
  const redacted: Voucher = { key: raw.event.key, says: 'redacted', until: voucher.until, replaced: [] }
  return { ...rest, contents, notes, vouchers: [redacted, voucher] }
}

function outputsOf(spills: readonly Spill[], texts: readonly string[], session: string | undefined): EventOutput[] {
  return spills.map(({ kind, claimedId }, i) => ({
    text: texts[i] ?? '',
    meta: { kind, ...(session !== undefined && { session }) },
    claimedId,
  }))
}

/** Whether what a guard has left of an output still is what its kind promises. */
function isStorable(kind: Spill['kind'], text: string): boolean {
  if (!text.isWellFormed()) return false
  if (kind === 'text') return true
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function codeOf(error: unknown): string {
  return error instanceof Refusal ? error.message : 'store-failed'
}
