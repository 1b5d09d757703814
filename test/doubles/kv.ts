import type { KvBinding } from '../../src/store/kv.ts'
import { type Calls, createCalls } from './calls.ts'

const MAX_KEY = 512
const MAX_VALUE = 25 * 1024 * 1024
const MAX_METADATA = 1024
const MIN_TTL = 60
const NEGATIVE_CACHE_MS = 60_000
const WRITE_EVERY_MS = 1000

export interface KvDouble extends KvBinding {
  readonly calls: Calls
  readonly writes: number
}

/**
 * Workers KV with the limits that its documentation states and that local emulators do not enforce: sizes, shortest life,
 * one write a second a key, and misses that stay misses for a minute.
 * @param now milliseconds since the epoch
 */
export function createKvDouble(now: () => number): KvDouble {
  const values = new Map<string, { value: Uint8Array; metadata: string; expiresAt: number }>()
  const lastWrite = new Map<string, number>()
  const missedAt = new Map<string, number>()
  const calls = createCalls()
  let writes = 0

  function checkKey(key: string): void {
    const size = new TextEncoder().encode(key).length
    if (size === 0 || size > MAX_KEY || key === '.' || key === '..') throw new Error('KV failed: 414 UTF-8 key length')
  }

  return {
    calls,
    get writes() {
      return writes
    },
    async getWithMetadata(key) {
      calls.begin()
      checkKey(key)
      const missed = missedAt.get(key)
      const found = values.get(key)
      const hidden = missed !== undefined && now() - missed < NEGATIVE_CACHE_MS
      if (hidden || found === undefined || found.expiresAt <= now()) {
        if (!hidden) missedAt.set(key, now())
        return { value: null, metadata: null }
      }
      const metadata: unknown = JSON.parse(found.metadata)
      return { value: found.value.slice().buffer, metadata }
    },
    async put(key, value, options) {
      calls.begin()
      checkKey(key)
      const metadata = JSON.stringify(options.metadata ?? null)
      const ttl = options.expirationTtl ?? Number.POSITIVE_INFINITY
      if (value.length > MAX_VALUE) throw new Error('KV PUT failed: 413 Value length exceeds limit of 26214400')
      if (new TextEncoder().encode(metadata).length > MAX_METADATA)
        throw new Error('KV PUT failed: 413 Metadata length')
      if (ttl < MIN_TTL) throw new Error('KV PUT failed: 400 Invalid expiration_ttl: must be at least 60')
      if (now() - (lastWrite.get(key) ?? Number.NEGATIVE_INFINITY) < WRITE_EVERY_MS)
        throw new Error('KV PUT failed: 429 Too Many Requests')
      lastWrite.set(key, now())
      values.set(key, { value: value.slice(), metadata, expiresAt: now() + ttl * 1000 })
      writes += 1
    },
    async delete(key) {
      calls.begin()
      checkKey(key)
      values.delete(key)
    },
    async list({ prefix, limit, cursor }) {
      calls.begin()
      if (limit < 1 || limit > 1000) throw new Error('KV GET failed: 400 Invalid limit: must be from 1 to 1000')
      const names = [...values.keys()].filter((key) => key.startsWith(prefix) && key > (cursor ?? '')).sort()
      const keys = names.slice(0, limit).map((name) => ({ name }))
      const last = keys.at(-1)?.name
      return names.length > limit && last !== undefined
        ? { keys, list_complete: false as const, cursor: last }
        : { keys, list_complete: true as const }
    },
  }
}
