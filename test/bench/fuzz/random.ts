/** A seeded source of numbers (mulberry32): the same seed, the same run. */
export interface Random {
  /** A whole number from 0 to `below` - 1. */
  int(below: number): number
  /** True once in `times`. */
  oneIn(times: number): boolean
  pick<T>(items: readonly [T, ...T[]]): T
  pick<T>(items: readonly T[]): T | undefined
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000
  }
  const int = (below: number): number => Math.floor(next() * below)
  return { int, oneIn: (times) => int(times) === 0, pick: <T>(items: readonly T[]) => items[int(items.length)] as T }
}
