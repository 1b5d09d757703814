import { type Timer, within } from './deadline.ts'
import { CursorError, type OutputMeta, type OutputStore, StoreError } from './ports.ts'
import type { StoreSettings } from './settings.ts'

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
   * Waits for an answer of the store, as long as the settings say, or at most `ms`. Rejects with StoreError, or with a
   * CursorError of the store's.
   */
  ask<T>(work: (store: OutputStore, expired: () => boolean) => Promise<T>, ms?: number): Promise<T>
}

export function createSpiller(store: OutputStore, keyOf: KeyOf, settings: StoreSettings, timer: Timer): Spiller {
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

  return {
    ask,
    put(tenant, { content, meta }) {
      return ask(async () => {
        const { id } = await store.put(tenant, await keyOf(tenant, content, meta), content, meta)
        return { id, bytes: content.length }
      })
    },
  }
}

/** A reason of the service's own why an event is not stored; its message is the reason code. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
}
