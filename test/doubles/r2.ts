import type { StoredRange } from '../../src/store/blobs.ts'
import type { R2Binding } from '../../src/store/r2.ts'
import { type Calls, createCalls } from './calls.ts'

const MAX_KEY = 1024
const MAX_METADATA = 8192
const WRITE_EVERY_MS = 1000

export interface R2Double extends R2Binding {
  readonly calls: Calls
  readonly writes: number
  /** Bytes of bodies given out so far, and the reads they came by. */
  readonly bytesRead: number
  readonly reads: number
}

/**
 * R2 with the limits that its documentation states: sizes of keys and metadata, one write a second a key, no streams of
 * unknown length, ranges that must begin inside the object.
 * @param now milliseconds since the epoch
 */
export function createR2Double(now: () => number): R2Double {
  const objects = new Map<string, { bytes: Uint8Array; customMetadata: Record<string, string> }>()
  const lastWrite = new Map<string, number>()
  const calls = createCalls()
  const count = { writes: 0, bytesRead: 0, reads: 0 }

  function checkKey(key: string): void {
    const size = new TextEncoder().encode(key).length
    if (size === 0 || size > MAX_KEY) throw new Error('The specified object name is not valid. (10020)')
  }

  return {
    calls,
    get writes() {
      return count.writes
    },
    get bytesRead() {
      return count.bytesRead
    },
    get reads() {
      return count.reads
    },
    async head(key) {
      calls.begin()
      checkKey(key)
      const found = objects.get(key)
      return found ? { size: found.bytes.length, customMetadata: found.customMetadata } : null
    },
    async get(key, { range }) {
      calls.begin()
      checkKey(key)
      const found = objects.get(key)
      if (found === undefined) return null
      const { bytes, customMetadata } = found
      const [from, to] = range === undefined ? [0, bytes.length] : bounds(range, bytes.length)
      const part = bytes.slice(from, to)
      count.reads += 1
      count.bytesRead += part.length
      return { size: bytes.length, customMetadata, arrayBuffer: async () => part.buffer }
    },
    async put(key, value: unknown, options) {
      calls.begin()
      checkKey(key)
      if (!(value instanceof Uint8Array)) throw new TypeError('Provided readable stream must have a known length')
      const customMetadata = options.customMetadata ?? {}
      if (JSON.stringify(customMetadata).length > MAX_METADATA)
        throw new Error('put: Your metadata headers exceed the maximum allowed metadata size. (10012)')
      if (now() - (lastWrite.get(key) ?? Number.NEGATIVE_INFINITY) < WRITE_EVERY_MS)
        throw new Error('put: Reduce your concurrent request rate for the same object. (10058)')
      lastWrite.set(key, now())
      objects.set(key, { bytes: value.slice(), customMetadata })
      count.writes += 1
      return {}
    },
    async delete(key) {
      calls.begin()
      checkKey(key)
      objects.delete(key)
    },
    async list({ prefix, limit, cursor, delimiter }) {
      calls.begin()
      if (limit < 1 || limit > 1000) throw new Error('list: MaxKeys params must be positive integer <= 1000. (10022)')
      const all = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > (cursor ?? '')).sort()
      const cut = (key: string) => (delimiter === undefined ? -1 : key.indexOf(delimiter, prefix.length))
      const delimitedPrefixes = [...new Set(all.flatMap((key) => (cut(key) < 0 ? [] : [key.slice(0, cut(key) + 1)])))]
      const names = all.filter((key) => cut(key) < 0)
      const found = names.slice(0, limit).map((key) => ({ key }))
      const last = found.at(-1)?.key
      return names.length > limit && last !== undefined
        ? { delimitedPrefixes, objects: found, truncated: true as const, cursor: last }
        : { delimitedPrefixes, objects: found, truncated: false as const }
    },
  }
}

function bounds(range: StoredRange, size: number): readonly [number, number] {
  const unsatisfiable = new Error('get: The requested range is not satisfiable (10039)')
  if ('suffix' in range) {
    if (range.suffix <= 0) throw unsatisfiable
    return [Math.max(0, size - range.suffix), size]
  }
  const { offset, length } = range
  if (offset >= size || length <= 0) throw unsatisfiable
  return [offset, Math.min(size, offset + length)]
}
