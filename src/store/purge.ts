import { ID_PATTERN } from '../engine/marker.ts'
import { CursorError, type OutputStore, type Purge } from '../service/ports.ts'
import type { Blobs } from './blobs.ts'
import type { References } from './references.ts'
import { attempt } from './store-error.ts'

/** Where an output lies. */
export interface Address {
  readonly blobs: Blobs
  readonly key: string
}

export interface PurgeParts {
  readonly tiers: readonly Blobs[]
  readonly references: References
  readonly scopeOf: (tenant: string) => string
  readonly addressOf: (tenant: string, id: string) => Address | null
  readonly removeBody: (key: string, blobs: Blobs) => Promise<void>
  /** Objects that a page looks at. */
  readonly page: number
  readonly now: () => number
}

const WIDTH = 6
/** A cursor's first letter is the tier's; the rest is the storage's own. */
const CURSOR = /^[a-z][\x21-\x7e]{0,2000}$/

/** Deletion by session and by tenant, a page at a time, so that no request takes longer the more there is to delete. */
export function createPurges({
  tiers,
  references,
  scopeOf,
  addressOf,
  removeBody,
  page: limit,
  now,
}: PurgeParts): Pick<OutputStore, 'deleteSession' | 'deleteTenant'> {
  /** Deletes an output to which no session refers any more. */
  async function letGo(tenant: string, id: string): Promise<boolean> {
    const address = addressOf(tenant, id)
    const scope = scopeOf(tenant)
    if (address === null || (await references.isReferenced(scope, id))) return false
    const { blobs, key } = address
    const held = await blobs.get(key)
    if (held === null) return false
    await removeBody(key, blobs)
    if (await references.isReferenced(scope, id)) {
      // Another session has stored the same output meanwhile, and may have found it there: so it is put back. (Within a
      // second of a write of its own KV and R2 may refuse that: then this fails, and is told.)
      const { bytes, expiresAt, note } = held
      await blobs.put(key, new Uint8Array(bytes), { expiresAt, ttlMs: Math.max(0, expiresAt - now()), note })
      return false
    }
    return held.expiresAt > now()
  }

  async function deletePage(blobs: Blobs, prefix: string, cursor: string | null): Promise<Purge> {
    const page = await blobs.list(prefix, cursor, limit)
    for (let at = 0; at < page.keys.length; at += WIDTH) {
      await Promise.all(page.keys.slice(at, at + WIDTH).map((key) => removeBody(key, blobs)))
    }
    const outputs = page.keys.filter((key) => ID_PATTERN.test(key.slice(prefix.length)))
    return { deleted: outputs.length, cursor: page.cursor }
  }

  return {
    async deleteSession(tenant, session, cursor) {
      const blobs = tiers.at(-1)
      if (blobs === undefined) return { deleted: 0, cursor: null }
      checkCursor(cursor, [blobs])
      const inner = cursor === null ? null : cursor.slice(1)
      const scope = scopeOf(tenant)
      const page = await attempt(blobs, 'session', () =>
        references.release(scope, session, { cursor: inner, limit }, (id) => letGo(tenant, id)),
      )
      return { ...page, cursor: page.cursor === null ? null : `${blobs.tier}${page.cursor}` }
    },

    async deleteTenant(tenant, cursor) {
      checkCursor(cursor, tiers)
      const at = cursor === null ? 0 : tiers.findIndex(({ tier }) => tier === cursor[0])
      const blobs = tiers[at]
      if (blobs === undefined) return { deleted: 0, cursor: null }
      const inner = cursor === null || cursor.length === 1 ? null : cursor.slice(1)
      const page = await attempt(blobs, 'tenant', () => deletePage(blobs, `${scopeOf(tenant)}/`, inner))
      const next = page.cursor === null ? (tiers[at + 1]?.tier ?? null) : `${blobs.tier}${page.cursor}`
      return { deleted: page.deleted, cursor: next }
    },
  }
}

function checkCursor(cursor: string | null, tiers: readonly Blobs[]): void {
  if (cursor === null) return
  if (!CURSOR.test(cursor) || !tiers.some(({ tier }) => tier === cursor[0]))
    throw new CursorError('is no cursor of this server')
}
