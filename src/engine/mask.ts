import { createMatcher } from './glob.ts'
import { findCodec } from './history/all.ts'
import type { ListKey, Step } from './history/codec.ts'
import { measure } from './history/measure.ts'
import { DEFAULT_HINT, DEFAULT_STUB_HINT } from './marker.ts'
import {
  type DecidedPlan,
  type Place,
  places,
  type Rendering,
  render,
  type ShownText,
  type Stored,
  shown,
} from './mask-render.ts'
import { createMemo, type Memo } from './memo.ts'
import { isSameOutput, newestScale, readOutputs } from './outputs.ts'
import type { MaskPolicy } from './policy.ts'
import { type ReplayStep, replay } from './replay.ts'
import { type MaskReason, writeReport } from './report.ts'
import { collectSpills, type Spill, spillsOf, timeline } from './timeline.ts'

export type { ListKey } from './history/codec.ts'
export type { MaskEdit, Place, Rendering, ShownText, Stored } from './mask-render.ts'
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
  const plan: DecidedPlan = { format: codec.format, list, policy, model, memo, steps, outputs, happenings, spills }
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
