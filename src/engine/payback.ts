import type { MaskPolicy } from './policy.ts'

/** What an answer of the model and its calls take in a history, about; results are counted as they are. */
const ANSWER_TOKENS = 400

/** What an event would cost under a prompt cache, and whether the session is likely to earn it back. */
export interface Payback {
  /** Takes note of the next result; 0 for one that stands masked or points to another. */
  result(weight: number): void
  /** Takes note of a call of the model. */
  call(): void
  /** A result is to be masked by the next event. */
  add(result: number): void
  /**
   * Whether an event that frees so many tokens pays. It saves `freed` at the price of reading at each call to come, and
   * has what stands after the oldest masked result written anew: it pays once the calls to come exceed
   * ((write - read) / read) * rewritten / freed. As many are expected as have been, times `maxPayback`.
   */
  allows(freed: number): boolean
  /** The event takes place. */
  done(): void
}

/**
 * Sizes are those that a masked history records of the original, and no event that took place later counts: so a client
 * that keeps its masked history gets the same answers. (While results wait that stand whole now, no event came later.)
 */
export function createPayback(
  count: number,
  policy: Pick<MaskPolicy, 'maxPayback' | 'cacheWritePrice' | 'cacheReadPrice'>,
): Payback {
  const { maxPayback, cacheWritePrice: write, cacheReadPrice: read } = policy
  const factor = Math.max(0, write - read) / read
  const weights: number[] = []
  const live = createSums(count)
  /** Calls made before each result came in, and in all. */
  const callsBefore: number[] = []
  let calls = 0
  let waiting: number[] = []
  let leaving = 0
  let oldest = count
  return {
    result(weight) {
      live.add(weights.length, weight)
      weights.push(weight)
      callsBefore.push(calls)
    },
    call() {
      calls += 1
    },
    add(result) {
      waiting.push(result)
      leaving += weights[result] ?? 0
      oldest = Math.min(oldest, result)
    },
    allows(freed) {
      if (maxPayback === null) return true
      const staying = live.from(oldest) - leaving
      const answers = (calls - (callsBefore[oldest] ?? calls)) * ANSWER_TOKENS
      return freed * calls * maxPayback >= factor * (staying + answers)
    },
    done() {
      for (const result of waiting) live.add(result, -(weights[result] ?? 0))
      waiting = []
      leaving = 0
      oldest = count
    },
  }
}

/** Sums of a list's tail, while its values change: a Fenwick tree, so that each step takes the logarithm of its length. */
function createSums(count: number): { add(at: number, value: number): void; from(at: number): number } {
  const tree = new Float64Array(count + 1)
  let total = 0
  return {
    add(at, value) {
      total += value
      for (let i = at + 1; i <= count; i += i & -i) tree[i] = (tree[i] ?? 0) + value
    },
    from(at) {
      let before = 0
      for (let i = at; i > 0; i -= i & -i) before += tree[i] ?? 0
      return total - before
    },
  }
}
