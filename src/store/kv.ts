import type { KVNamespacePutOptions } from '@cloudflare/workers-types'
import type { BlobInfo, Blobs } from './blobs.ts'
import { resolveRange } from './blobs.ts'

/** The part of a KVNamespace that is used. */
export interface KvBinding {
  getWithMetadata(key: string, type: 'arrayBuffer'): Promise<{ value: ArrayBuffer | null; metadata: unknown }>
  put(key: string, value: Uint8Array<ArrayBuffer>, options: KVNamespacePutOptions): Promise<void>
  delete(key: string): Promise<void>
}

const MAX_VALUE_BYTES = 25 * 1024 * 1024
/** The shortest life that KV takes, in seconds. */
const MIN_TTL = 60

/**
 * Keeps objects in Workers KV: quick to read everywhere, whole values only, and a miss may be a write not yet seen.
 * A 429 means that the key was written less than a second ago. Keys derive from content, so that write was this one.
 */
export function createKvBlobs(binding: KvBinding): Blobs {
  async function load(key: string) {
    const { value, metadata } = await binding.getWithMetadata(key, 'arrayBuffer')
    return value === null ? null : { ...infoOf(metadata, value.byteLength), bytes: new Uint8Array(value) }
  }
  return {
    name: 'KV store',
    tier: 'k',
    ranged: false,
    misses: 'unsure',
    async put(key, bytes, { expiresAt, ttlMs, note }) {
      if (bytes.length > MAX_VALUE_BYTES) throw new Error(`a value of ${bytes.length} bytes is over KV's 25 MiB`)
      const expirationTtl = Math.max(MIN_TTL, Math.ceil(ttlMs / 1000))
      try {
        await binding.put(key, bytes, { expirationTtl, metadata: { expiresAt, note } })
      } catch (error) {
        if (!isTooManyWrites(error)) throw error
      }
    },
    async get(key, range) {
      const found = await load(key)
      return found && { ...found, bytes: found.bytes.subarray(...resolveRange(range, found.size)) }
    },
    async head(key) {
      const found = await load(key)
      return found && { size: found.size, expiresAt: found.expiresAt, note: found.note }
    },
    delete(key) {
      return binding.delete(key)
    },
  }
}

function infoOf(metadata: unknown, size: number): BlobInfo {
  if (typeof metadata === 'object' && metadata !== null && 'expiresAt' in metadata && 'note' in metadata) {
    const { expiresAt, note } = metadata
    if (typeof expiresAt === 'number' && typeof note === 'string') return { size, expiresAt, note }
  }
  throw new Error('the value has no metadata of this store')
}

function isTooManyWrites(error: unknown): boolean {
  return error instanceof Error && /\b429\b/.test(error.message)
}
