import { expect, test } from 'vitest'
import { StoreError } from '../../src/service/ports.ts'
import { createKvBlobs } from '../../src/store/kv.ts'
import { createMemoryBlobs } from '../../src/store/memory.ts'
import { createOutputStore } from '../../src/store/output-store.ts'
import { createR2Blobs } from '../../src/store/r2.ts'
import { createSealer } from '../../src/store/seal.ts'
import { tenantSegment } from '../../src/store/tenant-segment.ts'
import { createKvDouble } from '../doubles/kv.ts'
import { createR2Double } from '../doubles/r2.ts'

const KEY = 'abcdefghijklmnopabcdefghijklmno'
const KEY_2 = 'bbcdefghijklmnopabcdefghijklmno'
const TEXT = { kind: 'text' } as const
const bytes = (length: number) => new Uint8Array(length).fill(97)

test('small outputs go to KV and large ones to R2, and the id says where', async () => {
  const kv = createKvDouble(() => 0)
  const r2 = createR2Double(() => 0)
  const tiers = [{ blobs: createKvBlobs(kv), maxBytes: 100 }, { blobs: createR2Blobs(r2) }]
  const store = createOutputStore(tiers, { now: () => 0 })
  const small = await store.put('t', KEY, bytes(100), TEXT)
  const large = await store.put('t', KEY_2, bytes(101), TEXT)
  expect([small.id, large.id]).toEqual([`o_k${KEY}`, `o_r${KEY_2}`])
  expect([store.idOf(KEY, 100), store.idOf(KEY_2, 101)]).toEqual([small.id, large.id])
  expect([kv.writes, r2.writes]).toEqual([1, 1])
  expect(await store.get('t', small.id)).toMatchObject({ bytes: 100 })
  expect(await store.get('t', large.id)).toMatchObject({ bytes: 101 })
  expect(await store.get('t', `o_m${KEY}`)).toEqual({ missing: 'final' })
  expect(await store.get('t', `o_k${KEY_2}`)).toEqual({ missing: 'unsure' })
})

test('a marker goes where a miss is certain, also where KV takes its size', async () => {
  const kv = createKvDouble(() => 0)
  const r2 = createR2Double(() => 0)
  const both = createOutputStore([{ blobs: createKvBlobs(kv), maxBytes: 100 }, { blobs: createR2Blobs(r2) }], {
    now: () => 0,
  })
  const { id } = await both.put('t', KEY, bytes(20), { kind: 'marker' })
  expect([id, both.idOf(KEY, 20, 'marker')]).toEqual([`o_r${KEY}`, `o_r${KEY}`])
  expect(await both.get('t', id)).toMatchObject({ kind: 'marker', bytes: 20 })
  expect(kv.calls.made).toBe(0)
  const alone = createOutputStore(createKvBlobs(kv), { now: () => 0 })
  expect((await alone.put('t', KEY, bytes(20), { kind: 'marker' })).id).toBe(`o_k${KEY}`)
})

test('what no tier takes is refused, and so are tiers that share a letter', async () => {
  const blobs = createMemoryBlobs()
  const store = createOutputStore([{ blobs, maxBytes: 10 }], { now: () => 0 })
  await expect(store.put('t', KEY, bytes(11), TEXT)).rejects.toThrow(StoreError)
  expect(() => createOutputStore([{ blobs }, { blobs }], { now: () => 0 })).toThrow(TypeError)
  expect(() => createOutputStore([], { now: () => 0 })).toThrow(TypeError)
  expect(() => createOutputStore(blobs, { now: () => 0, ttlClass: '../x' })).toThrow(TypeError)
})

test('KV is written without a look first: a look would hide the write for a minute', async () => {
  let now = 0
  const kv = createKvDouble(() => now)
  const store = createOutputStore(createKvBlobs(kv), { now: () => now, ttlMs: 1000 })
  const { id } = await store.put('t', KEY, bytes(5), TEXT)
  expect(kv.calls.made).toBe(1)
  // The second write within a second is refused: the output is there.
  await store.put('t', KEY, bytes(5), TEXT)
  expect(kv.writes).toBe(1)
  expect(await store.get('t', id)).toHaveProperty('bytes', 5)

  expect(await store.get('t', `o_k${KEY_2}`)).toEqual({ missing: 'unsure' })
  await store.put('t', KEY_2, bytes(5), TEXT)
  expect(await store.get('t', `o_k${KEY_2}`)).toEqual({ missing: 'unsure' })
  now += 500
  await store.put('t', KEY, bytes(5), TEXT)
  now += 500
  // KV itself would still give it back.
  expect(await store.get('t', id)).toEqual({ missing: 'final' })
})

test('a write that KV refuses for another reason is an error', async () => {
  const kv = createKvDouble(() => 0)
  const store = createOutputStore(createKvBlobs(kv), { now: () => 0 })
  kv.calls.failAt(1, new Error('KV PUT failed: 500 Internal Server Error'))
  await expect(store.put('t', KEY, bytes(5), TEXT)).rejects.toThrow('KV store: o_k')
  const tooMuch = new Uint8Array(25 * 1024 * 1024 + 1)
  const options = { expiresAt: 1, ttlMs: 1, note: '' }
  await expect(createKvBlobs(kv).put('7d/t/x', tooMuch, options)).rejects.toThrow("over KV's 25 MiB")
  expect(kv.calls.made).toBe(1)
})

test('memory that is full refuses what is new, loses nothing, and takes it when something has expired', async () => {
  let now = 0
  const blobs = createMemoryBlobs({ maxBytes: 300, now: () => now })
  const store = createOutputStore(blobs, { now: () => now, ttlMs: 1000 })
  const keys = ['a', 'b', 'c'].map((letter) => letter.repeat(31))
  const put = (key = '') => store.put('t', key, bytes(5), TEXT)
  await put(keys[0])
  now = 100
  await put(keys[1])
  await expect(put(keys[2])).rejects.toThrow(/memory store: o_m\w+: full: \d+ of 300 bytes are held/)
  for (const key of keys.slice(0, 2)) expect(await store.get('t', `o_m${key}`)).toHaveProperty('bytes', 5)
  // What is there may be renewed.
  now = 700
  await put(keys[1])
  now = 1000
  await put(keys[2])
  for (const key of keys.slice(1)) expect(await store.get('t', `o_m${key}`)).toHaveProperty('bytes', 5)
  await expect(
    createOutputStore(createMemoryBlobs({ maxBytes: 9 }), { now: () => 0 }).put('t', KEY, bytes(5), TEXT),
  ).rejects.toThrow(StoreError)
})

test('a 429 of KV is a write only where the value is there', async () => {
  const kv = createKvDouble(() => 0)
  const store = createOutputStore(createKvBlobs(kv), { now: () => 0 })
  const tooMany = new Error('KV PUT failed: 429 Too Many Requests')
  kv.calls.failAt(1, tooMany)
  await expect(store.put('t', KEY, bytes(5), TEXT)).rejects.toMatchObject({ name: 'StoreError', cause: tooMany })
  await store.put('t', KEY_2, bytes(5), TEXT)
  kv.calls.failAt(1, tooMany)
  expect(await store.put('t', KEY_2, bytes(5), TEXT)).toEqual({ id: `o_k${KEY_2}` })
})

test('tenants keep their outputs for their own time, under a class of its own', async () => {
  let now = 0
  const r2 = createR2Double(() => now)
  const store = createOutputStore(createR2Blobs(r2), {
    now: () => now,
    ttlMs: 7000,
    ttlClass: '7d',
    lifetimes: new Map([['brief', { ttlMs: 1000, ttlClass: '1d' }]]),
  })
  const { id } = await store.put('brief', KEY, bytes(5), TEXT)
  await store.put('usual', KEY, bytes(5), TEXT)
  expect((await r2.list({ prefix: '', limit: 9 })).objects.map(({ key }) => key.slice(0, 9))).toEqual([
    '1d/brief/',
    '7d/usual/',
  ])
  now = 999
  expect(await store.get('brief', id)).toMatchObject({ expiresAt: 1000 })
  now = 1000
  expect(await store.get('brief', id)).toEqual({ missing: 'final' })
  expect(await store.get('usual', id)).toMatchObject({ expiresAt: 7000 })
  const bad = new Map([['x', { ttlMs: 1, ttlClass: '../x' }]])
  expect(() => createOutputStore(createR2Blobs(r2), { now: () => 0, lifetimes: bad })).toThrow(TypeError)
})

test('under another key, or none, a sealed output is a failure, never garbage', async () => {
  const r2 = createR2Double(() => 0)
  const on = (fill: number | null, id = 'k') =>
    createOutputStore(createR2Blobs(r2), {
      now: () => 0,
      sealer: fill === null ? null : createSealer([{ id, bytes: new Uint8Array(32).fill(fill) }]),
    })
  const { id } = await on(1).put('t', KEY, bytes(5), TEXT)
  expect(await on(1).get('t', id)).toHaveProperty('bytes', 5)
  // The same id with other bytes; another id; no key.
  for (const other of [on(2), on(1, 'x'), on(null)]) {
    for (const read of [
      other.get('t', id),
      other.get('t', id, { tail: 1 }),
      other.head('t', id),
      other.stream('t', id),
    ])
      await expect(read).rejects.toThrow(StoreError)
  }
  // And what was slipped in unsealed.
  const { id: open } = await on(null).put('t', KEY_2, bytes(5), TEXT)
  await expect(on(1).get('t', open)).rejects.toThrow(StoreError)
})

test('after a change of sealing keys a put seals anew, though the output is fresh', async () => {
  const r2 = createR2Double(() => now)
  let now = 0
  const key = (id: string) => ({ id, bytes: bytes(32) })
  const on = async (...ids: string[]) =>
    createOutputStore(createR2Blobs(r2), { now: () => now, sealer: await createSealer(ids.map(key)) })
  const before = await on('old')
  const { id } = await before.put('t', KEY, bytes(5), TEXT)
  const after = await on('new', 'old')
  expect(await after.get('t', id)).toHaveProperty('bytes', 5)
  now += 2000
  await after.put('t', KEY, bytes(5), TEXT)
  await after.put('t', KEY, bytes(5), TEXT)
  expect(r2.writes).toBe(2)
  expect(await (await on('new')).get('t', id, { tail: 1 })).toHaveProperty('bytes', 5)
  await expect(before.get('t', id)).rejects.toThrow(StoreError)
})

test('tenants are told apart in keys, whatever their names', () => {
  const names = ['', '_', 'a', 'A', 'a/b', 'a_2fb', '..', '.', 'ä', 'a b', 'a\0', '__proto__']
  const segments = names.map(tenantSegment)
  expect(new Set(segments.map((segment) => segment.toLowerCase())).size).toBe(names.length)
  for (const segment of segments) expect(segment).toMatch(/^[a-z0-9_-]+$/)
  expect(() => tenantSegment('x'.repeat(201))).toThrow(StoreError)
})
