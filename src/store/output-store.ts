import { ID_PATTERN } from '../engine/marker.ts'
import { type Missing, type OutputMeta, type OutputPart, type OutputStore, StoreError } from '../service/ports.ts'
import type { BlobInfo, Blobs } from './blobs.ts'
import { BLOCK_BYTES, encodeBody, type Format, type OpenBody, openBody, readBlocks } from './block-format.ts'
import { CorruptBody, MAX_RAW_BYTES } from './block-index.ts'
import { streamSpan } from './body-stream.ts'
import { describe, isLabelled, noteOf } from './note.ts'
import { createPurges } from './purge.ts'
import { createReferences } from './references.ts'
import type { Sealer } from './seal.ts'
import { blocksOf, endOf, resolveSlice, startOf } from './slice.ts'
import { attempt, storeError, unreadable } from './store-error.ts'
import { holdBody, Vanished } from './stored-body.ts'
import { tenantSegment } from './tenant-segment.ts'

/** A storage, and the largest output in raw bytes that goes into it; without a limit it takes what is left. */
export interface Tier {
  readonly blobs: Blobs
  readonly maxBytes?: number
}

/** How long outputs are kept. */
export interface Lifetime {
  /** After the last put or renewal, in milliseconds. */
  readonly ttlMs: number
  /** First part of every key: lowercase letters, digits and `-`. R2's lifecycle rules go by it. */
  readonly ttlClass: string
}

export interface OutputStoreOptions extends Partial<Lifetime> {
  /** Tenants whose outputs are kept for another time. */
  readonly lifetimes?: ReadonlyMap<string, Lifetime>
  /** Milliseconds since the epoch. */
  readonly now: () => number
  readonly sealer?: Sealer | null
  /** Raw bytes a block. */
  readonly blockBytes?: number
  /** Objects that a page of a deletion looks at. */
  readonly page?: number
}

/** Where an output lies. */
interface Address {
  readonly blobs: Blobs
  readonly key: string
}

interface Opened {
  readonly body: OpenBody
  readonly expiresAt: number
}

/** Each costs a few requests to the storage, and a Worker may make a thousand or so. */
const PAGE = 100
/** Damaged objects that are remembered; beyond, all are forgotten, and mended when they have expired. */
const MOST_DAMAGED = 10_000
const DAY_MS = 24 * 60 * 60 * 1000
const KEY_PATTERN = /^[a-p]{31}$/
const CLASS_PATTERN = /^[a-z0-9][a-z0-9-]{0,31}$/

/**
 * Keeps outputs in one storage, or in several by size: the first tier that takes an output's size has it; of a marker,
 * the first such tier whose misses are final. The last tier keeps the references of sessions. What is read is verified:
 * damage is a StoreError, never content. Expiry is exact, by `now`, whatever the storage does.
 * A change of a ttlClass leaves what is stored under the old one unreachable until it expires; deletions find it.
 * @throws TypeError for a tier letter given twice, or a bad ttlClass
 */
export function createOutputStore(storage: Blobs | readonly Tier[], options: OutputStoreOptions): OutputStore {
  const tiers: readonly Tier[] = 'put' in storage ? [{ blobs: storage }] : storage
  const { ttlMs = 7 * DAY_MS, ttlClass = '7d', lifetimes = new Map<string, Lifetime>(), page = PAGE, now } = options
  const format: Format = { blockBytes: options.blockBytes ?? BLOCK_BYTES, sealer: options.sealer ?? null }
  for (const each of [{ ttlClass }, ...lifetimes.values()])
    if (!CLASS_PATTERN.test(each.ttlClass)) throw new TypeError('ttlClass is lowercase letters, digits and -')
  const byLetter = new Map(tiers.map(({ blobs }) => [blobs.tier, blobs]))
  const last = tiers.at(-1)
  if (byLetter.size !== tiers.length || last === undefined) throw new TypeError('each tier needs a letter of its own')
  const references = createReferences(last.blobs, now)

  /** Keys of objects that were found damaged: the next put does not believe that they are there. */
  const damaged = new Set<string>()
  /** Renewals on their way: what is deleted meanwhile must not come back with them. */
  const renewals = new Map<string, Promise<boolean>>()

  const lifetimeOf = (tenant: string): Lifetime => lifetimes.get(tenant) ?? { ttlMs, ttlClass }
  const scopeOf = (tenant: string): string => `${lifetimeOf(tenant).ttlClass}/${tenantSegment(tenant)}`

  function lifeOf(tenant: string) {
    const { ttlMs } = lifetimeOf(tenant)
    return { ttlMs, expiresAt: now() + ttlMs }
  }

  function tierOf(bytes: number, kind: OutputMeta['kind'] = 'text'): Blobs {
    const able = tiers.filter(({ maxBytes }) => maxBytes === undefined || bytes <= maxBytes)
    // A marker that a look-up misses though it is there has all outputs that it stands for written again.
    const tier = (kind === 'marker' && able.find(({ blobs }) => blobs.misses === 'final')) || able[0]
    if (tier === undefined) throw new StoreError('store', `no tier takes an output of ${bytes} bytes`)
    return tier.blobs
  }

  function idOf(key: string, bytes: number, kind?: OutputMeta['kind']): string {
    if (!KEY_PATTERN.test(key)) throw new StoreError('store', 'an output key is 31 letters a-p')
    return `o_${tierOf(bytes, kind).tier}${key}`
  }

  /** The tenant's beginnings of keys: its own, then those of all other classes that are configured or stored. */
  async function scopesOf(tenant: string): Promise<string[]> {
    const own = [{ ttlClass }, ...lifetimes.values()].map((each) => each.ttlClass)
    const stored = await Promise.all(tiers.map(({ blobs }) => blobs.classes()))
    const others = [...new Set([...own, ...stored.flat()])].filter((each) => CLASS_PATTERN.test(each)).sort()
    return [...new Set([scopeOf(tenant), ...others.map((each) => `${each}/${tenantSegment(tenant)}`)])]
  }

  /** Null for what is no id of this store: it reaches no adapter. */
  function blobsOf(id: string): Blobs | null {
    return (ID_PATTERN.test(id) && byLetter.get(id.charAt(2))) || null
  }

  /** The id's storage and key; null for what is no id of this store. */
  function addressOf(tenant: string, id: string): Address | null {
    const blobs = blobsOf(id)
    return blobs && { blobs, key: `${scopeOf(tenant)}/${id}` }
  }

  async function openOnce(id: string, { blobs, key }: Address, whole: boolean): Promise<Opened | Missing> {
    const held = await holdBody(blobs, key, whole)
    if (held === null) return { missing: blobs.misses }
    if (held.expiresAt <= now()) return { missing: 'final' }
    return { body: await openBody(id, held, format.sealer), expiresAt: held.expiresAt }
  }

  async function read<T>(
    tenant: string,
    id: string,
    whole: boolean,
    use: (body: OpenBody, expiresAt: number) => T | Promise<T>,
  ): Promise<T | Missing> {
    const address = addressOf(tenant, id)
    if (address === null) return { missing: 'final' }
    const readOnce = async () => {
      const opened = await openOnce(id, address, whole)
      return 'missing' in opened ? opened : use(opened.body, opened.expiresAt)
    }
    return attempt(address.blobs, id, async () => {
      try {
        return await readOnce()
      } catch (error) {
        // A renewal between two reads replaces the body, and the parts no longer fit; read anew they do.
        if (!(error instanceof CorruptBody || error instanceof Vanished)) throw error
        try {
          return await readOnce()
        } catch (again) {
          if (again instanceof CorruptBody) noteDamage(address.key)
          throw again
        }
      }
    })
  }

  function noteDamage(key: string): void {
    if (damaged.size >= MOST_DAMAGED) damaged.clear()
    damaged.add(key)
  }

  /** Whether the keys that are configured open a body. Without a sealer nothing could be amiss that its note does not tell. */
  async function opens(id: string, address: Address): Promise<boolean> {
    if (format.sealer === null) return true
    const opened = await openOnce(id, address, false).catch(() => null)
    return opened !== null && !('missing' in opened)
  }

  async function renewOnce(tenant: string, id: string, { blobs, key }: Address): Promise<boolean> {
    const found = await blobs.get(key)
    if (found === null || found.expiresAt <= now()) return false
    const life = lifeOf(tenant)
    if (isLabelled(found.note)) await references.renew(scopeOf(tenant), id, life)
    await blobs.put(key, new Uint8Array(found.bytes), { ...life, note: found.note })
    return true
  }

  async function removeBody(key: string, blobs: Blobs): Promise<void> {
    await renewals.get(key)?.catch(() => false)
    await blobs.delete(key)
  }

  return {
    idOf,

    async put(tenant, key, content, meta) {
      if (content.length > MAX_RAW_BYTES) throw new StoreError('store', 'an output has at most 2^32 - 2 bytes')
      const id = idOf(key, content.length, meta.kind)
      const blobs = tierOf(content.length, meta.kind)
      const scope = scopeOf(tenant)
      const life = lifeOf(tenant)
      const { session } = meta
      /** True where what is stored is this output, in this format, and has more than half its life left. */
      const isFresh = (found: BlobInfo): boolean =>
        found.note === noteOf(content.length, found.size, format, meta) && found.expiresAt - now() > life.ttlMs / 2
      return attempt(blobs, id, async () => {
        // What can't be looked at is written anew: that mends a damaged object, and a failing store fails again.
        const address = { blobs, key: `${scope}/${id}` }
        const looks = blobs.misses === 'final' && meta.kind !== 'marker'
        const found = looks ? await blobs.head(address.key).catch(() => null) : null
        const fresh = found !== null && isFresh(found) && !damaged.has(address.key) && (await opens(id, address))
        // First, so that no moment has an output that the deletion of its session would not find.
        if (session !== undefined && !(fresh && (await references.isFresh(scope, session, id, life.ttlMs)))) {
          await references.add(scope, session, id, life)
          // What was there may have been let go by another session just before this one referred to it.
          if (fresh && (await blobs.head(address.key)) !== null) return { id }
        } else if (fresh) return { id }
        const body = await encodeBody(id, content, meta, format)
        const note = noteOf(content.length, body.length, format, meta)
        await blobs.put(address.key, body, { ...life, note })
        damaged.delete(address.key)
        return { id }
      })
    },

    get(tenant, id, slice) {
      return read(tenant, id, slice === undefined, async (body, expiresAt): Promise<OutputPart> => {
        const { index } = body
        const span = resolveSlice(slice, index)
        const [first, end] = blocksOf(span, index)
        const raw = await readBlocks(body, first, end)
        const [from, to] = [startOf(span, raw, first, index), endOf(span, raw, first, index)]
        const base = first * index.blockBytes
        const content = from === to ? new Uint8Array(0) : raw.subarray(from - base, to - base)
        return { ...describe(id, index, expiresAt), content, offset: from }
      })
    },

    async stream(tenant, id, slice) {
      const address = addressOf(tenant, id)
      const opened = await read(tenant, id, false, (body, expiresAt) => ({ body, expiresAt }))
      if ('missing' in opened) return opened
      if (address === null) return { missing: 'final' }
      const { body, expiresAt } = opened
      const { blobs, key } = address
      async function reopen(): Promise<OpenBody> {
        const again = await openOnce(id, { blobs, key }, false)
        if ('missing' in again) throw new Vanished('object was deleted while it was read')
        return again.body
      }
      async function* parts() {
        try {
          yield* streamSpan(body, resolveSlice(slice, body.index), reopen)
        } catch (cause) {
          if (cause instanceof CorruptBody) noteDamage(key)
          throw storeError(blobs.name, id, cause)
        }
      }
      return { ...describe(id, body.index, expiresAt), parts: parts() }
    },

    head(tenant, id) {
      return read(tenant, id, false, (body, expiresAt) => describe(id, body.index, expiresAt))
    },

    async renew(tenant, id) {
      const address = addressOf(tenant, id)
      if (address === null) return false
      const { blobs, key } = address
      const running = renewals.get(key) ?? renewOnce(tenant, id, address).finally(() => renewals.delete(key))
      renewals.set(key, running)
      return attempt(blobs, id, () => running)
    },

    async delete(tenant, id) {
      const blobs = blobsOf(id)
      if (blobs === null) return false
      return attempt(blobs, id, async () => {
        let deleted = false
        for (const scope of await scopesOf(tenant)) {
          const key = `${scope}/${id}`
          // What can't be read is deleted all the same.
          const found = await blobs.head(key).catch(unreadable)
          if (found === null) continue
          if (found === 'unreadable' || isLabelled(found.note)) await references.drop(scope, id)
          await removeBody(key, blobs)
          deleted ||= found === 'unreadable' || found.expiresAt > now()
        }
        return deleted
      })
    },

    async inSession(tenant, session, id) {
      const address = addressOf(tenant, id)
      return address !== null && attempt(last.blobs, id, () => references.has(scopeOf(tenant), session, id))
    },

    ...createPurges({ tiers: tiers.map(({ blobs }) => blobs), references, scopesOf, blobsOf, removeBody, page, now }),
    warnings: () => tiers.flatMap(({ blobs }) => blobs.warnings?.() ?? []),
  }
}
