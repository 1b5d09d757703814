import { type Timer, within } from './deadline.ts'
import type { Limit } from './limit.ts'
import { CursorError, type OutputMeta, type OutputStore, StoreError } from './ports.ts'
import { type StoreSettings, ttlOf } from './settings.ts'

/** The digest of an output within its tenant, from the tenant's secret; `OutputStore.put` takes it as `key`. */
export type KeyOf = (tenant: string, content: Uint8Array, meta: OutputMeta) => Promise<string>

/** One output on its way to the store. */
export interface Output {
  readonly content: Uint8Array
  readonly meta: OutputMeta
}

export interface Spilled {
  readonly id: string
  readonly bytes: number
}

/** Everything that a store says or fails to say passes here: one key, one time limit, one kind of error. */
export interface Spiller {
  /** Stores one output. Rejects with StoreError. */
  put(tenant: string, output: Output): Promise<Spilled>
  /**
   * Sees to it that all outputs of a masking event are stored: gives their ids in the same order, and how many had to be
   * written. Where the event's marker is found, nothing else is asked. Rejects with StoreError, or with what `permit` rejects with.
   * @param permit asked before anything is written, not asked where the marker is found
   */
  putEvent(
    tenant: string,
    outputs: readonly Output[],
    limit: Limit,
    permit: () => Promise<void>,
  ): Promise<{ readonly ids: readonly string[]; readonly written: number }>
  /**
   * Waits for an answer of the store, as long as the settings say, or at most `ms`. Rejects with StoreError, or with a
   * CursorError of the store's.
   */
  ask<T>(work: (store: OutputStore, expired: () => boolean) => Promise<T>, ms?: number): Promise<T>
}

/**
 * Share of its life that a marker must have left to be believed. A put may leave an output alone that has more than half
 * its life left, so an output may be older than its event's marker by that half: what lies between the two shares is
 * the time an output still has when its marker is believed for the last time.
 */
const FRESH_SHARE = 0.6

/** @param now milliseconds since the epoch */
export function createSpiller(
  store: OutputStore,
  keyOf: KeyOf,
  settings: StoreSettings,
  timer: Timer,
  now: () => number,
): Spiller {
  async function ask<T>(
    work: (store: OutputStore, expired: () => boolean) => Promise<T>,
    ms: number = settings.timeoutMs,
  ): Promise<T> {
    try {
      return await within(timer, Math.min(ms, settings.timeoutMs), async (expired) => work(store, expired))
    } catch (error) {
      if (error instanceof StoreError || error instanceof CursorError) throw error
      throw new StoreError('store', error instanceof Error ? error.message : 'failed', { cause: error })
    }
  }

  /** An output with the key and the id that it will have; no I/O. */
  async function name(tenant: string, output: Output) {
    const key = await keyOf(tenant, output.content, output.meta)
    return { ...output, key, id: store.idOf(key, output.content.length) }
  }

  async function lookUp(tenant: string, markerId: string): Promise<'fresh' | 'stale' | 'missing'> {
    const found = await store.head(tenant, markerId)
    if ('missing' in found) return 'missing'
    return found.expiresAt - now() >= ttlOf(settings, tenant) * FRESH_SHARE ? 'fresh' : 'stale'
  }

  return {
    ask,
    put(tenant, { content, meta }) {
      return ask(async () => {
        const { id } = await store.put(tenant, await keyOf(tenant, content, meta), content, meta)
        return { id, bytes: content.length }
      })
    },
    async putEvent(tenant, outputs, limit, permit) {
      const { ids, distinct, marker, marked } = await ask(async () => {
        const keyed = await Promise.all(outputs.map((output) => name(tenant, output)))
        const ids = keyed.map(({ id }) => id)
        const distinct = new Map(keyed.map((output) => [output.id, output]))
        const marker = await name(
          tenant,
          markerOf(
            keyed.map(({ key }) => key),
            outputs[0]?.meta.session,
          ),
        )
        return { ids, distinct, marker, marked: await limit(() => lookUp(tenant, marker.id)) }
      })
      if (marked === 'fresh') return { ids, written: 0 }

      await permit()
      await ask(async (_, expired) => {
        const puts = Array.from(distinct.values(), (output) =>
          limit(async () => {
            if (expired()) throw new StoreError('store', 'no time left')
            const { id } = await store.put(tenant, output.key, output.content, output.meta)
            if (id !== output.id) throw new StoreError('store', 'stored an output under another id than it said')
          }),
        )
        await Promise.all(puts)
        // Last, so that a marker never stands for an output that is not there. A put need not renew what has more than
        // half its life left; a stale marker has to be, or every call would write the event again.
        await limit(async () => {
          if (marked === 'stale') await store.delete(tenant, marker.id)
          await store.put(tenant, marker.key, marker.content, marker.meta)
        })
      })
      return { ids, written: distinct.size }
    },
  }
}

/** A reason of the service's own why an event is not stored; its message is the reason code. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
}

/**
 * One small object that stands for all outputs of an event: a later call asks for it alone. Another session's event is
 * another one, though its outputs are the same: each session has to refer to them.
 */
function markerOf(keys: readonly string[], session: string | undefined): Output {
  const owner = session === undefined ? '' : `session ${session}\n`
  const text = `spillway event\n${owner}${[...new Set(keys)].sort().join('\n')}\n`
  return {
    content: new TextEncoder().encode(text),
    meta: { kind: 'text', ...(session !== undefined && { session }) },
  }
}
