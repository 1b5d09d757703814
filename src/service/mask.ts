import type { MaskPlan } from '../engine/mask.ts'
import { readPolicy } from '../engine/policy.ts'
import type { Engine } from './engine.ts'
import type { EventStore } from './event-store.ts'
import type { Judge } from './guarded.ts'
import { storeEvents, withoutStore } from './mask-events.ts'
import { createMemo, type LastingMemo } from './memo.ts'
import type { Observation, Observer } from './observe.ts'
import type { Signer } from './ports.ts'
import { readReceipt, writeReceipt } from './receipt.ts'
import type { Settings } from './settings.ts'
import { type MaskReply, type MaskRequest, RequestError, type Spillway } from './types.ts'
import { utf8Length } from './utf8.ts'

export interface MaskParts {
  readonly engine: Engine
  readonly settings: Settings
  readonly judge: Judge
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
    const plan = attempt(() => observation.engine(() => engine.planMask(input)))
    if (!plan) return unchanged(request, 'engine-failed')
    if (!plan.ok) throw new RequestError(plan.pointer, plan.message)

    const { stored, receipt, warnings } = await store(plan, request, tenant, { ...parts, names: memo.names })
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
  plan: MaskPlan,
  { receipt, session }: MaskRequest,
  tenant: string,
  parts: MaskParts & { readonly names: LastingMemo['names'] },
) {
  const { events, signer, judge, settings, names, now } = parts
  if (!events) return { stored: withoutStore(plan), receipt: null, warnings: [] }
  const known = signer ? await readReceipt(receipt, tenant, signer, now()) : null
  const eventParts = { events, names, judge, session, maxSpills: settings.mask.maxSpills }
  const stored = await storeEvents(plan, tenant, eventParts, (key) => known?.vouchers.get(key))
  // First what is known of this history; what was known besides stays known.
  const vouchers = new Map(stored.vouchers.map((voucher) => [voucher.key, voucher]))
  for (const [key, voucher] of known?.vouchers ?? []) if (!vouchers.has(key)) vouchers.set(key, voucher)
  const notes = known?.warning ? [known.warning, ...stored.notes] : stored.notes
  return {
    stored,
    receipt: signer && (await writeReceipt(vouchers.values(), tenant, signer)),
    warnings: [...new Set(notes)],
  }
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
