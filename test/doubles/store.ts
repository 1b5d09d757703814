import { createHmac } from 'node:crypto'
import type { OutputMeta, OutputStore, Slice, StoredOutput } from '../../src/service/ports.ts'
import type { KeyOf } from '../../src/service/spill.ts'

export type Operation = 'put' | 'get' | 'head' | 'delete'

const DAY = 86_400_000

interface Held {
  readonly content: Uint8Array
  readonly meta: OutputMeta
  expiresAt: number
}

/**
 * A store in memory that can be made to fail in every way a store can: `before` runs ahead of each operation and may
 * throw, reject, wait or hang. `calls` counts operations, `held` is what has been stored, by id.
 */
export function createStore(before: (operation: Operation, id: string) => unknown = () => undefined, now = () => 0) {
  const held = new Map<string, Held>()
  const calls = { put: 0, get: 0, head: 0, delete: 0 }

  function describe(id: string, { content, meta, expiresAt }: Held): StoredOutput {
    return {
      ...meta,
      id,
      bytes: content.length,
      lines: new TextDecoder().decode(content).split('\n').length,
      expiresAt,
    }
  }
  function reach(operation: Operation, id: string): unknown {
    calls[operation] += 1
    return before(operation, id)
  }

  const store: OutputStore = {
    idOf: (key) => `o_t${key}`,
    async put(tenant, key, content, meta) {
      const id = `o_t${key}`
      await reach('put', id)
      held.set(`${tenant}/${id}`, { content: content.slice(), meta, expiresAt: now() + 7 * DAY })
      return { id }
    },
    async get(tenant, id, _slice?: Slice) {
      await reach('get', id)
      const found = held.get(`${tenant}/${id}`)
      return found ? { ...describe(id, found), content: found.content, offset: 0 } : { missing: 'final' }
    },
    async head(tenant, id) {
      await reach('head', id)
      const found = held.get(`${tenant}/${id}`)
      return found ? describe(id, found) : { missing: 'final' }
    },
    async delete(tenant, id) {
      await reach('delete', id)
      return held.delete(`${tenant}/${id}`)
    },
  }

  function textOf(tenant: string, id: string): string | undefined {
    const found = held.get(`${tenant}/${id}`)
    return found && new TextDecoder().decode(found.content)
  }
  return { store, calls, held, textOf }
}

/** Digests in the form of real ones: 31 letters a-p. */
export const keyOf: KeyOf = async (tenant, content, meta) => {
  const digest = createHmac('sha256', tenant).update(JSON.stringify(meta)).update(content).digest('hex')
  return digest.slice(0, 31).replace(/./g, (digit) => String.fromCharCode(97 + Number.parseInt(digit, 16)))
}
