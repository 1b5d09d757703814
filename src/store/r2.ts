import type { R2PutOptions } from '@cloudflare/workers-types'
import type { BlobInfo, Blobs, StoredRange } from './blobs.ts'
import { CorruptBody } from './block-index.ts'

/** The part of an R2Object that is used. */
export interface R2Found {
  readonly size: number
  readonly customMetadata?: Record<string, string>
}

/** The part of an R2Bucket that is used. */
export interface R2Binding {
  head(key: string): Promise<R2Found | null>
  get(
    key: string,
    options: { range?: StoredRange },
  ): Promise<(R2Found & { arrayBuffer(): Promise<ArrayBuffer> }) | null>
  put(key: string, value: Uint8Array<ArrayBuffer>, options: R2PutOptions): Promise<unknown>
  delete(key: string): Promise<void>
  list(options: {
    prefix: string
    limit: number
    cursor?: string
    delimiter?: string
  }): Promise<
    { readonly delimitedPrefixes: readonly string[]; readonly objects: readonly { readonly key: string }[] } & (
      | { readonly truncated: true; readonly cursor: string }
      | { readonly truncated: false }
    )
  >
}

/**
 * Keeps objects in R2: strongly consistent, read in part. R2 expires nothing by itself: keys begin with their ttl class,
 * for a lifecycle rule each. Of writes to one key in the same second some are refused; the object is there then.
 */
export function createR2Blobs(bucket: R2Binding): Blobs {
  async function head(key: string): Promise<BlobInfo | null> {
    const found = await bucket.head(key)
    return found && infoOf(found)
  }
  return {
    name: 'R2 store',
    tier: 'r',
    ranged: true,
    misses: 'final',
    async put(key, bytes, { expiresAt, note }) {
      try {
        await bucket.put(key, bytes, { customMetadata: { expiresAt: String(expiresAt), note } })
      } catch (error) {
        if (!isTooManyWrites(error)) throw error
        const written = await head(key)
        if (written === null || written.note !== note) throw error
      }
    },
    async get(key, range) {
      const found = await bucket.get(key, range ? { range } : {})
      return found && { ...infoOf(found), bytes: new Uint8Array(await found.arrayBuffer()) }
    },
    head,
    delete(key) {
      return bucket.delete(key)
    },
    async classes() {
      const { delimitedPrefixes } = await bucket.list({ prefix: '', limit: 1000, delimiter: '/' })
      return delimitedPrefixes.map((prefix) => prefix.slice(0, -1))
    },
    async list(prefix, cursor, limit) {
      const page = await bucket.list({ prefix, limit, ...(cursor === null ? {} : { cursor }) })
      return { keys: page.objects.map(({ key }) => key), cursor: page.truncated ? page.cursor : null }
    },
  }
}

function infoOf({ size, customMetadata = {} }: R2Found): BlobInfo {
  const { expiresAt, note } = customMetadata
  const at = Number(expiresAt)
  if (expiresAt === undefined || note === undefined || !Number.isFinite(at))
    throw new CorruptBody('the object has no metadata of this store')
  return { size, expiresAt: at, note }
}

/** 10058 is R2's code for too many requests to one object. */
function isTooManyWrites(error: unknown): boolean {
  return error instanceof Error && /\b(?:429|10058)\b/.test(error.message)
}
