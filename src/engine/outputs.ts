import { createMatcher } from './glob.ts'
import { callKey, ownName, readPath } from './history/call.ts'
import type { ResultPart, Step, ToolResult } from './history/codec.ts'
import { slices } from './json.ts'
import { readMedia } from './media-part.ts'
import { type OutputPart, type PlacedResult, type Reading, readPart } from './output-part.ts'
import type { MaskPolicy } from './policy.ts'
import { createScale } from './scale.ts'

/** One tool call's result, as the planner sees it. */
export interface Output {
  readonly step: number
  readonly message: number
  readonly tool: string
  readonly callId: string
  readonly isError: boolean
  /** The same for calls of one tool with equal arguments; null where the call is unknown or may not be pointed from. */
  readonly callKey: string | null
  readonly parts: readonly OutputPart[]
  /** Original size towards the protected budget, in the model's tokens; 0 where masking may never touch it. */
  readonly weight: number
  readonly maskable: boolean
  readonly masked: boolean
  /** Whether it points to an equal result above. */
  readonly repeats: boolean
  /** Names of what stays whole where it is newest: the newest result of each name is kept. */
  readonly newestOf: readonly string[]
  /** What masking it frees, in the model's tokens. */
  net(): number
}

/** Reads every result of a history, in order. */
export function readOutputs(steps: readonly Step[], reading: Reading): readonly Output[] {
  const results = resultsOf(steps, reading)
  const countedOf = createCounted(reading.policy)
  const pointers = results.flatMap(({ result }) =>
    partsOf(result, reading.policy)
      .filter((part) => part.kind !== 'text')
      .map((part) => part.pointer),
  )
  const exact = new Map<string, string>()
  if (reading.json !== undefined && pointers.length > 0) {
    const found = slices(reading.json, pointers)
    pointers.forEach((pointer, i) => {
      const slice = found[i]
      if (typeof slice === 'string') exact.set(pointer, slice)
    })
  }
  return results.map((placed) => readOutput(placed, countedOf(placed.result), reading, exact))
}

/** A result counts in the tokens of the model that read it last before it came: what comes later changes nothing. */
function resultsOf(steps: readonly Step[], { policy, model }: Reading): readonly PlacedResult[] {
  const scaleOf = createScale(policy)
  let scale = scaleOf(model)
  return steps.flatMap((step, index) => {
    if (model === null) scale = scaleAt(step, scaleOf) ?? scale
    return step.kind === 'results' ? step.results.map((result) => ({ result, step: index, scale })) : []
  })
}

function scaleAt(step: Step, scaleOf: (model: string | null) => number): number | null {
  return step.kind === 'assistant' && step.model ? scaleOf(step.model) : null
}

/** The scale by which a history's newest result is counted. */
export function newestScale(steps: readonly Step[], policy: MaskPolicy, model: string | null): number {
  const scaleOf = createScale(policy)
  if (model !== null) return scaleOf(model)
  const newest = steps.findLast((step) => scaleAt(step, scaleOf) !== null)
  return newest ? (scaleAt(newest, scaleOf) ?? 1) : scaleOf(null)
}

/**
 * Whether masking may ever touch a result, by its tool and its call. A protected tool stays so where a client puts its
 * server's name before it.
 */
function createCounted(policy: MaskPolicy): (result: ToolResult) => boolean {
  const isProtected = createMatcher(policy.protectedTools)
  const maskable = policy.maskableTools.map(createMatcher)
  const pinned = new Set(policy.pinned)
  return ({ tool, callId }) =>
    !isProtected(tool) &&
    !isProtected(ownName(tool)) &&
    !pinned.has(callId) &&
    maskable.every((matches) => matches(tool))
}

function readOutput(
  placed: PlacedResult,
  counted: boolean,
  reading: Reading,
  exact: ReadonlyMap<string, string>,
): Output {
  const { policy } = reading
  const { result, step, scale } = placed
  const parts = partsOf(result, policy).map((part) => {
    const content = contentOf(part, exact)
    const read =
      part.kind === 'media'
        ? readMedia(part, content, result, reading.hint, reading.memo)
        : readPart(part, content, placed, reading, counted)
    return reading.left.get(part.pointer) === null ? { ...read, gain: () => 0, repeat: () => null } : read
  })
  const chars = parts.reduce((sum, part) => sum + part.chars, 0)
  const maskable = counted && chars > policy.maxRetainedChars
  return {
    step,
    message: result.message,
    tool: result.tool,
    callId: result.callId,
    isError: result.isError,
    callKey: policy.dedupeCalls && maskable ? callKey(result) : null,
    parts,
    weight: counted
      ? scaled(
          parts.reduce((sum, part) => sum + part.weight, 0),
          scale,
        )
      : 0,
    newestOf: newestOf(result, policy),
    maskable,
    masked: parts.some((part) => part.masked && !part.repeats),
    repeats: parts.some((part) => part.repeats),
    net: () =>
      scaled(
        parts.reduce((sum, part) => sum + Math.max(0, part.gain()), 0),
        scale,
      ),
  }
}

/** What masking looks at: media only where the policy says so. */
function partsOf({ parts }: ToolResult, policy: MaskPolicy): readonly ResultPart[] {
  return policy.maskMedia ? parts : parts.filter((part) => part.kind !== 'media')
}

/** The path that was read, and whether there is something to see. */
function newestOf(result: ToolResult, policy: MaskPolicy): readonly string[] {
  // A read that failed gave nothing that could stand in an older one's place.
  const path = policy.keepLatestRead && !result.isError ? readPath(result.tool, result.input) : null
  const media = policy.maskMedia && result.parts.some((part) => part.kind === 'media')
  return [...(path === null ? [] : [`path ${path}`]), ...(media ? ['media'] : [])]
}

function scaled(tokens: number, scale: number): number {
  return Math.round(tokens * scale)
}

function contentOf(part: ResultPart, exact: ReadonlyMap<string, string>): string {
  return part.kind === 'text' ? part.text : (exact.get(part.pointer) ?? JSON.stringify(part.value) ?? '')
}

/**
 * Whether a result may point to an older one: the same outcome, byte for byte, in the form in which both came in. What is
 * filtered from the first is small, and a client that keeps it has no bytes to compare.
 */
export function isSameOutput(newer: Output, older: Output): boolean {
  return (
    newer.isError === older.isError &&
    newer.parts.length === older.parts.length &&
    newer.parts.every((part, i) => {
      const other = older.parts[i]
      return part.birth === null && part.kind === other?.kind && part.content === other.content
    }) &&
    newer.parts.some((part) => part.repeat(null, older.callId) !== null)
  )
}
