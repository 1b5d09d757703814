import { ID_PATTERN } from '../engine/marker.ts'
import {
  type Missing,
  type OutputMeta,
  type OutputPart,
  type OutputStore,
  type StoredOutput,
  StoreError,
} from '../service/ports.ts'
import type { BlobInfo, Blobs } from './blobs.ts'
import { BLOCK_BYTES, encodeBody, type Format, openBody, readBlocks } from './block-format.ts'
import { type BlockIndex, CorruptBody, FORMAT_VERSION, MAX_RAW_BYTES } from './block-index.ts'
import type { Sealer } from './seal.ts'
import { blocksOf, locate, resolveSlice } from './slice.ts'
import { holdBody, Vanished } from './stored-body.ts'
import { tenantSegment } from './tenant-segment.ts'

/** A storage, and the largest output in raw bytes that goes into it; without a limit it takes what is left. */
export interface Tier {
  readonly blobs: Blobs
  readonly maxBytes?: number
}

export interface OutputStoreOptions {
  /** How long an output is kept after its last put, in milliseconds. */
  readonly ttlMs?: number
  /** First part of every key: lowercase letters, digits and `-`. R2's lifecycle rules go by it. */
  readonly ttlClass?: string
  /** Milliseconds since the epoch. */
  readonly now: () => number
  readonly sealer?: Sealer | null
  /** Raw bytes a block. */
  readonly blockBytes?: number
}

const DAY_MS = 24 * 60 * 60 * 1000
const KEY_PATTERN = /^[a-p]{31}$/
const CLASS_PATTERN = /^[a-z0-9][a-z0-9-]{0,31}$/

/**
 * Keeps outputs in one storage, or in several by size: the first tier that takes an output's size has it; of a marker,
 * the first such tier whose misses are final.
 * What is read is verified: damage is a StoreError, never content. Expiry is exact, by `now`, whatever the storage does.
 * A change of `ttlClass` leaves what is stored under the old one unreachable until it expires.
 * @throws TypeError for a tier letter given twice, or a bad ttlClass
 */
export function createOutputStore(storage: Blobs | readonly Tier[], options: OutputStoreOptions): OutputStore {
  const tiers: readonly Tier[] = 'put' in storage ? [{ blobs: storage }] : storage
  const { ttlMs = 7 * DAY_MS, ttlClass = '7d', now } = options
  const format: Format = { blockBytes: options.blockBytes ?? BLOCK_BYTES, sealer: options.sealer ?? null }
  if (!CLASS_PATTERN.test(ttlClass)) throw new TypeError('ttlClass is lowercase letters, digits and -')
  const byLetter = new Map(tiers.map(({ blobs }) => [blobs.tier, blobs]))
  if (byLetter.size !== tiers.length || tiers.length === 0) throw new TypeError('each tier needs a letter of its own')

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

  /** The id's storage and key; null for what is no id of this store: it reaches no adapter. */
  function addressOf(tenant: string, id: string): { blobs: Blobs; key: string } | null {
    const blobs = ID_PATTERN.test(id) ? byLetter.get(id.charAt(2)) : undefined
    return blobs ? { blobs, key: `${ttlClass}/${tenantSegment(tenant)}/${id}` } : null
  }

  /** True where what is stored is this output, written in this format, and has more than half its life left. */
  function isFresh(found: BlobInfo, bytes: number): boolean {
    return found.note === noteOf(bytes, found.size, format) && found.expiresAt - now() > ttlMs / 2
  }

  async function read<T>(
    tenant: string,
    id: string,
    whole: boolean,
    use: (body: Awaited<ReturnType<typeof openBody>>, expiresAt: number) => T | Promise<T>,
  ): Promise<T | Missing> {
    const address = addressOf(tenant, id)
    if (address === null) return { missing: 'final' }
    const { blobs, key } = address
    const readOnce = async () => {
      const held = await holdBody(blobs, key, whole)
      if (held === null) return { missing: blobs.misses }
      if (held.expiresAt <= now()) return { missing: 'final' } as const
      return use(await openBody(id, held, format.sealer), held.expiresAt)
    }
    return attempt(blobs, id, async () => {
      try {
        return await readOnce()
      } catch (error) {
        // A renewal between two reads replaces the body, and the parts no longer fit; read anew they do.
        if (!(error instanceof CorruptBody || error instanceof Vanished) || !blobs.ranged) throw error
        return await readOnce()
      }
    })
  }

  return {
    idOf,

    async put(tenant, key, content, meta) {
      if (content.length > MAX_RAW_BYTES) throw new StoreError('store', 'an output has at most 2^32 - 2 bytes')
      const id = idOf(key, content.length, meta.kind)
      const blobs = tierOf(content.length, meta.kind)
      const objectKey = `${ttlClass}/${tenantSegment(tenant)}/${id}`
      return attempt(blobs, id, async () => {
        if (blobs.misses === 'final' && meta.kind !== 'marker') {
          // What can't be looked at is written anew: that mends a damaged object, and a failing store fails again.
          const found = await blobs.head(objectKey).catch(() => null)
          if (found !== null && isFresh(found, content.length)) return { id }
        }
        const body = await encodeBody(id, content, meta, format)
        const note = noteOf(content.length, body.length, format)
        await blobs.put(objectKey, body, { expiresAt: now() + ttlMs, ttlMs, note })
        return { id }
      })
    },

    get(tenant, id, slice) {
      return read(tenant, id, slice === undefined, async (body, expiresAt): Promise<OutputPart> => {
        const { index } = body
        const span = resolveSlice(slice, index)
        const [first, end] = blocksOf(span, index)
        const raw = await readBlocks(body, first, end)
        const [from, to] = locate(span, raw, first, index)
        const base = first * index.blockBytes
        const content = from === to ? new Uint8Array(0) : raw.subarray(from - base, to - base)
        return { ...describe(id, index, expiresAt), content, offset: from }
      })
    },

    head(tenant, id) {
      return read(tenant, id, false, (body, expiresAt) => describe(id, body.index, expiresAt))
    },

    async delete(tenant, id) {
      const address = addressOf(tenant, id)
      if (address === null) return false
      const { blobs, key } = address
      return attempt(blobs, id, async () => {
        const found = await blobs.head(key)
        if (found === null) return false
        await blobs.delete(key)
        return found.expiresAt > now()
      })
    },
  }
}

function describe(id: string, index: BlockIndex, expiresAt: number): StoredOutput {
  const { kind, stdoutBytes, rawLength: bytes, lines } = index
  return { id, kind, ...(stdoutBytes === undefined ? {} : { stdoutBytes }), bytes, lines, expiresAt }
}

/** Kept beside an object, so that a second put can tell without reading it that nothing has to be written. */
function noteOf(rawBytes: number, storedBytes: number, format: Format): string {
  return `${FORMAT_VERSION} ${rawBytes} ${storedBytes} ${format.sealer?.keyId ?? '-'}`
}

/** Whatever a storage throws becomes a StoreError that names it, with the cause. */
async function attempt<T>(blobs: Blobs, id: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (cause instanceof StoreError) throw cause
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new StoreError(blobs.name, `${id}: ${why}`, { cause })
  }
}
