import { createMatcher } from './glob.ts'
import { findCodec } from './history/all.ts'
import type { ListKey, Step } from './history/codec.ts'
import { measure, measureBlock } from './history/measure.ts'
import type { JsonObject } from './history/value.ts'
import { type JsonEdit, valueAt } from './json.ts'
import { DEFAULT_HINT, DEFAULT_STUB_HINT, PLACEHOLDER_ID } from './marker.ts'
import { createMemo, type Memo } from './memo.ts'
import {
  isSameOutput,
  measured,
  newestScale,
  type Output,
  type OutputPart,
  readOutputs,
  type Written,
} from './outputs.ts'
import type { MaskPolicy } from './policy.ts'
import { type ReplayStep, replay } from './replay.ts'
import { type Change, type MaskReason, type MaskReport, writeReport } from './report.ts'
import {
  type ArrivedPart,
  collectSpills,
  type Happening,
  type PlacedPart,
  type SignedBlock,
  type Spill,
  type Spills,
  signedBlocks,
  spillsOf,
  timeline,
} from './timeline.ts'

export type { ListKey } from './history/codec.ts'
export type { Memo } from './memo.ts'
export type { MaskReason, MaskReport } from './report.ts'
export type { Spill } from './timeline.ts'

export interface MaskInput {
  /** A format's name, or `auto`. */
  readonly format: string
  readonly key: ListKey
  /** The message list, parsed. It is not changed. */
  readonly list: readonly unknown[]
  /** The list's own JSON text, from which the exact slices of results that are no strings are taken. */
  readonly json?: string
  readonly policy: MaskPolicy
  /** Name of the model that is going to read the history: it chooses the scale of token counts. */
  readonly model?: string
  /** Words in a stub for how to get the full output, with `{id}`. */
  readonly hint?: string
  /**
   * What a guard has left of results' parts, by pointer: what is filtered as it comes in is made of that, and counts so.
   * Null: nothing of it may be stored, so that the part stays whole; it counts as any other.
   */
  readonly left?: ReadonlyMap<string, string | null>
  /** What was worked out of the history's texts at earlier calls; without it each call starts afresh. */
  readonly memo?: Memo
}

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

export interface MaskPlan {
  readonly ok: true
  /** The format that was read; null where `auto` recognised none, and nothing is done. */
  readonly format: string | null
  /** Unique full outputs behind the stubs. */
  readonly spills: readonly Spill[]
  /**
   * Indexes into `spills` by event, oldest first: results masked together, or what is filtered, or points
   * to an equal result, of those that came in between two calls of the model.
   */
  readonly events: readonly (readonly number[])[]
  /** The parts that events replace, by pointer, and the spill that is the full output of each. */
  places(): readonly Place[]
  /**
   * The texts that an event puts in the places of its parts, with PLACEHOLDER_ID for each id.
   * @param contents as `Stored.contents`
   */
  shown(event: number, contents: readonly (string | null)[]): readonly ShownText[]
  /**
   * The history's edits, with the leading events taking effect. Pure: the same edits for the same ids. Removals come
   * last and from the end, so that edits may also be applied one after another.
   */
  render(stored: Stored): Rendering
}

/** What the caller has to mend. */
export interface MaskFault {
  readonly ok: false
  /** RFC 6901, into the request. */
  readonly pointer: string
  readonly message: string
}

/**
 * Plans which results of a history become stubs. Pure, synchronous, linear in the history's size. Store the spills of
 * an event, then let it take effect by `render`.
 */
export function planMask(input: MaskInput): MaskPlan | MaskFault {
  const { policy, list, memo = createMemo() } = input
  const codec = findCodec(input.format, input.key, list)
  if (codec === undefined)
    return {
      ok: false,
      pointer: '/format',
      message: `no format '${input.format}' whose history stands in '${input.key}'`,
    }
  if (codec === null) return nothing(input, null, 'format-unknown')
  if (!policy.enabled) return nothing(input, codec.format, 'disabled')
  const steps = codec.read(list)
  const outputs = readOutputs(steps, {
    list,
    json: input.json,
    policy,
    hint: input.hint ?? DEFAULT_STUB_HINT,
    trailerHint: input.hint ?? DEFAULT_HINT,
    left: input.left ?? new Map(),
    model: input.model ?? null,
    memo,
  })
  const isSynthetic = createMatcher(policy.syntheticUserMessages)
  const replayed = replay(
    steps.map((step) => replayStep(step, policy, isSynthetic)),
    outputs,
    policy,
    {
      net: (result) => outputs[result]?.net() ?? 0,
      isSame(result, older) {
        const [output, other] = [outputs[result], outputs[older]]
        return output !== undefined && other !== undefined && isSameOutput(output, other)
      },
    },
  )
  const happenings = timeline(steps, outputs, replayed)
  const spills = collectSpills(happenings)
  const model = input.model ?? null
  const plan: Plan = { format: codec.format, list, policy, model, memo, steps, outputs, happenings, spills }
  if (policy.dryRun) {
    const dry = { ids: spills.list.map(() => null), events: happenings.length }
    return {
      ok: true,
      format: codec.format,
      ...NOTHING_STORED,
      render: () => ({ ...render(plan, dry), edits: [] }),
    }
  }
  return {
    ok: true,
    format: codec.format,
    spills: spills.list,
    events: happenings.map((happening) => spillsOf(happening, spills)),
    places: () => places(plan),
    shown: (event, contents) => shown(plan, event, contents),
    render: (stored) => render(plan, stored),
  }
}

interface Plan {
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

function nothing(input: MaskInput, format: string | null, reason: MaskReason): MaskPlan {
  const memo = input.memo ?? createMemo()
  const report = writeReport({
    format,
    reason,
    scale: newestScale([], input.policy, input.model ?? null),
    policy: input.policy,
    sizes: input.list.map((message) => measure(message, memo)),
    changes: [],
    filtered: 0,
    repeated: 0,
    masked: 0,
    maskedNow: 0,
    events: 0,
    signed: [],
  })
  return { ok: true, format, ...NOTHING_STORED, render: () => ({ edits: [], report }) }
}

const NOTHING_STORED = { spills: [], events: [], places: () => [], shown: () => [] }

function replayStep(step: Step, policy: MaskPolicy, isSynthetic: (text: string) => boolean): ReplayStep {
  switch (step.kind) {
    case 'results':
      return { kind: 'results', results: step.results.length }
    case 'user':
      // Human turns matter only where they are kept: matching long messages costs.
      return { kind: 'user', human: policy.recentTurnsToKeep > 0 && !isSynthetic(step.text) }
    case 'assistant':
      return { kind: 'assistant', signed: step.signed.length, strippable: step.blocks > step.signed.length }
    case 'other':
      return { kind: 'other' }
  }
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

function places({ happenings, spills }: Plan): readonly Place[] {
  return happenings.flatMap(({ parts }) =>
    parts.flatMap(({ part }) => {
      const spill = spills.indexOf(part)
      return spill === undefined ? [] : [{ pointer: part.pointer, spill }]
    }),
  )
}

function shown({ happenings, spills }: Plan, event: number, contents: readonly (string | null)[]): ShownText[] {
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

function render(plan: Plan, stored: Stored): Rendering {
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
  plan: Plan,
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
