import type { Purge } from '../service/ports.ts'
import type { Blobs, PutOptions } from './blobs.ts'
import { sessionSegment } from './key.ts'
import { type Failures, settle } from './settle.ts'
import { isDamage } from './store-error.ts'

const ID_LENGTH = 34
const SESSION_LENGTH = 32
/** Session labels released at a time: storages take few requests at once, and bodies are held meanwhile. */
const WIDTH = 6

export type Life = Omit<PutOptions, 'note'>

/**
 * Which sessions have stored an output, in both directions: one empty object that is found by the session, one that is
 * found by the output. An output stored with labels is there as long as one of them refers to it.
 * `scope` is the beginning of all keys of a tenant: `<ttl class>/<tenant>`.
 */
export interface References {
  /** True where the session already refers to the output, and not for the first half of its life alone. */
  isFresh(scope: string, session: string, id: string, ttlMs: number): Promise<boolean>
  has(scope: string, session: string, id: string): Promise<boolean>
  add(scope: string, session: string, id: string, life: Life): Promise<void>
  /** Lets every reference to an output live as long as the output does from now on. */
  renew(scope: string, id: string, life: Life): Promise<void>
  /** Takes away every reference to an output. */
  drop(scope: string, id: string): Promise<void>
  isReferenced(scope: string, id: string): Promise<boolean>
  /**
   * Takes away a session's references, a page at a time.
   * @param release told of each output once this session no longer refers to it; true where that deleted it
   * @param failures takes what failed: the rest of the page goes all the same
   */
  release(
    scope: string,
    session: string,
    page: { readonly cursor: string | null; readonly limit: number },
    release: (id: string) => Promise<boolean>,
    failures: Failures,
  ): Promise<Purge & { readonly seen: number }>
}

/** @param blobs one storage for all references, wherever the outputs are: the one that lists soonest */
export function createReferences(blobs: Blobs, now: () => number): References {
  const bySession = (scope: string, segment: string, id: string) => `${scope}/s/${segment}.${id}`
  const byOutput = (scope: string, segment: string, id: string) => `${scope}/r/${id}.${segment}`

  async function put(scope: string, segment: string, id: string, life: Life): Promise<void> {
    const options = { ...life, note: 'reference' }
    await blobs.put(bySession(scope, segment, id), new Uint8Array(1), options)
    await blobs.put(byOutput(scope, segment, id), new Uint8Array(1), options)
  }

  /** Segments of the sessions that refer to an output, expired references among them. */
  async function* sessionsOf(scope: string, id: string): AsyncGenerator<string, void> {
    let cursor: string | null = null
    do {
      const page = await blobs.list(`${scope}/r/${id}.`, cursor, 1000)
      for (const key of page.keys) yield key.slice(-SESSION_LENGTH)
      cursor = page.cursor
    } while (cursor !== null)
  }

  /** One that is damaged counts: whoever wrote it may still need what it refers to. */
  async function isAlive(key: string): Promise<boolean> {
    try {
      return ((await blobs.head(key))?.expiresAt ?? 0) > now()
    } catch (error) {
      if (isDamage(error)) return true
      throw error
    }
  }

  return {
    async isFresh(scope, session, id, ttlMs) {
      if (blobs.misses !== 'final') return false
      // One that can't be looked at is written anew, which mends it.
      const found = await blobs.head(byOutput(scope, await sessionSegment(session), id)).catch(() => null)
      return found !== null && found.expiresAt - now() > ttlMs / 2
    },
    async has(scope, session, id) {
      return isAlive(byOutput(scope, await sessionSegment(session), id))
    },
    async add(scope, session, id, life) {
      await put(scope, await sessionSegment(session), id, life)
    },
    async renew(scope, id, life) {
      for await (const segment of sessionsOf(scope, id)) {
        if (await isAlive(byOutput(scope, segment, id))) await put(scope, segment, id, life)
      }
    },
    async drop(scope, id) {
      for await (const segment of sessionsOf(scope, id)) {
        await blobs.delete(bySession(scope, segment, id))
        await blobs.delete(byOutput(scope, segment, id))
      }
    },
    async isReferenced(scope, id) {
      for await (const segment of sessionsOf(scope, id)) {
        if (await isAlive(byOutput(scope, segment, id))) return true
      }
      return false
    },
    async release(scope, session, { cursor, limit }, release, failures) {
      const segment = await sessionSegment(session)
      const page = await blobs.list(`${scope}/s/${segment}.`, cursor, limit)
      const ids = page.keys.map((key) => key.slice(-ID_LENGTH))
      let deleted = 0
      for (let at = 0; at < ids.length; at += WIDTH) {
        const released = ids.slice(at, at + WIDTH).map(async (id) => {
          await blobs.delete(byOutput(scope, segment, id))
          const gone = await release(id)
          // Last, so that what was cut short is found again.
          await blobs.delete(bySession(scope, segment, id))
          return gone
        })
        deleted += (await settle(released, failures)).filter(Boolean).length
      }
      return { deleted, cursor: page.cursor, seen: ids.length }
    },
  }
}
