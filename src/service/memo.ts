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

type Known = TextSize | string | CondensedPlan | OutputName | null

/** What is known of one text, by kind and by what else it depends on. */
interface Entry {
  readonly text: string
  readonly known: Map<string, Known>
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
 * @param maxChars UTF-16 units of keys and values that are held at most; 0 remembers nothing
 */
export function createMemo(maxChars: number): (tenant: string) => LastingMemo {
  let young: Generation = new Map()
  let old: Generation = new Map()
  let held = 0

  function add(tenant: string, text: string, name: string, value: Known): void {
    const own = OVERHEAD + name.length + lengthOf(value)
    const whole = OVERHEAD + text.length + own
    if (whole > maxChars / 2) return
    const size = young.get(tenant)?.has(text) ? own : whole
    if (held + size > maxChars / 2) {
      old = young
      young = new Map()
      held = 0
    }
    entryOf(tenant, text).known.set(name, value)
    held += held === 0 ? whole : size
  }

  function find(tenant: string, text: string, name: string): Known | undefined {
    const known = young.get(tenant)?.get(text)?.known.get(name)
    if (known !== undefined) return known
    const aged = old.get(tenant)?.get(text)?.known.get(name)
    if (aged !== undefined) add(tenant, text, name, aged)
    return aged
  }

  function entryOf(tenant: string, text: string): Entry {
    const texts = young.get(tenant) ?? new Map<string, Entry>()
    young.set(tenant, texts)
    const known = texts.get(text)
    if (known) return known
    const entry = { text: old.get(tenant)?.get(text)?.text ?? copyOf(text), known: new Map<string, Known>() }
    texts.set(entry.text, entry)
    return entry
  }

  return (tenant) => {
    /** @param kind goes before what a value depends on: one name never stands for two kinds of things */
    function lookup<T extends Known>(kind: string, isOfKind: (known: Known) => known is T): Lookup<T> {
      return {
        get(text, about) {
          const known = find(tenant, text, kind + about)
          return known !== undefined && isOfKind(known) ? known : undefined
        },
        set: (text, about, value) => add(tenant, text, kind + about, value),
      }
    }
    return {
      sizes: lookup('s', (known): known is TextSize => isObject(known) && 'wellFormed' in known),
      previews: lookup('p', (known): known is string => typeof known === 'string'),
      births: lookup(
        'b',
        (known): known is CondensedPlan | null => known === null || (isObject(known) && 'body' in known),
      ),
      names: lookup('n', (known): known is OutputName => isObject(known) && 'key' in known),
    }
  }
}

function isObject(known: Known): known is Exclude<Known, string | null> {
  return typeof known === 'object' && known !== null
}

function lengthOf(value: Known): number {
  if (value === null) return 0
  if (typeof value === 'string') return value.length
  return 'body' in value ? value.body.length + PLAN_SIZE : OVERHEAD
}

/** A text cut from a longer one keeps all of that one in memory; joined and cut anew, it keeps no more than itself. */
function copyOf(text: string): string {
  return ` ${text}`.slice(1)
}
