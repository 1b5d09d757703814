import type { KVNamespacePutOptions } from '@cloudflare/workers-types'
import type { BlobInfo, Blobs } from './blobs.ts'
import { resolveRange } from './blobs.ts'
import { CorruptBody } from './block-index.ts'

/** The part of a KVNamespace that is used. */
export interface KvBinding {
  getWithMetadata(key: string, type: 'arrayBuffer'): Promise<{ value: ArrayBuffer | null; metadata: unknown }>
  put(key: string, value: Uint8Array<ArrayBuffer>, options: KVNamespacePutOptions): Promise<void>
  delete(key: string): Promise<void>
  list(options: {
    prefix: string
    limit: number
    cursor?: string | null
  }): Promise<
    { readonly keys: readonly { readonly name: string }[] } & (
      | { readonly list_complete: false; readonly cursor: string }
      | { readonly list_complete: true }
    )
  >
}

const MAX_VALUE_BYTES = 25 * 1024 * 1024
/** The shortest life that KV takes, in seconds. */
const MIN_TTL = 60

/**
 * Keeps objects in Workers KV: quick to read everywhere, whole values only, and a miss may be a write not yet seen.
 * A 429 means most often that the key was written less than a second ago, and keys derive from content; but an account
 * over its limits hears the same. So a 429 is a write only where the value is there.
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
        const written = await load(key)
        if (written?.note !== note) throw error
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
    classes: () => dayClasses(async (prefix) => (await binding.list({ prefix, limit: 1 })).keys.length > 0),
    async list(prefix, cursor, limit) {
      const page = await binding.list({ prefix, limit, cursor })
      return { keys: page.keys.map(({ name }) => name), cursor: page.list_complete ? null : page.cursor }
    },
  }
}

function infoOf(metadata: unknown, size: number): BlobInfo {
  if (typeof metadata === 'object' && metadata !== null && 'expiresAt' in metadata && 'note' in metadata) {
    const { expiresAt, note } = metadata
    if (typeof expiresAt === 'number' && typeof note === 'string') return { size, expiresAt, note }
  }
  throw new CorruptBody('the value has no metadata of this store')
}

function isTooManyWrites(error: unknown): boolean {
  return error instanceof Error && /\b429\b/.test(error.message)
}

/** Digits that a class of days may have. */
const MOST_DIGITS = 3

/**
 * Classes of the form `7d` of which there are keys: KV lists by prefix alone, so it is asked digit by digit. Some twenty
 * requests a class.
 */
async function dayClasses(has: (prefix: string) => Promise<boolean>): Promise<string[]> {
  async function below(digits: string): Promise<string[]> {
    if (!(await has(digits))) return []
    const own = has(`${digits}d/`).then((found) => (found ? [`${digits}d`] : []))
    const longer = digits.length < MOST_DIGITS ? [...'0123456789'].map((digit) => below(`${digits}${digit}`)) : []
    return (await Promise.all([own, ...longer])).flat()
  }
  return (await Promise.all([...'123456789'].map(below))).flat()
}
