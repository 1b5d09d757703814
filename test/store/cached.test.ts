import { expect, test } from 'vitest'
import type { Blobs, Bytes } from '../../src/store/blobs.ts'
import { createCachedBlobs } from '../../src/store/cached.ts'
import { createKvBlobs } from '../../src/store/kv.ts'
import { createMemoryBlobs } from '../../src/store/memory.ts'
import { createKvDouble } from '../doubles/kv.ts'

const OPTIONS = { expiresAt: 1e15, ttlMs: 1e6, note: 'n' }
const key = (letter: string) => `7d/t/o_m${letter.repeat(31)}`
const bytes = (length: number, fill = 1): Bytes => new Uint8Array(length).fill(fill)

/** A storage that counts what it is asked. */
function counted(blobs: Blobs) {
  const asked = { get: 0, head: 0 }
  const watched: Blobs = {
    ...blobs,
    get(...args) {
      asked.get += 1
      return blobs.get(...args)
    },
    head(...args) {
      asked.head += 1
      return blobs.head(...args)
    },
  }
  return { watched, asked }
}

function setUp(maxBytes = 10_000) {
  const storage = createMemoryBlobs()
  const { watched, asked } = counted(storage)
  return { storage, asked, cached: createCachedBlobs(watched, { maxBytes, now: () => 0 }) }
}

test('what was read is read from memory, in parts of it too, once the storage says that it is still there', async () => {
  const { cached, asked } = setUp()
  const body = Uint8Array.from({ length: 100 }, (_, i) => i)
  await cached.put(key('a'), body, OPTIONS)
  expect((await cached.get(key('a'), { suffix: 50 }))?.bytes).toEqual(body.slice(50))
  for (const range of [{ suffix: 50 }, { suffix: 10 }, { offset: 60, length: 5 }]) {
    const found = await cached.get(key('a'), range)
    expect(found).toMatchObject({ size: 100, expiresAt: 1e15, note: 'n' })
    const from = 'suffix' in range ? 100 - range.suffix : range.offset
    expect(found?.bytes).toEqual(body.slice(from, 'suffix' in range ? 100 : from + range.length))
  }
  expect(asked).toEqual({ get: 1, head: 3 })
  await cached.get(key('a'), { offset: 40, length: 20 })
  expect(asked.get).toBe(2)
})

test('what was deleted or replaced elsewhere is not given from memory', async () => {
  const { cached, storage } = setUp()
  await cached.put(key('a'), bytes(100), OPTIONS)
  await cached.get(key('a'))
  await storage.put(key('a'), bytes(100, 2), { ...OPTIONS, expiresAt: 2e15 })
  expect(await cached.get(key('a'))).toMatchObject({ expiresAt: 2e15, bytes: bytes(100, 2) })
  await storage.delete(key('a'))
  expect(await cached.get(key('a'))).toBe(null)
})

test('a read that a deletion or a write overtakes does not come back later', async () => {
  const { storage } = setUp()
  const gate = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const slow: Blobs = {
    ...storage,
    misses: 'unsure',
    async get(...args) {
      const found = await storage.get(...args)
      begun.resolve()
      await gate.promise
      return found
    },
  }
  const cached = createCachedBlobs(slow, { maxBytes: 10_000, now: () => 0 })
  await storage.put(key('a'), bytes(10), OPTIONS)
  const reading = cached.get(key('a'))
  await begun.promise
  await cached.delete(key('a'))
  gate.resolve()
  expect(await reading).toMatchObject({ size: 10 })
  expect(await cached.get(key('a'))).toBe(null)
})

test('holds no more than it may, and lets go what was used longest ago', async () => {
  const { cached, asked } = setUp(4000)
  for (const letter of ['a', 'b', 'c', 'd']) {
    await cached.put(key(letter), bytes(1000), OPTIONS)
    await cached.get(key(letter))
    await cached.get(key('a'))
  }
  asked.get = 0
  for (const letter of ['a', 'd', 'b']) await cached.get(key(letter))
  expect(asked.get).toBe(1)
  // Too large a share of the whole is not held at all.
  await cached.put(key('e'), bytes(1001), OPTIONS)
  await cached.get(key('e'))
  asked.get = 0
  await cached.get(key('e'))
  await cached.get(key('a'))
  expect(asked.get).toBe(1)
})

test("a reader that writes into its bytes changes nobody else's", async () => {
  const { cached } = setUp()
  await cached.put(key('a'), bytes(10), OPTIONS)
  for (let i = 0; i < 3; i += 1) {
    const found = await cached.get(key('a'))
    expect(found?.bytes).toEqual(bytes(10))
    found?.bytes.fill(9)
  }
})

test('KV is asked again after the minute in which its own reads may be old', async () => {
  let now = 0
  const kv = createKvDouble(() => now)
  const cached = createCachedBlobs(createKvBlobs(kv), { maxBytes: 10_000, now: () => now })
  await cached.put(key('a'), bytes(10), OPTIONS)
  const calls = () => kv.calls.made
  await cached.get(key('a'))
  const before = calls()
  now = 59_999
  expect(await cached.get(key('a'))).toMatchObject({ size: 10 })
  expect(calls()).toBe(before)
  now = 60_000
  await cached.get(key('a'))
  expect(calls()).toBe(before + 1)
  // A clock that was put back does not make a minute longer.
  now = 0
  await cached.get(key('a'))
  expect(calls()).toBe(before + 2)
  await cached.delete(key('a'))
  expect(await cached.get(key('a'))).toBe(null)
})
