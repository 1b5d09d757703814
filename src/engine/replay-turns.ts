import type { ReplayStep } from './replay.ts'

/** Human turns: messages of the user role that nothing of the model's stands between are one. */
export interface Turns {
  /** @param seen number of results before the step */
  see(step: ReplayStep, seen: number): void
  /** Number of results before the turns that are kept, of `seen` in all. */
  kept(seen: number): number
}

/** @param count turns that stay whole */
export function createTurns(count: number): Turns {
  /** Number of results before each human turn. */
  const starts: number[] = []
  let inHuman = false
  return {
    see(step, seen) {
      if (step.kind === 'user') {
        if (step.human && !inHuman) starts.push(seen)
        inHuman ||= step.human
      } else if (step.kind !== 'other') inHuman = false
    },
    kept: (seen) => (count === 0 ? seen : (starts.at(-count) ?? 0)),
  }
}
