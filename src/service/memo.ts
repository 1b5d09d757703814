import type { CondensedPlan } from '../engine/filter.ts'
import type { Lookup, Memo, TextSize } from '../engine/memo.ts'

/** An output's key in the store, and its size there. */
export interface OutputName {
  readonly key: string
  readonly bytes: number
}

/** What was worked out earlier, for one tenant. */
export interface LastingMemo extends Memo {
  /** By content, and what of its meta goes into the key. */
  readonly names: Lookup<OutputName>
}

type Known = TextSize | string | number | CondensedPlan | OutputName | null

/** What is known of one text, by kind and by what else it depends on. */
interface Entry {
  readonly text: string
  readonly known: Map<string, Known>
  /** UTF-16 units of it all. */
  size: number
}

/** By tenant, then by text: what one tenant sent must not be told from another's timing. */
type Generation = Map<string, Map<string, Entry>>

/** UTF-16 units that an entry, and each value in it, takes besides its texts. */
const OVERHEAD = 50
/** The same for a condensed form. */
const PLAN_SIZE = 500

/**
 * Remembers what is made of results between calls: a history comes again with every turn, and working it out anew is
 * most of the work (`npm run bench mask`). Texts are keys as they are: a Map finds them without another copy, and compares
 * them whole, so that no two are ever taken for one.
 * Two generations: when the young one is full it becomes the old one, and what is asked for again moves over, so that
 * nothing is searched and memory is bounded. What is held is a function of its key alone: forgetting changes no byte.
 * @param maxChars UTF-16 units of keys and values that are held at most; 0 remembers nothing between calls
 * @returns what is remembered for a tenant, for the length of one call
 */
export function createMemo(maxChars: number): (tenant: string) => LastingMemo {
  let young: Generation = new Map()
  let old: Generation = new Map()
  let held = 0

  /** Puts an entry among the young ones, larger by so much; one that has become too large is let go. */
  function hold(tenant: string, entry: Entry, more: number): void {
    if (young.get(tenant)?.get(entry.text) === entry) {
      young.get(tenant)?.delete(entry.text)
      held -= entry.size
    }
    old.get(tenant)?.delete(entry.text)
    entry.size += more
    if (entry.size > maxChars / 2) return
    if (held + entry.size > maxChars / 2) {
      old = young
      young = new Map()
      held = 0
    }
    const texts = young.get(tenant) ?? new Map<string, Entry>()
    young.set(tenant, texts)
    texts.set(entry.text, entry)
    held += entry.size
  }

  function find(tenant: string, text: string): Entry | undefined {
    const known = young.get(tenant)?.get(text)
    if (known) return known
    const aged = old.get(tenant)?.get(text)
    if (aged) hold(tenant, aged, 0)
    return aged
  }

  return (tenant) => {
    // The call's own strings are found again at once; others have to be compared with them.
    const seen = new Map<string, Entry>()
    function entryOf(text: string): Entry | undefined {
      const known = seen.get(text) ?? find(tenant, text)
      if (known) seen.set(text, known)
      return known
    }
    /** @param kind goes before what a value depends on: one name never stands for two kinds of things */
    function lookup<T extends Known>(kind: string, isOfKind: (known: Known) => known is T): Lookup<T> {
      return {
        get(text, about) {
          const known = entryOf(text)?.known.get(kind + about)
          return known !== undefined && isOfKind(known) ? known : undefined
        },
        set(text, about, value) {
          const entry = entryOf(text) ?? { text: copyOf(text), known: new Map(), size: OVERHEAD + text.length }
          seen.set(text, entry)
          entry.known.set(kind + about, value)
          hold(tenant, entry, OVERHEAD + about.length + lengthOf(value))
        },
      }
    }
    return {
      sizes: lookup('s', (known): known is TextSize => isObject(known) && 'wellFormed' in known),
      previews: lookup('p', (known): known is string => typeof known === 'string'),
      gains: lookup('g', (known): known is number => typeof known === 'number'),
      births: lookup('b', isBirth),
      names: lookup('n', (known): known is OutputName => isObject(known) && 'key' in known),
    }
  }
}

function isBirth(known: Known): known is CondensedPlan | null {
  return known === null || (isObject(known) && 'body' in known)
}

function isObject(known: Known): known is Exclude<Known, string | number | null> {
  return typeof known === 'object' && known !== null
}

function lengthOf(value: Known): number {
  if (typeof value === 'string') return value.length
  if (!isObject(value)) return 0
  return 'body' in value ? value.body.length + PLAN_SIZE : OVERHEAD
}

/** A text cut from a longer one keeps all of that one in memory; joined and cut anew, it keeps no more than itself. */
function copyOf(text: string): string {
  return ` ${text}`.slice(1)
}
