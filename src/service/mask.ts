import type { MaskFault, MaskPlan } from '../engine/mask.ts'
import { readPolicy } from '../engine/policy.ts'
import { createCallJudge } from './call-judge.ts'
import type { Engine } from './engine.ts'
import type { EventStore } from './event-store.ts'
import type { Judge } from './guarded.ts'
import { type EventParts, type Outcome, storeEvents, withoutStore } from './mask-events.ts'
import { createMemo } from './memo.ts'
import type { Observation, Observer } from './observe.ts'
import type { Signer } from './ports.ts'
import { readReceipt, type Voucher, writeReceipt } from './receipt.ts'
import type { Settings } from './settings.ts'
import { type MaskReply, type MaskRequest, RequestError, type Spillway } from './types.ts'
import { utf8Length } from './utf8.ts'

export interface MaskParts {
  readonly engine: Engine
  readonly settings: Settings
  /** Null where there is no guard. */
  readonly judge: Judge | null
  /** Null where nothing is stored. */
  readonly events: EventStore | null
  /** Null: receipts are neither given nor read. */
  readonly signer: Signer | null
  /** Milliseconds since the epoch. */
  readonly now: () => number
  readonly observer: Observer
}

/** Plan, store what the plan takes away, render what is stored, splice it into the caller's own text. */
export function createMask(parts: MaskParts): Spillway['mask'] {
  const { engine, settings, observer } = parts
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
    const planWith: PlanWith = (left) => attempt(() => observation.engine(() => engine.planMask({ ...input, left })))
    const first = planWith(new Map())
    if (!first) return unchanged(request, 'engine-failed')
    if (!first.ok) throw new RequestError(first.pointer, first.message)

    const more = { names: memo.names, births: policy.value.filterAtBirth !== null }
    const done = await store(first, planWith, request, tenant, { ...parts, ...more })
    if (!done) return unchanged(request, 'engine-failed')
    const { plan, stored, receipt, warnings } = done
    const reply = attempt(() =>
      observation.engine(() => {
        const { edits, report } = plan.render(stored)
        return { json: engine.spliceJson(json, edits), edits, report }
      }),
    )
    if (!reply) return unchanged(request, 'engine-failed')
    const { tokensBefore, tokensAfter, tokensSaved, maskedNow } = reply.report
    observation.note({ tokensBefore, tokensAfter, tokensSaved, maskedNow, spills: stored.written })
    return {
      ...reply,
      report: {
        ...reply.report,
        ...(stored.failure !== null && { reason: stored.failure }),
        ...(receipt !== null && { receipt }),
        ...(warnings.length > 0 && { warnings }),
      },
    }
  }

  return (request, caller) =>
    observer.watch('mask', caller, async (observation) => {
      observation.note({ bytes: utf8Length(request.json) })
      const reply = await maskHistory(request, caller.tenant, observation)
      const { format, reason } = reply.report
      observation.note({
        ...(typeof format === 'string' && { strategy: format }),
        ...(typeof reason === 'string' && { outcome: reason === 'masked' ? 'ok' : reason }),
      })
      return reply
    })
}

/** Has what the plan takes away stored, as far as the caller's receipt does not say that it is, and gives the next receipt. */
async function store(
  first: MaskPlan,
  planWith: PlanWith,
  { receipt, session }: MaskRequest,
  tenant: string,
  parts: MaskParts & Pick<EventParts, 'names' | 'births'>,
) {
  const { events, names, births, signer, judge, settings, now } = parts
  if (!events) return { plan: first, stored: withoutStore(first), receipt: null, warnings: [] }
  const known = signer ? await readReceipt(receipt, tenant, signer, now()) : null
  const eventParts = {
    tenant,
    events,
    names,
    births,
    judge: judge && createCallJudge(judge),
    session,
    maxSpills: settings.mask.maxSpills,
  }
  const settled = await settleEvents(first, planWith, eventParts, new Map(known?.vouchers))
  if (!settled) return null
  const { plan, stored } = settled
  // First what is known of this history; what was known besides stays known.
  const vouchers = new Map(stored.vouchers.map((voucher) => [voucher.key, voucher]))
  for (const [key, voucher] of known?.vouchers ?? []) if (!vouchers.has(key)) vouchers.set(key, voucher)
  const notes = known?.warning ? [known.warning, ...stored.notes] : stored.notes
  return {
    plan,
    stored,
    receipt: signer && (await writeReceipt(vouchers.values(), tenant, signer)),
    warnings: [...new Set(notes)],
  }
}

/** Makes a plan that knows what a guard has left of results, as `MaskInput.left`; null where the engine fails. */
type PlanWith = (left: ReadonlyMap<string, string | null>) => MaskPlan | MaskFault | null

/** Plans made for one call; each but the first knows the guard's verdicts on the one before. */
const MAX_PLANS = 8

/**
 * Stores a plan's events. What the guard refuses stays whole, and frees nothing: the plan is made anew without it, as at
 * every later call, so that one refused result holds up no other. What it leaves of a result that is filtered as it comes
 * in is what a client keeps, and so what the plan counts. Null where the engine fails.
 */
async function settleEvents(
  first: MaskPlan,
  planWith: PlanWith,
  parts: EventParts,
  believed: Map<string, Voucher>,
): Promise<{ plan: MaskPlan; stored: Outcome } | null> {
  const left = new Map<string, string | null>()
  let code: string | null = null
  let plan = first
  for (let made = 1; ; made += 1) {
    const stored = await storeEvents(plan, parts, believed, left)
    if (!('left' in stored)) {
      const whole = [...left.values()].filter((text) => text === null).length
      return { plan, stored: code === null ? stored : tell(stored, code, whole) }
    }
    code ??= stored.code
    for (const [pointer, text] of stored.left) left.set(pointer, text)
    if (made === MAX_PLANS) return { plan, stored: failed(plan, code ?? 'redacted') }
    const next = planWith(left)
    if (!next?.ok) return null
    plan = next
  }
}

/** Where nothing else happens, what was refused is the reason; else a warning tells of it. */
function tell(stored: Outcome, code: string, refused: number): Outcome {
  if (stored.events === 0 && stored.failure === null) return { ...stored, failure: code }
  const what = refused === 1 ? '1 result stays' : `${refused} results stay`
  return { ...stored, notes: [...stored.notes, `${code}: ${what} whole, as the guard lets nothing of it be stored`] }
}

function failed(plan: MaskPlan, failure: string): Outcome {
  return { ids: plan.spills.map(() => null), events: 0, failure, written: 0, notes: [], vouchers: [] }
}

/** The one place that decides what a failure looks like here: the list's own text, and why. */
function unchanged(request: MaskRequest, reason: string): MaskReply {
  return { json: request.json, edits: [], report: { reason, tokensSaved: 0, maskedNow: 0, masked: 0 } }
}

function attempt<T>(work: () => T): T | null {
  try {
    return work()
  } catch {
    return null
  }
}
