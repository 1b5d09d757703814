import { type BlobInfo, type Blobs, resolveRange } from './blobs.ts'

export interface MemoryOptions {
  /** Most stored bytes held at once. */
  readonly maxBytes?: number
  /** Milliseconds since the epoch: what has expired makes room. */
  readonly now?: () => number
}

/**
 * Keeps objects in this process: for tests, and where losing them with the process will do. When full it refuses what is
 * new: nothing that it took is lost before it expires.
 */
export function createMemoryBlobs({ maxBytes = 256 * 1024 * 1024, now = Date.now }: MemoryOptions = {}): Blobs {
  const objects = new Map<string, BlobInfo & { readonly bytes: Uint8Array }>()
  let held = 0

  function drop(key: string): void {
    held -= objects.get(key)?.size ?? 0
    objects.delete(key)
  }

  function dropExpired(): void {
    const at = now()
    for (const [key, { expiresAt }] of objects) if (expiresAt <= at) drop(key)
  }

  return {
    name: 'memory store',
    tier: 'm',
    ranged: true,
    misses: 'final',
    async put(key, bytes, { expiresAt, note }) {
      const size = bytes.length
      const needed = () => held - (objects.get(key)?.size ?? 0) + size
      if (needed() > maxBytes) dropExpired()
      if (needed() > maxBytes)
        throw new Error(`full: ${held} of ${maxBytes} bytes are held, and ${size} more are asked for`)
      drop(key)
      objects.set(key, { bytes: bytes.slice(), size, expiresAt, note })
      held += size
    },
    async get(key, range) {
      const found = objects.get(key)
      if (found === undefined) return null
      const [from, to] = resolveRange(range, found.size)
      return { ...found, bytes: found.bytes.slice(from, to) }
    },
    async head(key) {
      const found = objects.get(key)
      return found ? { size: found.size, expiresAt: found.expiresAt, note: found.note } : null
    },
    async delete(key) {
      drop(key)
    },
    async classes() {
      return [...new Set([...objects.keys()].map((key) => key.slice(0, key.indexOf('/'))))]
    },
    async list(prefix, cursor, limit) {
      const found = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > (cursor ?? '')).sort()
      const keys = found.slice(0, limit)
      return { keys, cursor: found.length > limit ? (keys.at(-1) ?? null) : null }
    },
  }
}
