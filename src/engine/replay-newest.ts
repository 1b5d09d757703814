/** The newest result of each name (a path that was read, say): it is kept until a newer one of that name comes in. */
export interface Newest {
  /** A result comes in; gives the older ones that are kept no longer. */
  see(result: number, names: readonly string[]): readonly number[]
  isKept(result: number): boolean
}

export function createNewest(): Newest {
  const byName = new Map<string, number>()
  /** Of how many names each result is the newest. */
  const counts = new Map<number, number>()
  return {
    see(result, names) {
      const freed: number[] = []
      for (const name of names) {
        const older = byName.get(name)
        byName.set(name, result)
        if (older === undefined) continue
        const left = (counts.get(older) ?? 0) - 1
        counts.set(older, left)
        if (left === 0) freed.push(older)
      }
      counts.set(result, names.length)
      return freed
    },
    isKept: (result) => (counts.get(result) ?? 0) > 0,
  }
}
