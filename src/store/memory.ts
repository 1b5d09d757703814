import { type BlobInfo, type Blobs, resolveRange } from './blobs.ts'

export interface MemoryOptions {
  /** Most stored bytes held at once; the object written longest ago goes first. */
  readonly maxBytes?: number
}

/** Keeps objects in this process: for tests, and where losing them with the process, or to newer ones, will do. */
export function createMemoryBlobs({ maxBytes = 256 * 1024 * 1024 }: MemoryOptions = {}): Blobs {
  const objects = new Map<string, BlobInfo & { readonly bytes: Uint8Array }>()
  let held = 0

  function drop(key: string): void {
    held -= objects.get(key)?.size ?? 0
    objects.delete(key)
  }

  return {
    name: 'memory store',
    tier: 'm',
    ranged: true,
    misses: 'final',
    async put(key, bytes, { expiresAt, note }) {
      const size = bytes.length
      if (size > maxBytes) throw new Error(`an object of ${size} bytes is over the limit of ${maxBytes}`)
      drop(key)
      // A Map keeps the order of insertion, so the first key is the oldest.
      for (const oldest of objects.keys()) {
        if (held + size <= maxBytes) break
        drop(oldest)
      }
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
  }
}
