/** Runs work as soon as fewer than the limit are running; first come, first served. */
export type Limit = <T>(work: () => Promise<T>) => Promise<T>

/** @param width how many may run at a time */
export function createLimit(width: number): Limit {
  const waiting: (() => void)[] = []
  let next = 0
  let running = 0

  async function enter(): Promise<void> {
    if (running >= width) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
  }
  function leave(): void {
    // The place is handed on, not freed, so that nobody slips in between.
    const first = waiting[next]
    if (first) {
      next += 1
      first()
    } else running -= 1
  }

  return async (work) => {
    await enter()
    try {
      return await work()
    } finally {
      leave()
    }
  }
}
