import { createHash } from 'node:crypto'
import { spliceJson } from '../../src/engine/json.ts'
import { type MaskEdit, type MaskInput, type MaskPlan, planMask, type Spill } from '../../src/engine/mask.ts'
import { DEFAULT_POLICY, type MaskPolicy } from '../../src/engine/policy.ts'

/** The id that a spill claims, or one by content, as a store makes it. */
export function idOf(spill: Spill): string {
  if (spill.claimedId !== null) return spill.claimedId
  const digest = createHash('sha256').update(spill.kind).update(spill.content).digest('hex')
  const letters = [...digest].map((digit) => 'abcdefghijklmnop'.charAt(Number.parseInt(digit, 16))).join('')
  return `o_a${letters.slice(0, 31)}`
}

/** Thresholds small enough for short histories to have several events. */
export const TIGHT: MaskPolicy = {
  ...DEFAULT_POLICY,
  toolProtectionThreshold: 600,
  minPrunableTokensThreshold: 400,
  thinking: 'keep',
}

export function plan(input: Omit<MaskInput, 'policy'> & { readonly policy?: MaskPolicy }): MaskPlan {
  const made = planMask({ policy: TIGHT, ...input })
  if (!made.ok) throw new Error(`${made.pointer}: ${made.message}`)
  return made
}

/** The text that an edit shows: a stub, say, alone or in a block; empty for a removal. */
export function shownBy(edit: MaskEdit | undefined): string {
  if (edit === undefined || 'remove' in edit) return ''
  return typeof edit.value === 'string' ? edit.value : String(edit.value.text)
}

export interface Masked {
  readonly json: string
  readonly list: unknown[]
  readonly plan: MaskPlan
  readonly edits: ReturnType<MaskPlan['render']>['edits']
  readonly report: ReturnType<MaskPlan['render']>['report']
  /** What a store would hold, by id. */
  readonly store: ReadonlyMap<string, Spill>
}

/** Masks a list's JSON text, every spill stored. */
export function mask(format: string, key: MaskInput['key'], json: string, policy?: MaskPolicy, stored = true): Masked {
  const parsed: unknown = JSON.parse(json)
  if (!Array.isArray(parsed)) throw new Error('a history is a list')
  const made = plan({ format, key, list: parsed, json, ...(policy && { policy }) })
  const ids = made.spills.map((spill) => (stored ? idOf(spill) : null))
  const { edits, report } = made.render({ ids, events: made.events.length })
  const text = spliceJson(json, edits)
  const list: unknown = JSON.parse(text)
  if (!Array.isArray(list)) throw new Error('a masked history is a list')
  return {
    json: text,
    list,
    plan: made,
    edits,
    report,
    store: new Map(made.spills.map((spill) => [idOf(spill), spill])),
  }
}
