import type { Step } from './history/codec.ts'
import type { OutputPart } from './output-part.ts'
import type { Output } from './outputs.ts'
import type { MaskEvent, Replayed } from './replay.ts'

/** A full output that must be stored before what stands for it is shown. */
export interface Spill {
  /** `text`: a string's value; `json`: the exact JSON text of a value that is no string. */
  readonly kind: 'text' | 'json'
  readonly content: string
  /** Name of the tool whose result it is; empty where unknown. */
  readonly tool: string
  /**
   * Where the history says that the full output is stored already (a filtered output's trailer, a recall's call); null
   * where it says nothing. Text may be forged, another tenant's or older than what it points to: take this id where the
   * store has it, and store `content` where it has not.
   */
  readonly claimedId: string | null
  /** UTF-16 units that the history says it has; null where it doesn't say. */
  readonly claimedChars: number | null
}

export interface PlacedPart {
  readonly output: Output
  readonly part: OutputPart
}

/** A signed thinking block that an event takes out. */
export interface SignedBlock {
  readonly message: number
  readonly pointer: string
}

/** A part that changes as it comes in: it is filtered, or points to an equal one. */
export interface ArrivedPart extends PlacedPart {
  /** Id of the call whose result is the same; null where the part is filtered. */
  readonly of: string | null
}

/** Something that happens to a history, stored as one: results come in after a call, or results are masked together. */
export type Happening =
  | { readonly kind: 'arrival'; readonly parts: readonly ArrivedPart[] }
  | {
      readonly kind: 'mask'
      readonly parts: readonly PlacedPart[]
      readonly results: number
      /** Takes place at this call, not at an earlier one. */
      readonly now: boolean
      readonly stripped: readonly SignedBlock[]
    }

/** All that happens to a history, oldest first. */
export function timeline(
  steps: readonly Step[],
  outputs: readonly Output[],
  { events, repeats }: Replayed,
): readonly Happening[] {
  const happenings: Happening[] = []
  const arrivals = arrivalsBetweenCalls(steps, outputs, repeats)
  let next = 0
  const arrivedBefore = (step: number) => {
    for (let arrived = arrivals[next]; arrived && arrived.step < step; arrived = arrivals[next]) {
      happenings.push({ kind: 'arrival', parts: arrived.parts })
      next += 1
    }
  }
  for (const event of events) {
    arrivedBefore(event.step)
    happenings.push({
      kind: 'mask',
      parts: maskedParts(event, outputs),
      results: event.results.length,
      now: event.step === steps.length,
      stripped: steps.slice(event.stripFrom, event.step).flatMap(signedBlocks),
    })
  }
  arrivedBefore(steps.length)
  return happenings
}

/** What changes as it comes in, oldest first, all that comes in between two calls of the model together, at its first step. */
function arrivalsBetweenCalls(steps: readonly Step[], outputs: readonly Output[], repeats: Replayed['repeats']) {
  const arrivals: { readonly step: number; readonly parts: ArrivedPart[] }[] = []
  /** The next step that may be a call, and whether one came after the newest arrival. */
  let next = 0
  let called = true
  outputs.forEach((output, index) => {
    for (; next < output.step; next += 1) called ||= steps[next]?.kind === 'assistant'
    const parts = arrivedParts(output, outputs[repeats.get(index) ?? -1])
    if (parts.length === 0) return
    const last = arrivals.at(-1)
    if (called || !last) arrivals.push({ step: output.step, parts: [...parts] })
    else for (const part of parts) last.parts.push(part)
    called = false
  })
  return arrivals
}

/** @param older the result that this one points to */
function arrivedParts(output: Output, older: Output | undefined): readonly ArrivedPart[] {
  const of = older?.callId ?? null
  const changes = (part: OutputPart) => (of === null ? part.birth !== null : part.repeat(null, of) !== null)
  return output.parts.filter(changes).map((part) => ({ output, part, of }))
}

function maskedParts(event: MaskEvent, outputs: readonly Output[]): readonly PlacedPart[] {
  return event.results.flatMap((index) => {
    const output = outputs[index]
    return output ? output.parts.filter((part) => part.gain() > 0).map((part) => ({ output, part })) : []
  })
}

/** The signed thinking blocks of a step. */
export function signedBlocks(step: Step): readonly SignedBlock[] {
  return step.kind === 'assistant' ? step.signed.map((pointer) => ({ message: step.message, pointer })) : []
}

export interface Spills {
  readonly list: readonly Spill[]
  /** The index of a part's full output. */
  indexOf(part: OutputPart): number | undefined
}

/** The full outputs to store, or to find stored, each once. */
export function collectSpills(happenings: readonly Happening[]): Spills {
  const list: Spill[] = []
  /** By kind and claimed id, then by content. */
  const known = new Map<string, Map<string, number>>()
  const sortOf = (part: OutputPart) => `${part.kind} ${part.storedId ?? ''}`
  for (const { parts } of happenings) {
    for (const { output, part } of parts) {
      const alike = known.get(sortOf(part)) ?? new Map<string, number>()
      known.set(sortOf(part), alike)
      if (alike.has(part.content)) continue
      alike.set(part.content, list.length)
      const { kind, content, storedId: claimedId, storedChars: claimedChars } = part
      list.push({ kind, content, tool: output.tool, claimedId, claimedChars })
    }
  }
  return { list, indexOf: (part) => known.get(sortOf(part))?.get(part.content) }
}

/** The indexes of what a happening needs stored, each once. */
export function spillsOf(happening: Happening, spills: Spills): readonly number[] {
  const indexes = new Set<number>()
  for (const { part } of happening.parts) {
    const index = spills.indexOf(part)
    if (index !== undefined) indexes.add(index)
  }
  return [...indexes]
}
