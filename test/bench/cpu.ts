/** One thing to be measured. */
export interface Subject {
  readonly name: string
  /** Made anew before each run; its time does not count. */
  prepare?(): Promise<void> | void
  work(): Promise<unknown> | unknown
  after?(): Promise<void> | void
}

/**
 * Milliseconds of CPU that each subject takes at least, over a number of rounds that run every subject once: other
 * processes take no part in it, and what slows the machine for a while slows all subjects alike. Time of all threads
 * counts; run with `--expose-gc`, so that no subject pays for another's garbage.
 */
export async function leastCpu(subjects: readonly Subject[], rounds: number): Promise<ReadonlyMap<string, number>> {
  const least = new Map<string, number>()
  for (let round = 0; round < rounds; round += 1) {
    for (const { name, prepare, work, after } of subjects) {
      await prepare?.()
      globalThis.gc?.()
      const from = process.cpuUsage()
      await work()
      const { user, system } = process.cpuUsage(from)
      await after?.()
      least.set(name, Math.min(least.get(name) ?? Number.POSITIVE_INFINITY, (user + system) / 1000))
    }
  }
  return least
}
