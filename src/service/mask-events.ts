import type { MaskPlan, Spill, Stored } from '../engine/mask.ts'
import type { CallJudge } from './call-judge.ts'
import { type EventOutput, type EventStore, type FoundEvent, idsOf, type Puts } from './event-store.ts'
import { judgeOutputs, type Refused } from './judge-outputs.ts'
import { createLimit, type Limit } from './limit.ts'
import type { LastingMemo } from './memo.ts'
import type { Voucher } from './receipt.ts'
import { Refusal } from './spill.ts'

export interface EventParts {
  readonly tenant: string
  readonly events: EventStore
  /** Null where there is no guard. */
  readonly judge: CallJudge | null
  /** Names that were worked out earlier for the tenant. */
  readonly names: LastingMemo['names']
  /** Label of the session that what is stored belongs to. */
  readonly session: string | undefined
  /** Whether results are filtered as they come in: then what a guard leaves of them is what counts. */
  readonly births: boolean
  /** Outputs of one event that one call stores; what is left of a larger event is stored at later calls. */
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

/** What a plan has to be made anew for. */
export interface Unsettled {
  /** As `MaskInput.left`: what the plan did not know of yet. */
  readonly left: ReadonlyMap<string, string | null>
  /** Why something stays whole; null where nothing does. */
  readonly code: string | null
}

/** Outputs of an event that are stored together, judged, and named. */
interface Examined {
  readonly found: FoundEvent
  /** Indexes into the plan's spills. */
  readonly spills: readonly number[]
  /** What is stored in the spills' places, where the guard has taken something out. */
  readonly contents: readonly string[] | null
  readonly notes: readonly string[]
  /** Key of the same outputs as they came in, where the guard has taken something out. */
  readonly rawKey: string | null
}

interface ExaminedEvent {
  readonly chunks: readonly Examined[]
  readonly refused: readonly Refused[]
}

/** What became of one event. */
interface EventOutcome {
  readonly ids: readonly (readonly [spill: number, id: string | null, content: string | null])[]
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
 * @param believed what a receipt, or an earlier look at the store, says of an event, by its key
 * @param left what the plan knows of the guard's verdicts
 * @returns what it does not know, where there is anything: then nothing is written, since it may come to other events
 */
export async function storeEvents(
  plan: MaskPlan,
  parts: EventParts,
  believed: Map<string, Voucher>,
  left: ReadonlyMap<string, string | null>,
): Promise<Outcome | Unsettled> {
  const limit = createLimit(STORE_WIDTH)
  const examined = await Promise.allSettled(
    plan.events.map((_, event) => examineEvent(plan, event, parts, limit, believed)),
  )
  const judged = examined.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  const unsettled = unsettledBy(plan, judged, left, parts.births)
  if (unsettled.left.size > 0) return unsettled
  const puts: Puts = new Map()
  const outcomes = await Promise.allSettled(
    examined.map(async (each) => {
      if (each.status === 'rejected') throw each.reason
      return storeEvent(each.value.chunks, parts, limit, puts)
    }),
  )
  const ids: (string | null)[] = plan.spills.map(() => null)
  const contents: (string | null)[] = plan.spills.map(() => null)
  const notes: string[] = []
  const vouchers = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value.vouchers : []))
  let events = 0
  let written = 0
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected')
      return { ids, contents, events, failure: codeOf(outcome.reason), written, notes, vouchers }
    for (const [spill, id, content] of outcome.value.ids) {
      ids[spill] = id
      contents[spill] = content
    }
    notes.push(...outcome.value.notes)
    written += outcome.value.written
    events += 1
  }
  return { ids, contents, events, failure: null, written, notes, vouchers }
}

function unsettledBy(
  plan: MaskPlan,
  judged: readonly ExaminedEvent[],
  known: ReadonlyMap<string, string | null>,
  births: boolean,
): Unsettled {
  const verdicts = new Map<number, string | null>()
  for (const { spills, contents } of births ? judged.flatMap(({ chunks }) => chunks) : [])
    for (const [i, spill] of spills.entries()) {
      const content = contents?.[i]
      if (content !== undefined && content !== plan.spills[spill]?.content) verdicts.set(spill, content)
    }
  const refused = judged.flatMap((each) => each.refused)
  for (const { spill } of refused) verdicts.set(spill, null)
  const left = new Map<string, string | null>()
  for (const { pointer, spill } of verdicts.size > 0 ? plan.places() : []) {
    const verdict = verdicts.get(spill)
    if (verdict !== undefined && known.get(pointer) !== verdict) left.set(pointer, verdict)
  }
  return { left, code: refused[0]?.code ?? null }
}

/** Names what an event needs stored, and has it judged where it is not known to be stored. */
async function examineEvent(
  plan: MaskPlan,
  event: number,
  parts: EventParts,
  limit: Limit,
  believed: Map<string, Voucher>,
): Promise<ExaminedEvent> {
  const spills = plan.events[event] ?? []
  if (spills.length > 0 && parts.maxSpills === 0) throw new Refusal('too-many-spills')
  const starts = Array.from({ length: Math.ceil(spills.length / Math.max(1, parts.maxSpills)) }, (_, i) => i)
  const examined = await Promise.all(
    starts.map((i) => {
      const chunk = spills.slice(i * parts.maxSpills, (i + 1) * parts.maxSpills)
      return examineChunk(plan, event, chunk, parts, limit, believed)
    }),
  )
  return {
    chunks: examined.flatMap((each) => ('found' in each ? [each] : [])),
    refused: examined.flatMap((each) => ('found' in each ? [] : each)),
  }
}

async function examineChunk(
  plan: MaskPlan,
  event: number,
  spills: readonly number[],
  { tenant, events, names, judge, session }: EventParts,
  limit: Limit,
  believed: Map<string, Voucher>,
): Promise<Examined | readonly Refused[]> {
  const outputs = spills.flatMap((spill) => plan.spills[spill] ?? [])
  const find = async (texts: readonly string[]) => {
    const found = await events.find(
      tenant,
      outputsOf(outputs, texts, session),
      limit,
      (key) => believed.get(key),
      names,
    )
    if (found.voucher) believed.set(found.event.key, found.voucher)
    return found
  }
  const texts = outputs.map(({ content }) => content)
  const raw = await find(texts)
  if (raw.voucher || judge === null) return { found: raw, spills, contents: null, notes: [], rawKey: null }
  const judged = await judgeOutputs(plan, event, spills, judge)
  if ('refused' in judged) return judged.refused
  const { contents, notes } = judged
  if (contents.every((content, i) => content === texts[i]))
    return { found: raw, spills, contents: null, notes, rawKey: null }
  // What is left is an event of its own. A marker of the raw one is never written: at each call the guard is asked
  // afresh, as nothing but its verdict leads from what came in to what is stored. A receipt may say to ask it at once.
  return { found: await find(contents), spills, contents, notes, rawKey: raw.event.key }
}

async function storeEvent(
  chunks: readonly Examined[],
  { tenant, events }: EventParts,
  limit: Limit,
  puts: Puts,
): Promise<EventOutcome> {
  const outcome = { ids: [] as EventOutcome['ids'][number][], notes: [] as string[], vouchers: [] as Voucher[] }
  const missing = chunks.filter(({ found }) => found.voucher === null)
  const first = missing[0] ? await events.write(tenant, missing[0].found, limit, puts) : null
  if (missing.length > 1) throw new Refusal('too-many-spills')
  for (const { found, spills, contents, notes, rawKey } of chunks) {
    const voucher = found.voucher ?? first?.voucher
    if (!voucher) continue
    const ids = idsOf(found.event, voucher)
    outcome.ids.push(...spills.map((spill, i) => [spill, ids[i] ?? null, contents?.[i] ?? null] as const))
    outcome.notes.push(...notes)
    if (rawKey !== null) outcome.vouchers.push({ key: rawKey, says: 'redacted', until: voucher.until, replaced: [] })
    outcome.vouchers.push(voucher)
  }
  return { ...outcome, written: first?.written ?? 0 }
}

function outputsOf(spills: readonly Spill[], texts: readonly string[], session: string | undefined): EventOutput[] {
  return spills.map(({ kind, claimedId, claimedChars }, i) => ({
    text: texts[i] ?? '',
    meta: { kind, ...(session !== undefined && { session }) },
    claimedId,
    claimedChars,
  }))
}

function codeOf(error: unknown): string {
  return error instanceof Refusal ? error.message : 'store-failed'
}
