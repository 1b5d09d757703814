/** Keeps long work from stopping everything else: it pauses now and then, and learns when its time is over. */
export interface Pace {
  /** Steps that a unit of the work takes. */
  readonly cost: number
  /** Counts units of work done; true when a pause is due. */
  isDue(units: number): boolean
  /** Lets whatever else waits run. */
  rest(): Promise<void>
  isOver(): boolean
}

/** Milliseconds of work after which others are let run. */
const SLICE_MS = 25
/** Steps after which they are let run in any case: on Workers no clock moves while work is done. */
const SLICE_STEPS = 4_000_000

/**
 * @param now milliseconds since the epoch
 * @param ms how long the work may take, pauses included
 */
export function createPace(now: () => number, cost: number, ms: number): Pace {
  const end = now() + ms
  let from = now()
  let steps = 0
  return {
    cost,
    isDue(units) {
      steps += units * cost
      return steps >= SLICE_STEPS || now() - from >= SLICE_MS
    },
    async rest() {
      await new Promise((resolve) => setTimeout(resolve, 0))
      steps = 0
      from = now()
    },
    isOver: () => now() >= end,
  }
}
