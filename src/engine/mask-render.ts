import type { Step } from './history/codec.ts'
import { measure, measureBlock } from './history/measure.ts'
import type { JsonObject } from './history/value.ts'
import { type JsonEdit, valueAt } from './json.ts'
import { PLACEHOLDER_ID } from './marker.ts'
import type { Memo } from './memo.ts'
import { measured, type OutputPart, type Written } from './output-part.ts'
import { newestScale, type Output } from './outputs.ts'
import type { MaskPolicy } from './policy.ts'
import { type Change, type MaskReason, type MaskReport, writeReport } from './report.ts'
import {
  type ArrivedPart,
  type Happening,
  type PlacedPart,
  type SignedBlock,
  type Spills,
  signedBlocks,
} from './timeline.ts'

/** An edit of the message list; pointers lead into the list. */
export type MaskEdit = JsonEdit

export interface Rendering {
  readonly edits: readonly MaskEdit[]
  readonly report: MaskReport
}

/** What is stored by the time a plan is rendered. */
export interface Stored {
  /** Each spill's id (its `claimedId` where that was found), as long as PLACEHOLDER_ID; null where no store is configured. */
  readonly ids: readonly (string | null)[]
  /**
   * What was stored in a spill's place where that is another text than the spill's own (a guard has taken something
   * out): it stands behind the stub, and the stub's preview is made from it. Absent or null: the spill itself.
   */
  readonly contents?: readonly (string | null)[]
  /** Number of leading events that may take effect. */
  readonly events: number
}

export interface Place {
  readonly pointer: string
  /** Index into the plan's spills. */
  readonly spill: number
}

/** What stands for a spill somewhere in the history. */
export interface ShownText {
  /** Index into the plan's spills. */
  readonly spill: number
  readonly text: string
}

/** A decided plan: what its rendering reads. */
export interface DecidedPlan {
  readonly format: string
  readonly list: readonly unknown[]
  readonly policy: MaskPolicy
  readonly model: string | null
  readonly memo: Memo
  readonly steps: readonly Step[]
  readonly outputs: readonly Output[]
  readonly happenings: readonly Happening[]
  readonly spills: Spills
}

/** What stands in a part's place in the end. */
interface Replacement {
  readonly message: number
  readonly value: string | JsonObject
  /** What the value costs, estimated. */
  readonly tokens: number
  /** Filtered as it came in, and not masked since. */
  readonly filtered: boolean
  readonly now: boolean
}

/** Where each part stands whose full output a plan stores. */
export function places({ happenings, spills }: DecidedPlan): readonly Place[] {
  return happenings.flatMap(({ parts }) =>
    parts.flatMap(({ part }) => {
      const spill = spills.indexOf(part)
      return spill === undefined ? [] : [{ pointer: part.pointer, spill }]
    }),
  )
}

/** As `MaskPlan.shown`. */
export function shown(
  { happenings, spills }: DecidedPlan,
  event: number,
  contents: readonly (string | null)[],
): ShownText[] {
  const happening = happenings[event]
  const placed: readonly (PlacedPart | ArrivedPart)[] = happening?.parts ?? []
  return placed.flatMap((one) => {
    const spill = spills.indexOf(one.part)
    if (spill === undefined) return []
    const content = contents[spill] ?? one.part.content
    const text = 'of' in one ? arrivedText(one, PLACEHOLDER_ID, content) : one.part.stub(PLACEHOLDER_ID, content).text
    return [{ spill, text }]
  })
}

function arrivedText({ part, of }: ArrivedPart, id: string | null, content: string): string {
  return (of === null ? part.birth?.(id, content) : part.repeat(id, of)) ?? content
}

/** As `MaskPlan.render`. */
export function render(plan: DecidedPlan, stored: Stored): Rendering {
  const effective = plan.happenings.slice(0, stored.events)
  const replaced = new Map<OutputPart, Replacement>()
  const stripped = new Map<SignedBlock, boolean>()
  const idOf = (part: OutputPart) => stored.ids[plan.spills.indexOf(part) ?? -1] ?? null
  const contentOf = (part: OutputPart) => stored.contents?.[plan.spills.indexOf(part) ?? -1] ?? part.content
  const put = ({ output: { message }, part }: PlacedPart, written: Written, filtered: boolean, now: boolean) => {
    if (part.block === null) {
      replaced.set(part, { message, value: written.text, tokens: written.tokens, filtered, now })
      return
    }
    const value = { ...part.block, text: written.text }
    replaced.set(part, { message, value, tokens: measureBlock(value, plan.memo), filtered, now })
  }
  for (const happening of effective) {
    if (happening.kind === 'arrival') {
      for (const arrived of happening.parts) {
        const { part, of } = arrived
        put(arrived, measured(arrivedText(arrived, idOf(part), contentOf(part))), of === null, false)
      }
      continue
    }
    const { parts, stripped: blocks, now } = happening
    for (const placed of parts) put(placed, placed.part.stub(idOf(placed.part), contentOf(placed.part)), false, now)
    for (const block of blocks) stripped.set(block, now)
  }
  const changes: Change[] = []
  const edits: MaskEdit[] = []
  for (const [part, { message, value, tokens, now }] of replaced) {
    edits.push({ pointer: part.pointer, value })
    changes.push({ message, saved: part.tokens - tokens, now })
  }
  const removals: MaskEdit[] = []
  for (const [{ message, pointer }, now] of stripped) {
    removals.push({ pointer, remove: true })
    changes.push({ message, saved: measureBlock(valueAt(plan.list, pointer), plan.memo), now })
  }
  return { edits: [...edits, ...removals.reverse()], report: reportOf(plan, effective, replaced, stripped, changes) }
}

function reportOf(
  plan: DecidedPlan,
  effective: readonly Happening[],
  replaced: ReadonlyMap<OutputPart, Replacement>,
  stripped: ReadonlyMap<SignedBlock, boolean>,
  changes: readonly Change[],
): MaskReport {
  const events = effective.filter((happening) => happening.kind === 'mask')
  const now = events.find((event) => event.now)
  const before = plan.outputs.filter((output) => output.masked).length
  const masked = before + events.reduce((sum, event) => sum + event.results, 0)
  const gone = new Set([...stripped.keys()].map((block) => block.pointer))
  const signed = plan.steps.flatMap(signedBlocks).filter((block) => !gone.has(block.pointer))
  let reason: MaskReason = 'nothing-to-mask'
  if (effective.length < plan.happenings.length) reason = 'not-stored'
  else if (masked > 0 || replaced.size > 0) reason = 'masked'
  else if (plan.outputs.some((output) => output.maskable)) reason = 'below-minimum'
  const pointers = effective.flatMap((happening) =>
    happening.kind === 'arrival' ? happening.parts.filter((part) => part.of !== null) : [],
  )
  const repeated = new Set([
    ...plan.outputs.filter((output) => output.repeats),
    ...pointers.map(({ output }) => output),
  ])
  return writeReport({
    format: plan.format,
    reason,
    scale: newestScale(plan.steps, plan.policy, plan.model),
    policy: plan.policy,
    sizes: plan.list.map((message) => measure(message, plan.memo)),
    changes,
    filtered: [...replaced.values()].filter(({ filtered }) => filtered).length,
    repeated: repeated.size,
    masked,
    maskedNow: now?.results ?? 0,
    events: events.length,
    signed: signed.map((block) => block.message),
  })
}
