import type { MaskPlan, Spill, Stored } from '../engine/mask.ts'
import { readPolicy } from '../engine/policy.ts'
import type { Engine } from './engine.ts'
import type { Judge } from './guarded.ts'
import { createLimit, type Limit } from './limit.ts'
import { createMemo } from './memo.ts'
import type { Observation, Observer } from './observe.ts'
import type { Settings } from './settings.ts'
import { type Output, Refusal, type Spiller } from './spill.ts'
import { type MaskReply, type MaskRequest, RequestError, type Spillway } from './types.ts'

export interface MaskParts {
  readonly engine: Engine
  readonly settings: Settings
  readonly judge: Judge
  readonly spiller: Spiller | null
  readonly observer: Observer
}

/** Store requests of one call that run at a time: runtimes allow few connections, and a call stores many outputs. */
const STORE_WIDTH = 6

/** What became of a plan's events: each builds on those before it, so the first that fails takes the later ones along. */
interface Outcome extends Stored {
  readonly failure: string | null
  /** Outputs written at this call; the others were stored before. */
  readonly written: number
  /** What the guard said of the events that took effect. */
  readonly notes: readonly string[]
}

/** What became of one event. */
interface EventOutcome {
  readonly ids: readonly string[]
  /** What was stored in the spills' places, where the guard has taken something out. */
  readonly contents: readonly string[] | null
  readonly notes: readonly string[]
  readonly written: number
}

/** Plan, store what the plan takes away, render what is stored, splice it into the caller's own text. */
export function createMask(parts: MaskParts): Spillway['mask'] {
  const { engine, settings, spiller, observer } = parts
  const { policy: own, bounds, enabled } = settings.mask
  const memoOf = createMemo(settings.mask.memoChars)
  const operator = { ...own, enabled: enabled && own.enabled }

  async function maskHistory(request: MaskRequest, tenant: string, observation: Observation): Promise<MaskReply> {
    const policy = attempt(() => readPolicy(request.policy, operator, bounds))
    if (!policy) return unchanged(request, 'engine-failed')
    if (!policy.ok) throw new RequestError(`/policy${policy.pointer}`, policy.message)

    const { format, key, list, json, model } = request
    const hint = request.hint ?? settings.hint
    const memo = memoOf(tenant)
    const input = {
      format,
      key,
      list,
      json,
      memo,
      policy: policy.value,
      ...(hint !== null && { hint }),
      ...(model !== undefined && { model }),
    }
    const plan = attempt(() => observation.engine(() => engine.planMask(input)))
    if (!plan) return unchanged(request, 'engine-failed')
    if (!plan.ok) throw new RequestError(plan.pointer, plan.message)

    const stored = spiller ? await storeEvents(plan, tenant, parts, spiller) : withoutStore(plan)
    const reply = attempt(() =>
      observation.engine(() => {
        const { edits, report } = plan.render(stored)
        return { json: engine.spliceJson(json, edits), edits, report }
      }),
    )
    if (!reply) return unchanged(request, 'engine-failed')
    const { tokensBefore, tokensAfter, tokensSaved, maskedNow } = reply.report
    const warnings = [...new Set(stored.notes)]
    observation.note({ tokensBefore, tokensAfter, tokensSaved, maskedNow, spills: stored.written })
    return {
      ...reply,
      report: {
        ...reply.report,
        ...(stored.failure !== null && { reason: stored.failure }),
        ...(warnings.length > 0 && { warnings }),
      },
    }
  }

  return (request, caller) =>
    observer.watch('mask', caller, async (observation) => {
      observation.note({ bytes: new TextEncoder().encode(request.json).length })
      const reply = await maskHistory(request, caller.tenant, observation)
      const { format, reason } = reply.report
      observation.note({
        ...(typeof format === 'string' && { strategy: format }),
        ...(typeof reason === 'string' && { outcome: reason === 'masked' ? 'ok' : reason }),
      })
      return reply
    })
}

/** The one place that decides what a failure looks like here: the list's own text, and why. */
function unchanged(request: MaskRequest, reason: string): MaskReply {
  return { json: request.json, edits: [], report: { reason, tokensSaved: 0, maskedNow: 0, masked: 0 } }
}

/** Every event takes effect, and its stubs say that the caller's own history holds the rest. */
function withoutStore(plan: MaskPlan): Outcome {
  return { ids: plan.spills.map(() => null), events: plan.events.length, failure: null, written: 0, notes: [] }
}

async function storeEvents(plan: MaskPlan, tenant: string, parts: MaskParts, spiller: Spiller): Promise<Outcome> {
  const ids: (string | null)[] = plan.spills.map(() => null)
  const contents: (string | null)[] = plan.spills.map(() => null)
  const notes: string[] = []
  const limit = createLimit(STORE_WIDTH)
  const outcomes = await Promise.allSettled(
    plan.events.map((event) => storeEvent(event, plan, tenant, parts, spiller, limit)),
  )
  let events = 0
  let written = 0
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') return { ids, contents, events, failure: codeOf(outcome.reason), written, notes }
    for (const [place, spill] of (plan.events[events] ?? []).entries()) {
      ids[spill] = outcome.value.ids[place] ?? null
      contents[spill] = outcome.value.contents?.[place] ?? null
    }
    notes.push(...outcome.value.notes)
    written += outcome.value.written
    events += 1
  }
  return { ids, contents, events, failure: null, written, notes }
}

async function storeEvent(
  event: readonly number[],
  plan: MaskPlan,
  tenant: string,
  { judge, settings }: MaskParts,
  spiller: Spiller,
  limit: Limit,
): Promise<EventOutcome> {
  if (event.length === 0) return { ids: [], contents: null, notes: [], written: 0 }
  if (event.length > settings.mask.maxSpills) throw new Refusal('too-many-spills')
  const spills = event.flatMap((index) => plan.spills[index] ?? [])
  const texts = spills.map(({ content }) => content)
  const judged: { redacted: readonly string[] | null; notes: readonly string[] } = { redacted: null, notes: [] }
  const put = (contents: readonly string[], permit: () => Promise<void>) =>
    spiller.putEvent(tenant, outputsOf(spills, contents), limit, permit)
  // The model has seen these results already; what the guard may still keep out is the store, and the stub.
  async function permit(): Promise<void> {
    const verdict = await judge(texts, 'raw', undefined)
    if (verdict.action === 'block') throw new Refusal(verdict.code)
    judged.notes = verdict.notes
    if (verdict.action === 'allow') return
    judged.redacted = verdict.texts
    throw new Refusal('redacted')
  }
  try {
    return { ...(await put(texts, permit)), contents: null, notes: judged.notes }
  } catch (error) {
    // Whatever else was on its way fails alike: nothing has been written before the guard was asked.
    const { redacted, notes } = judged
    if (redacted === null || !spills.every(({ kind }, i) => isStorable(kind, redacted[i] ?? ''))) throw error
    // The event's marker is that of the redacted outputs. One of the raw ones is never written: at each call the guard
    // is asked afresh, as nothing but its verdict leads from what came in to what is stored.
    return { ...(await put(redacted, async () => undefined)), contents: redacted, notes }
  }
}

function outputsOf(spills: readonly Spill[], texts: readonly string[]): Output[] {
  const encoder = new TextEncoder()
  return spills.map(({ kind }, i) => ({ content: encoder.encode(texts[i]), meta: { kind } }))
}

/** Whether what a guard has left of an output still is what its kind promises. */
function isStorable(kind: Spill['kind'], text: string): boolean {
  if (!text.isWellFormed()) return false
  return kind === 'text' || attempt(() => ({ value: JSON.parse(text) })) !== null
}

function codeOf(error: unknown): string {
  return error instanceof Refusal ? error.message : 'store-failed'
}

function attempt<T>(work: () => T): T | null {
  try {
    return work()
  } catch {
    return null
  }
}
