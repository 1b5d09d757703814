/** Counts calls, and makes chosen ones fail. */
export interface Calls {
  readonly made: number
  /** The `n`-th call from now (1: the next one) throws `error`. */
  failAt(n: number, error?: Error): void
}

export function createCalls(): Calls & { begin(): void } {
  const failures = new Map<number, Error>()
  let made = 0
  return {
    get made() {
      return made
    },
    failAt(n, error = new Error('internal error; this is a test')) {
      failures.set(made + n, error)
    },
    /** To be called first in each call. */
    begin() {
      made += 1
      const failure = failures.get(made)
      if (failure) throw failure
    },
  }
}
