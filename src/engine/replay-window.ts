/** The newest results within a budget, while results come in. */
export interface Window {
  /** The next result comes in. */
  add(weight: number): void
  /** What stands at a result's place counts no longer: a pointer further on carries it. */
  clear(at: number): void
  /**
   * Lets the first `count` results count; gives the first one of the window: the results from there on weigh at most
   * the budget together. Neither bound ever moves back.
   */
  advance(count: number): number
}

export function createWindow(budget: number): Window {
  const weights: number[] = []
  let start = 0
  let counted = 0
  let sum = 0
  return {
    add(weight) {
      weights.push(weight)
    },
    clear(at) {
      if (at >= start && at < counted) sum -= weights[at] ?? 0
      weights[at] = 0
    },
    advance(count) {
      for (; counted < count; counted += 1) sum += weights[counted] ?? 0
      for (; sum > budget && start < counted; start += 1) sum -= weights[start] ?? 0
      return start
    },
  }
}
