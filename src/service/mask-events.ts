import type { MaskPlan, Spill, Stored } from '../engine/mask.ts'
import type { CallJudge } from './call-judge.ts'
import { type EventOutput, type EventStore, type FoundEvent, idsOf, type Puts } from './event-store.ts'
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

/** A spill's index, and why nothing of it may be stored or shown otherwise than it came in: a guard's verdict, the same at every call. */
export interface Refused {
  readonly spill: number
  readonly code: string
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
 * @returns the spills that the guard refuses, where there are any: then nothing is written, since a plan without them may
 * have other events
 */
export async function storeEvents(
  plan: MaskPlan,
  parts: EventParts,
  believed: Map<string, Voucher>,
): Promise<Outcome | { readonly refused: readonly Refused[] }> {
  const limit = createLimit(STORE_WIDTH)
  const examined = await Promise.allSettled(
    plan.events.map((_, event) => examineEvent(plan, event, parts, limit, believed)),
  )
  const refused = examined.flatMap((each) => (each.status === 'fulfilled' ? each.value.refused : []))
  if (refused.length > 0) return { refused }
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

/** Names what an event needs stored, and has it judged where it is not known to be stored. */
async function examineEvent(
  plan: MaskPlan,
  event: number,
  parts: EventParts,
  limit: Limit,
  believed: Map<string, Voucher>,
): Promise<{ chunks: readonly Examined[]; refused: readonly Refused[] }> {
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

/**
 * Judges outputs as they came in, then what the event would show of them. The model has seen these results already;
 * what the guard may still keep out is the store, the stub and the filtered form.
 */
async function judgeOutputs(
  plan: MaskPlan,
  event: number,
  spills: readonly number[],
  judge: CallJudge,
): Promise<{ contents: string[]; notes: string[] } | { refused: Refused[] }> {
  const refused: Refused[] = []
  const notes: string[] = []
  const contents: (string | null)[] = plan.spills.map(() => null)
  await Promise.all(
    spills.map(async (spill) => {
      const output = plan.spills[spill]
      if (!output) return
      const verdict = await judge(output.content, 'raw', output.tool)
      if (verdict.action === 'block') {
        if (verdict.code === 'guard-failed') throw new Refusal(verdict.code)
        refused.push({ spill, code: verdict.code })
        return
      }
      const content = verdict.texts[0] ?? ''
      notes.push(...verdict.notes)
      contents[spill] = content
      if (content !== output.content && !isStorable(output.kind, content)) refused.push({ spill, code: 'redacted' })
    }),
  )
  if (refused.length > 0) return { refused }
  const wanted = new Set(spills)
  await Promise.all(
    plan.shown(event, contents).map(async ({ spill, text }) => {
      if (!wanted.has(spill)) return
      const verdict = await judge(text, 'filtered', plan.spills[spill]?.tool ?? '')
      if (verdict.action === 'block' && verdict.code === 'guard-failed') throw new Refusal(verdict.code)
      if (verdict.action === 'block') refused.push({ spill, code: verdict.code })
      else if (verdict.texts[0] !== text) refused.push({ spill, code: 'redacted' })
      else notes.push(...verdict.notes)
    }),
  )
  return refused.length > 0 ? { refused } : { contents: spills.map((spill) => contents[spill] ?? ''), notes }
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
