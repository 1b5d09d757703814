import type { MaskFault, MaskPlan } from '../engine/mask.ts'
import { readPolicy } from '../engine/policy.ts'
import { createCallJudge } from './call-judge.ts'
import type { Engine } from './engine.ts'
import type { EventStore } from './event-store.ts'
import type { Judge } from './guarded.ts'
import { type EventParts, type Outcome, storeEvents, withoutStore } from './mask-events.ts'
import { createMemo, type LastingMemo } from './memo.ts'
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
    const planWith = (whole: ReadonlySet<string>) =>
      attempt(() => observation.engine(() => engine.planMask({ ...input, whole })))
    const first = planWith(new Set())
    if (!first) return unchanged(request, 'engine-failed')
    if (!first.ok) throw new RequestError(first.pointer, first.message)

    const done = await store(first, planWith, request, tenant, { ...parts, names: memo.names })
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
  planWith: (whole: ReadonlySet<string>) => MaskPlan | MaskFault | null,
  { receipt, session }: MaskRequest,
  tenant: string,
  parts: MaskParts & { readonly names: LastingMemo['names'] },
) {
  const { events, names, signer, judge, settings, now } = parts
  if (!events) return { plan: first, stored: withoutStore(first), receipt: null, warnings: [] }
  const known = signer ? await readReceipt(receipt, tenant, signer, now()) : null
  const eventParts = {
    tenant,
    events,
    names,
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

/** Plans made for one call; each but the first leaves whole what the guard refused of the one before. */
const MAX_PLANS = 8

/**
 * Stores a plan's events. What the guard refuses stays whole, and frees nothing: the plan is made anew without it, as at
 * every later call, so that one refused result holds up no other. Null where the engine fails.
 */
async function settleEvents(
  first: MaskPlan,
  planWith: (whole: ReadonlySet<string>) => MaskPlan | MaskFault | null,
  parts: EventParts,
  believed: Map<string, Voucher>,
): Promise<{ plan: MaskPlan; stored: Outcome } | null> {
  const whole = new Set<string>()
  let code = ''
  let plan = first
  for (let made = 1; ; made += 1) {
    const stored = await storeEvents(plan, parts, believed)
    if (!('refused' in stored)) return { plan, stored: whole.size > 0 ? tell(stored, code, whole.size) : stored }
    code ||= stored.refused[0]?.code ?? ''
    for (const pointer of plan.placesOf(new Set(stored.refused.map(({ spill }) => spill)))) whole.add(pointer)
    if (made === MAX_PLANS) return { plan, stored: failed(plan, code) }
    const next = planWith(whole)
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
