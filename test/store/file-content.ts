export const FILE_TENANT = 'writer'

/** The output that belongs to a seed: up to 200 KB that gzip can't shrink much, the same on every run. */
export function fileContent(seed: number): Uint8Array {
  let state = seed + 1
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state >>> 16
  }
  return Uint8Array.from({ length: next() * 3 }, next)
}
