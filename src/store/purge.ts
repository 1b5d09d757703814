import { ID_PATTERN } from '../engine/marker.ts'
import { CursorError, type OutputStore, type Purge, StoreError } from '../service/ports.ts'
import { type Blobs, VOUCHER } from './blobs.ts'
import type { References } from './references.ts'
import { type Failures, settle } from './settle.ts'
import { attempt, unreadable } from './store-error.ts'

export interface PurgeParts {
  readonly tiers: readonly Blobs[]
  readonly references: References
  /** Beginnings of all keys of a tenant, one a class of keys: what was stored under an earlier time to live is among them. */
  readonly scopesOf: (tenant: string) => Promise<readonly string[]>
  /** The storage of an id; null for what is no id of this store. */
  readonly blobsOf: (id: string) => Blobs | null
  readonly removeBody: (key: string, blobs: Blobs) => Promise<void>
  /** Objects that a page looks at. */
  readonly page: number
  readonly now: () => number
}

const WIDTH = 6
/** `<place>:<the storage's own>`, after a `!` where an earlier page could not delete something. */
const CURSOR = /^(!?)([a-z]:[a-z0-9-]{1,32}):([\x21-\x7e]{0,2000})$/

/** One step of a deletion: the keys of a class in a storage, by pages. */
interface Step {
  /** `<tier>:<class>`: where the cursor says that it is. */
  readonly place: string
  list(cursor: string | null, limit: number, failures: Failures): Promise<Purge & { readonly seen: number }>
}

/** Deletion by session and by tenant, a page at a time, so that no request takes longer the more there is to delete. */
export function createPurges({
  tiers,
  references,
  scopesOf,
  blobsOf,
  removeBody,
  page: limit,
  now,
}: PurgeParts): Pick<OutputStore, 'deleteSession' | 'deleteTenant'> {
  /** Deletes an output to which no session refers any more; true where it was one that could still be read. */
  async function letGo(scope: string, id: string): Promise<boolean> {
    const blobs = blobsOf(id)
    if (blobs === null || (await references.isReferenced(scope, id))) return false
    const key = `${scope}/${id}`
    // What can't be read is deleted all the same, or it would keep its session for ever.
    const held = await blobs.get(key).catch(unreadable)
    if (held === null) return false
    await removeBody(key, blobs)
    if (await references.isReferenced(scope, id)) {
      // Another session has stored the same output meanwhile, and may have found it there: so it is put back. (Within a
      // second of a write of its own KV and R2 may refuse that: then this fails, and is told.)
      if (held === 'unreadable') throw new Error(`${id} can't be read, and was stored again while it was deleted`)
      const { bytes, expiresAt, note } = held
      await blobs.put(key, new Uint8Array(bytes), { expiresAt, ttlMs: Math.max(0, expiresAt - now()), note })
      return false
    }
    return held === 'unreadable' || isOutput(held)
  }

  function isOutput({ note, expiresAt }: { readonly note: string; readonly expiresAt: number }): boolean {
    return expiresAt > now() && !note.endsWith(VOUCHER)
  }

  async function deletePage(blobs: Blobs, prefix: string, cursor: string | null, most: number, failures: Failures) {
    const page = await blobs.list(prefix, cursor, most)
    let deleted = 0
    for (let at = 0; at < page.keys.length; at += WIDTH) {
      const gone = page.keys.slice(at, at + WIDTH).map(async (key) => {
        const found = ID_PATTERN.test(key.slice(prefix.length)) && (await blobs.head(key).catch(unreadable))
        await removeBody(key, blobs)
        return found === 'unreadable' || (found !== false && found !== null && isOutput(found))
      })
      deleted += (await settle(gone, failures)).filter(Boolean).length
    }
    return { deleted, cursor: page.cursor, seen: page.keys.length }
  }

  /** Goes through the steps from the cursor's on until a page is full. What fails is told at the end: the rest goes first. */
  async function walk(steps: readonly Step[], cursor: string | null): Promise<Purge> {
    const [, mark = '', place, inner = ''] = CURSOR.exec(cursor ?? `${steps[0]?.place}:`) ?? []
    const first = steps.findIndex((step) => step.place === place)
    const failures: Failures = []
    let left = limit
    let deleted = 0
    for (const [number, step] of steps.entries()) {
      if (number < first) continue
      if (left === 0) return { deleted, cursor: `${markOf(mark, failures)}${step.place}:` }
      const page = await step.list(number === first && inner !== '' ? inner : null, left, failures)
      deleted += page.deleted
      left -= Math.min(left, page.seen)
      if (page.cursor !== null) return { deleted, cursor: `${markOf(mark, failures)}${step.place}:${page.cursor}` }
    }
    const [failure] = failures
    if (failure !== undefined) throw failure
    if (mark !== '') throw new StoreError('store', 'some outputs could not be deleted: begin again without a cursor')
    return { deleted, cursor: null }
  }

  return {
    async deleteSession(tenant, session, cursor) {
      const blobs = tiers.at(-1)
      if (blobs === undefined) return { deleted: 0, cursor: null }
      checkCursor(cursor, [blobs])
      return attempt(blobs, 'session', async () => {
        const steps = (await scopesOf(tenant)).map((scope): Step => {
          const release = (id: string) => letGo(scope, id)
          return {
            place: `${blobs.tier}:${classOf(scope)}`,
            list: (inner, most, failures) =>
              references.release(scope, session, { cursor: inner, limit: most }, release, failures),
          }
        })
        return walk(steps, cursor)
      })
    },

    async deleteTenant(tenant, cursor) {
      checkCursor(cursor, tiers)
      const [first] = tiers
      if (first === undefined) return { deleted: 0, cursor: null }
      return attempt(first, 'tenant', async () => {
        const scopes = await scopesOf(tenant)
        const steps = tiers.flatMap((blobs) =>
          scopes.map(
            (scope): Step => ({
              place: `${blobs.tier}:${classOf(scope)}`,
              list: (inner, most, failures) => deletePage(blobs, `${scope}/`, inner, most, failures),
            }),
          ),
        )
        return walk(steps, cursor)
      })
    },
  }
}

function classOf(scope: string): string {
  return scope.slice(0, scope.indexOf('/'))
}

function markOf(mark: string, failures: Failures): string {
  return mark !== '' || failures.length > 0 ? '!' : ''
}

function checkCursor(cursor: string | null, tiers: readonly Blobs[]): void {
  if (cursor === null) return
  const tier = CURSOR.exec(cursor)?.[2]?.charAt(0)
  if (!tiers.some((blobs) => blobs.tier === tier)) throw new CursorError('is no cursor of this server')
}
