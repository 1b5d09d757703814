import type { CondensedPlan } from '../engine/filter.ts'
import type { Memo } from '../engine/mask.ts'

/**
 * What was worked out earlier, for one tenant: previews, and condensed forms of results that are filtered as they come
 * in. Estimates are remembered within a call alone: making them is quick.
 */
export type MemoOf = (tenant: string) => Memo

type Known = string | CondensedPlan | null

/** UTF-16 units that a condensed form has besides its body. */
const PLAN_SIZE = 500

/**
 * Remembers what is made of results between calls: a history comes again with every turn, and making its previews anew
 * is most of the work (of a history of 1 MB, 480 ms of CPU without and 28 ms with them, on one machine).
 * Two generations: when the young one is full it becomes the old one, and what is asked for again moves over, so that
 * nothing is searched and memory is bounded. What is held is a function of its key alone: forgetting changes no byte.
 * @param maxChars UTF-16 units of keys and values that are held at most; 0 remembers nothing
 */
export function createMemo(maxChars: number): MemoOf {
  let young = new Map<string, Known>()
  let old = new Map<string, Known>()
  let held = 0

  function add(key: string, value: Known): void {
    const size = key.length + sizeOf(value)
    if (size > maxChars / 2 || maxChars === 0) return
    if (held + size > maxChars / 2) {
      old = young
      young = new Map()
      held = 0
    }
    young.set(key, value)
    held += size
  }

  function find(key: string): Known | undefined {
    const known = young.get(key)
    if (known !== undefined) return known
    const aged = old.get(key)
    if (aged !== undefined) add(key, aged)
    return aged
  }

  return (tenant) => {
    // Quoted, so that no tenant's name runs into a key: what one tenant sent must not be told from another's timing.
    const owner = JSON.stringify(tenant)
    const previews: Memo['previews'] = {
      get(key) {
        const known = find(`${owner}p${key}`)
        return typeof known === 'string' ? known : undefined
      },
      set: (key, preview) => add(`${owner}p${key}`, preview),
    }
    const births: Memo['births'] = {
      get(key) {
        const known = find(`${owner}b${key}`)
        return typeof known === 'string' ? undefined : known
      },
      set: (key, plan) => add(`${owner}b${key}`, plan),
    }
    return { previews, births, tokens: new Map() }
  }
}

function sizeOf(value: Known): number {
  if (value === null) return 0
  return typeof value === 'string' ? value.length : value.body.length + PLAN_SIZE
}
