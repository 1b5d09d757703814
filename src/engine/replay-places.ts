import type { ReplayResult } from './replay.ts'

/** Which results point to which, and where a result that is pointed to counts as standing: at its newest pointer. */
export interface Places {
  of(result: number): number
  /** The result that stands at a place; null where it has moved on. */
  ownerOf(place: number): number | null
  /**
   * The result that a new one points to; null for one that stands for itself.
   * @param isTarget whether the new one may point to the older result of the same call, which is not masked
   */
  rootOf(result: number, isTarget: (older: number) => boolean): number | null
  move(result: number, to: number): void
}

export function createPlaces(results: readonly Pick<ReplayResult, 'callKey' | 'repeats' | 'masked'>[]): Places {
  const placeOf = new Map<number, number>()
  const owners = new Map<number, number>()
  /** The newest result of each call that is no pointer. */
  const called = new Map<string, number>()
  const of = (result: number) => placeOf.get(result) ?? result
  return {
    of,
    ownerOf(place) {
      const owner = owners.get(place) ?? place
      return of(owner) === place ? owner : null
    },
    rootOf(result, isTarget) {
      const { callKey = null, repeats = false } = results[result] ?? {}
      if (callKey === null) return null
      const older = called.get(callKey)
      if (older !== undefined && (repeats || (results[older]?.masked === false && isTarget(older)))) return older
      if (!repeats) called.set(callKey, result)
      return null
    },
    move(result, to) {
      placeOf.set(result, to)
      owners.set(to, result)
    },
  }
}
