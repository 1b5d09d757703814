import { matchesAny } from './glob.ts'
import { findCodec } from './history/all.ts'
import type { ListKey, Step } from './history/codec.ts'
import { measure, measureBlock } from './history/measure.ts'
import { type JsonEdit, valueAt } from './json.ts'
import { DEFAULT_STUB_HINT } from './marker.ts'
import { createMemo, type Memo } from './memo.ts'
import { type Output, type OutputPart, readOutputs } from './outputs.ts'
import type { MaskPolicy } from './policy.ts'
import { type MaskEvent, type ReplayStep, replay } from './replay.ts'
import { type Change, type MaskReason, type MaskReport, writeReport } from './report.ts'
import { estimateTokens } from './text/tokens.ts'

export type { ListKey } from './history/codec.ts'
export type { Memo } from './memo.ts'
export type { MaskReason, MaskReport } from './report.ts'

export interface MaskInput {
  /** A format's name, or `auto`. */
  readonly format: string
  readonly key: ListKey
  /** The message list, parsed. It is not changed. */
  readonly list: readonly unknown[]
  /** The list's own JSON text, from which the exact slices of results that are no strings are taken. */
  readonly json?: string
  readonly policy: MaskPolicy
  /** Words in a stub for how to get the full output, with `{id}`. */
  readonly hint?: string
  /** What was worked out of the history's texts at earlier calls; without it each call starts afresh. */
  readonly memo?: Memo
}

/** A full output that must be stored before the stub that stands for it is shown. */
export interface Spill {
  /** `text`: a string's value; `json`: the exact JSON text of a value that is no string. */
  readonly kind: 'text' | 'json'
  readonly content: string
}

/** An edit of the message list; pointers lead into the list. */
export type MaskEdit = JsonEdit

export interface Rendering {
  readonly edits: readonly MaskEdit[]
  readonly report: MaskReport
}

/** What is stored by the time a plan is rendered. */
export interface Stored {
  /** Each spill's id, as long as PLACEHOLDER_ID; null where no store is configured. */
  readonly ids: readonly (string | null)[]
  /** Number of leading events that may take effect. */
  readonly events: number
}

export interface MaskPlan {
  readonly ok: true
  /** The format that was read; null where `auto` recognised none, and nothing is done. */
  readonly format: string | null
  /** Unique full outputs behind the stubs. */
  readonly spills: readonly Spill[]
  /** Indexes into `spills` by masking event, oldest first. An event may need none: its outputs are stored already. */
  readonly events: readonly (readonly number[])[]
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
    memo,
  })
  const events = replay(
    steps.map((step) => replayStep(step, policy)),
    outputs,
    policy,
    (result) => outputs[result]?.net() ?? 0,
  )
  const byEvent = events.map((event) => maskedParts(event, outputs))
  const { spills, indexOf } = collectSpills(byEvent.flat())
  const sizes = list.map((message) => measure(message, memo))
  const plan: Plan = { input, memo, sizes, format: codec.format, steps, outputs, events, byEvent, indexOf }
  if (policy.dryRun) {
    const dry = { ids: spills.map(() => null), events: events.length }
    return {
      ok: true,
      format: codec.format,
      spills: [],
      events: [],
      render: () => ({ ...render(plan, dry), edits: [] }),
    }
  }
  return {
    ok: true,
    format: codec.format,
    spills,
    events: byEvent.map((parts) => spillsOf(parts, indexOf)),
    render: (stored) => render(plan, stored),
  }
}

interface Plan {
  readonly input: MaskInput
  readonly memo: Memo
  /** Estimated tokens by message. */
  readonly sizes: readonly number[]
  readonly format: string
  readonly steps: readonly Step[]
  readonly outputs: readonly Output[]
  readonly events: readonly MaskEvent[]
  readonly byEvent: readonly (readonly MaskedPart[])[]
  readonly indexOf: (part: OutputPart) => number | undefined
}

interface MaskedPart {
  readonly output: Output
  readonly part: OutputPart
}

function nothing(input: MaskInput, format: string | null, reason: MaskReason): MaskPlan {
  const sizes = input.list.map((message) => measure(message, input.memo ?? createMemo()))
  const report = writeReport({
    format,
    reason,
    policy: input.policy,
    sizes,
    changes: [],
    masked: 0,
    maskedNow: 0,
    events: 0,
    signed: [],
  })
  return { ok: true, format, spills: [], events: [], render: () => ({ edits: [], report }) }
}

function replayStep(step: Step, policy: MaskPolicy): ReplayStep {
  switch (step.kind) {
    case 'results':
      return { kind: 'results', results: step.results.length }
    case 'user':
      return { kind: 'user', human: !matchesAny(policy.syntheticUserMessages, step.text) }
    case 'assistant':
      return { kind: 'assistant', signed: step.signed.length, strippable: step.blocks > step.signed.length }
    case 'other':
      return { kind: 'other' }
  }
}

function maskedParts(event: MaskEvent, outputs: readonly Output[]): readonly MaskedPart[] {
  return event.results.flatMap((index) => {
    const output = outputs[index]
    return output ? output.parts.filter((part) => part.gain() > 0).map((part) => ({ output, part })) : []
  })
}

/** The contents to store, each once, and the index of a part's. */
function collectSpills(parts: readonly MaskedPart[]) {
  const spills: Spill[] = []
  const known = { text: new Map<string, number>(), json: new Map<string, number>() }
  for (const { part } of parts) {
    if (part.storedId !== null || known[part.kind].has(part.content)) continue
    known[part.kind].set(part.content, spills.length)
    spills.push({ kind: part.kind, content: part.content })
  }
  return { spills, indexOf: (part: OutputPart) => known[part.kind].get(part.content) }
}

function spillsOf(parts: readonly MaskedPart[], indexOf: Plan['indexOf']): readonly number[] {
  const indexes = new Set<number>()
  for (const { part } of parts) {
    const index = part.storedId === null ? indexOf(part) : undefined
    if (index !== undefined) indexes.add(index)
  }
  return [...indexes]
}

function render(plan: Plan, stored: Stored): Rendering {
  const { steps, outputs, events, byEvent } = plan
  const edits: MaskEdit[] = []
  const removals: MaskEdit[] = []
  const changes: Change[] = []
  const effective = Math.min(stored.events, events.length)
  const now = events.length > 0 && events.at(-1)?.step === steps.length && effective === events.length
  byEvent.slice(0, effective).forEach((parts, at) => {
    const latest = now && at === effective - 1
    for (const { message, pointer } of strippedBlocks(events[at], steps)) {
      removals.push({ pointer, remove: true })
      changes.push({ message, saved: blockTokens(plan, pointer), now: latest })
    }
    for (const { output, part } of parts) {
      const index = plan.indexOf(part)
      const id = part.storedId ?? (index === undefined ? null : (stored.ids[index] ?? null))
      const value = part.stub(id)
      edits.push({ pointer: part.pointer, value })
      changes.push({
        message: output.message,
        saved: part.tokens - estimateTokens(value),
        now: latest,
      })
    }
  })
  const strippedBefore = events
    .slice(0, effective)
    .reduce((end, event) => (event.stripFrom < event.step ? event.step : end), 0)
  const masked = outputs.filter((output) => output.parts.some((part) => part.masked)).length
  const report = writeReport({
    format: plan.format,
    reason: reasonOf(plan, effective, now, masked),
    policy: plan.input.policy,
    sizes: plan.sizes,
    changes,
    masked: masked + events.slice(0, effective).reduce((sum, event) => sum + event.results.length, 0),
    maskedNow: now ? (events.at(-1)?.results.length ?? 0) : 0,
    events: effective,
    signed: steps.flatMap((step, index) =>
      step.kind === 'assistant' && index >= strippedBefore ? step.signed.map(() => step.message) : [],
    ),
  })
  return { edits: [...edits, ...removals.reverse()], report }
}

interface SignedBlock {
  readonly message: number
  readonly pointer: string
}

/** The signed thinking blocks that go with an event. */
function strippedBlocks(event: MaskEvent | undefined, steps: readonly Step[]): readonly SignedBlock[] {
  if (!event) return []
  return steps
    .slice(event.stripFrom, event.step)
    .flatMap((step) =>
      step.kind === 'assistant' ? step.signed.map((pointer) => ({ message: step.message, pointer })) : [],
    )
}

/** What a block adds to its message's size. */
function blockTokens(plan: Plan, pointer: string): number {
  return measureBlock(valueAt(plan.input.list, pointer), plan.memo)
}

function reasonOf(plan: Plan, effective: number, now: boolean, masked: number): MaskReason {
  if (effective < plan.events.length) return 'not-stored'
  if (now || effective > 0 || masked > 0) return 'masked'
  return plan.outputs.some((output) => output.maskable) ? 'below-minimum' : 'nothing-to-mask'
}
