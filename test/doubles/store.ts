import { createHmac } from 'node:crypto'
import type { OutputMeta, OutputStore, Slice, StoredOutput } from '../../src/service/ports.ts'
import type { KeyOf } from '../../src/service/spill.ts'

export type Operation = 'put' | 'get' | 'head' | 'renew' | 'delete'

/** Bytes that a stream gives at a time. */
const PART = 7

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
      kind: meta.kind,
      ...(meta.stdoutBytes !== undefined && { stdoutBytes: meta.stdoutBytes }),
      id,
      bytes: content.length,
      lines: new TextDecoder().decode(content).split('\n').length,
      expiresAt,
    }
  }
  function reach(operation: Exclude<Operation, 'renew'>, id: string): unknown {
    calls[operation] += 1
    return before(operation, id)
  }

  function purge(tenant: string, goes: (held: Held) => boolean) {
    let deleted = 0
    for (const [key, each] of held) if (key.startsWith(`${tenant}/`) && goes(each) && held.delete(key)) deleted += 1
    return { deleted, cursor: null }
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
    async stream(tenant, id, slice) {
      const part = await store.get(tenant, id, slice)
      if ('missing' in part) return part
      const { content, offset: _, ...stored } = part
      async function* parts() {
        for (let from = 0; from < content.length; from += PART) yield content.subarray(from, from + PART)
      }
      return { ...stored, parts: parts() }
    },
    async renew(tenant, id) {
      await before('renew', id)
      const found = held.get(`${tenant}/${id}`)
      if (found) found.expiresAt = now() + 7 * DAY
      return found !== undefined
    },
    async delete(tenant, id) {
      await reach('delete', id)
      return held.delete(`${tenant}/${id}`)
    },
    async inSession(tenant, session, id) {
      return held.get(`${tenant}/${id}`)?.meta.session === session
    },
    async deleteSession(tenant, session) {
      await reach('delete', session)
      return purge(tenant, ({ meta }) => meta.session === session)
    },
    async deleteTenant(tenant) {
      await reach('delete', tenant)
      return purge(tenant, () => true)
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
