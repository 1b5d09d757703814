/** One thing to be measured. */
export interface Subject {
  readonly name: string
  /** Made anew before each run; its time does not count. */
  prepare?(): Promise<void> | void
  work(): Promise<unknown> | unknown
  after?(): Promise<void> | void
}

/** CPU time of a subject, of all threads. */
export interface Cost {
  /** Milliseconds, at best. */
  readonly ms: number
  /** As a multiple of the base, which ran just before: the median, so that a busy machine weighs on both alike. */
  readonly ratio: number
}

/**
 * Measures subjects over a number of rounds, each of which runs every subject once, the base before it. Run with
 * `--expose-gc`, so that no subject pays for another's garbage.
 */
export async function measureCpu(
  base: Subject,
  subjects: readonly Subject[],
  rounds: number,
): Promise<ReadonlyMap<string, Cost>> {
  const runs = new Map([base, ...subjects].map(({ name }) => [name, { times: [] as number[], ratios: [] as number[] }]))
  for (let round = 0; round < rounds; round += 1) {
    for (const subject of subjects) {
      const plain = await run(base)
      const time = await run(subject)
      runs.get(base.name)?.times.push(plain)
      runs.get(base.name)?.ratios.push(1)
      runs.get(subject.name)?.times.push(time)
      runs.get(subject.name)?.ratios.push(time / plain)
    }
  }
  const costs = Array.from(
    runs,
    ([name, { times, ratios }]) => [name, { ms: Math.min(...times), ratio: median(ratios) }] as const,
  )
  return new Map(costs)
}

/** Milliseconds of CPU. */
async function run({ prepare, work, after }: Subject): Promise<number> {
  await prepare?.()
  globalThis.gc?.()
  const from = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(from)
  await after?.()
  return (user + system) / 1000
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
}
