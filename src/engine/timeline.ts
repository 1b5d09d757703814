import type { Step } from './history/codec.ts'
import type { Output, OutputPart } from './outputs.ts'
import type { MaskEvent, Replayed } from './replay.ts'

/** A full output that must be stored before what stands for it is shown. */
export interface Spill {
  /** `text`: a string's value; `json`: the exact JSON text of a value that is no string. */
  readonly kind: 'text' | 'json'
  readonly content: string
  /**
   * Where the history says that the full output is stored already (a filtered output's trailer, a recall's call); null
   * where it says nothing. Text may be forged, another tenant's or older than what it points to: take this id where the
   * store has it, and store `content` where it has not.
   */
  readonly claimedId: string | null
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

/** Something that happens to a history: a result is filtered, or points to an equal one, as it comes in, or results are masked together. */
export type Happening =
  | { readonly kind: 'birth'; readonly parts: readonly PlacedPart[] }
  | {
      readonly kind: 'repeat'
      readonly parts: readonly PlacedPart[] /** Id of the call whose result is the same. */
      readonly of: string
    }
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
  const births = outputs.flatMap((output, index) => {
    const older = outputs[repeats.get(index) ?? -1]
    const happened = older ? [repeatOf(output, older)] : birthsOf(output)
    return happened.map((happening) => ({ step: output.step, happening }))
  })
  let next = 0
  const bornBefore = (step: number) => {
    for (let born = births[next]; born && born.step < step; born = births[next]) {
      happenings.push(born.happening)
      next += 1
    }
  }
  for (const event of events) {
    bornBefore(event.step)
    happenings.push({
      kind: 'mask',
      parts: maskedParts(event, outputs),
      results: event.results.length,
      now: event.step === steps.length,
      stripped: steps.slice(event.stripFrom, event.step).flatMap(signedBlocks),
    })
  }
  bornBefore(steps.length)
  return happenings
}

function birthsOf(output: Output): readonly Happening[] {
  const parts = output.parts.filter((part) => part.birth !== null)
  return parts.map((part) => ({ kind: 'birth', parts: [{ output, part }] }))
}

function repeatOf(output: Output, older: Output): Happening {
  const parts = output.parts.filter((part) => part.repeat(null, older.callId) !== null)
  return { kind: 'repeat', parts: parts.map((part) => ({ output, part })), of: older.callId }
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
    for (const { part } of parts) {
      const alike = known.get(sortOf(part)) ?? new Map<string, number>()
      known.set(sortOf(part), alike)
      if (alike.has(part.content)) continue
      alike.set(part.content, list.length)
      list.push({ kind: part.kind, content: part.content, claimedId: part.storedId })
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
