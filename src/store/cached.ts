import { type BlobInfo, type Blobs, type Bytes, resolveRange, type StoredBlob, type StoredRange } from './blobs.ts'

export interface CacheOptions {
  /** Stored bytes held at most; what was used longest ago goes first. */
  readonly maxBytes: number
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

/** A part of an object: its place, and its bytes. */
interface Part {
  readonly from: number
  readonly bytes: Uint8Array
}

interface Entry {
  readonly info: BlobInfo
  readonly parts: Part[]
  held: number
  /** When the storage last said so. */
  checkedAt: number
}

/** How long a storage that shows writes late is not asked again: its own reads may be as old. Workers KV: 60 s. */
const UNSURE_MS = 60_000
/** An object or a part larger than this share of the cache would push out too much else. */
const LARGEST_SHARE = 1 / 4
/** Counted for an entry beside its bytes, so that many tiny ones are bounded too. */
const OVERHEAD = 200

/**
 * Holds stored bytes (compressed, and sealed where they are) in memory, before any storage. Keys hold the tenant, so none
 * sees another's. Before bytes are given from memory, the storage is asked whether the object is still there and still
 * the same one: a deletion elsewhere counts at once. A storage that is `unsure` itself is asked once a minute.
 */
export function createCachedBlobs(blobs: Blobs, { maxBytes, now }: CacheOptions): Blobs {
  /** In the order of use. */
  const entries = new Map<string, Entry>()
  /** Reads on their way, by key: what is written or deleted meanwhile must not be covered by what they bring. */
  const reads = new Map<string, Set<{ stale: boolean }>>()
  let held = 0

  function drop(key: string): void {
    held -= entries.get(key)?.held ?? 0
    entries.delete(key)
  }

  function touch(key: string, entry: Entry): void {
    entries.delete(key)
    entries.set(key, entry)
  }

  function forget(key: string): void {
    drop(key)
    for (const read of reads.get(key) ?? []) read.stale = true
  }

  function keep(key: string, info: BlobInfo, part: Part): void {
    const size = part.bytes.length
    if (size > maxBytes * LARGEST_SHARE) return
    let entry = entries.get(key)
    if (entry !== undefined && !isSame(entry.info, info)) {
      drop(key)
      entry = undefined
    }
    if (entry === undefined) {
      entry = { info, parts: [], held: OVERHEAD, checkedAt: now() }
      held += OVERHEAD
    }
    entry.parts.push(part)
    entry.held += size
    held += size
    touch(key, entry)
    for (const oldest of entries.keys()) {
      if (held <= maxBytes) break
      drop(oldest)
    }
  }

  /** The entry, if the storage still has what it holds. */
  async function current(key: string): Promise<Entry | null> {
    const entry = entries.get(key)
    if (entry === undefined) return null
    if (blobs.misses === 'unsure' && now() - entry.checkedAt < UNSURE_MS && now() >= entry.checkedAt) return entry
    if (blobs.ranged) {
      const info = await blobs.head(key)
      if (info !== null && isSame(entry.info, info) && entries.get(key) === entry) {
        entry.checkedAt = now()
        return entry
      }
    }
    if (entries.get(key) === entry) drop(key)
    return null
  }

  async function load(key: string, range: StoredRange | undefined): Promise<StoredBlob | null> {
    const read = { stale: false }
    const running = reads.get(key) ?? new Set()
    reads.set(key, running.add(read))
    try {
      const found = await blobs.get(key, range)
      if (found === null) drop(key)
      else if (!read.stale) {
        const { bytes, ...info } = found
        keep(key, info, { from: resolveRange(range, found.size)[0], bytes: bytes.slice() })
      }
      return found
    } finally {
      running.delete(read)
      if (running.size === 0) reads.delete(key)
    }
  }

  return {
    ...blobs,
    async put(key, bytes, options) {
      forget(key)
      try {
        await blobs.put(key, bytes, options)
      } finally {
        forget(key)
      }
    },
    async get(key, range) {
      const entry = await current(key)
      if (entry !== null) {
        const [from, to] = resolveRange(range, entry.info.size)
        const part = entry.parts.find((each) => each.from <= from && to <= each.from + each.bytes.length)
        if (part !== undefined) {
          touch(key, entry)
          return { ...entry.info, bytes: copyOf(part, from, to) }
        }
      }
      return load(key, range)
    },
    async delete(key) {
      forget(key)
      try {
        await blobs.delete(key)
      } finally {
        forget(key)
      }
    },
  }
}

/** A copy: what is held must not change with what a reader does to its bytes. */
function copyOf({ from: base, bytes }: Part, from: number, to: number): Bytes {
  return new Uint8Array(bytes.subarray(from - base, to - base))
}

function isSame(a: BlobInfo, b: BlobInfo): boolean {
  return a.size === b.size && a.expiresAt === b.expiresAt && a.note === b.note
}
