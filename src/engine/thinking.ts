import type { MaskPolicy } from './policy.ts'
import type { ReplayStep } from './replay.ts'

/** What is known of signed thinking at one point of a replay, and what it lets an event do. */
export interface Thinking {
  /** Takes note of a step, in order. */
  see(step: ReplayStep, index: number): void
  /** Whether an event that changes nothing before the step `first` may take place at this point. */
  allows(first: number): boolean
  /** Notes an event before the step `step`; gives the first step whose signed blocks go with it, or `step` for none. */
  strip(step: number): number
}

/**
 * Some providers bind a thinking block to all that stands before it, and refuse a request in which an older result was
 * shortened. `keep` takes no notice. `strip` lets an event take place only where the model is about to answer a user
 * message without results (within a turn of tool calls its thinking has to stay), and takes out every signed block
 * before it; not where that would leave a message empty. `wait` lets an event take place only while no signed block
 * stands after what it changes. `auto` is `strip` at the points that have signed blocks before them, else `keep`.
 */
export function createThinking(mode: MaskPolicy['thinking']): Thinking {
  let stripped = 0
  let blocks = 0
  let lastSigned = -1
  let wouldEmpty = false
  let beforeUser = false

  const strips = () => mode === 'strip' || (mode === 'auto' && blocks > 0)

  return {
    see(step, index) {
      if (step.kind === 'assistant' && step.signed > 0) {
        blocks += step.signed
        lastSigned = index
        wouldEmpty ||= !step.strippable
      }
      if (step.kind !== 'other') beforeUser = step.kind === 'user'
    },
    allows(first) {
      if (mode === 'wait') return lastSigned < first
      return !strips() || (beforeUser && !wouldEmpty)
    },
    strip(step) {
      if (!strips() || blocks === 0) return step
      const from = stripped
      stripped = step
      blocks = 0
      return from
    },
  }
}
