import { describe, expect, test } from 'vitest'
import { createSpillway, type SpillwayPorts } from '../../src/service/index.ts'
import { type OutputStore, StoreError } from '../../src/service/ports.ts'
import { defaultSettings } from '../../src/service/settings.ts'
import type { Blobs } from '../../src/store/blobs.ts'
import { createCachedBlobs } from '../../src/store/cached.ts'
import { outputKey } from '../../src/store/key.ts'
import { createKvBlobs } from '../../src/store/kv.ts'
import { createMemoryBlobs } from '../../src/store/memory.ts'
import { createOutputStore } from '../../src/store/output-store.ts'
import { createR2Blobs } from '../../src/store/r2.ts'
import { createSealer } from '../../src/store/seal.ts'
import { broken } from '../doubles/blobs.ts'
import { shortEngine } from '../doubles/engine.ts'
import { createKvDouble } from '../doubles/kv.ts'
import { createR2Double } from '../doubles/r2.ts'
import { createTimer } from '../doubles/timer.ts'

const DAY = 86_400_000
const SECRET = new TextEncoder().encode('a secret for these tests, long enough')
const caller = { tenant: 'acme', route: '/v1/filter' }
const output = `${Array.from({ length: 40_000 }, (_, i) => `line ${i} ${(i * 7919) % 10_007}`).join('\n')}\n`
const clock = createTimer()

interface World {
  readonly blobs: Blobs
  readonly now?: () => number
  readonly key?: number
  readonly timer?: SpillwayPorts['timer']
}

/** The real service on the real store, on whatever storage. */
function build({ blobs, now = () => 0, key, timer }: World) {
  const sealer = key === undefined ? null : createSealer([{ id: 'k', bytes: new Uint8Array(32).fill(key) }])
  const store: OutputStore = createOutputStore(createCachedBlobs(blobs, { maxBytes: 1e7, now }), { now, sealer })
  const spillway = createSpillway({
    settings: defaultSettings,
    store,
    keyOf: (tenant, content, meta) => outputKey(SECRET, tenant, content, meta),
    engine: shortEngine,
    now,
    ...(timer && { timer }),
  })
  const filter = (text = output) => spillway.filter({ streams: { output: text } }, caller)
  async function recall(id: string): Promise<string> {
    const part = await spillway.recall(id, undefined, caller)
    return 'missing' in part ? `missing: ${part.missing}` : new TextDecoder().decode(part.content)
  }
  return { store, spillway, filter, recall }
}

/** What has to hold of every reply: shortened only if another server, on the storage as it is, reads the whole. */
async function expectNothingLost(reply: Awaited<ReturnType<ReturnType<typeof build>['filter']>>, healthy: World) {
  if (!reply.filtered) return expect(reply).toMatchObject({ streams: { output }, spill: null })
  expect(await build(healthy).recall(reply.spill?.id ?? '')).toBe(output)
}

const unchanged = { filtered: false, reason: 'store-failed', streams: { output }, spill: null }

/** The same storage, whose puts do what they do only in part, or otherwise than they should. */
const failingPut = (blobs: Blobs, put: Blobs['put']): Blobs => ({ ...blobs, put })
const enospc = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })

describe('at a put', () => {
  /** A storage as it is, and the same while it fails. */
  type Row = [name: string, open: () => { healthy: Blobs; failing: Blobs; wait?: () => void }]

  const memory: (fail: (blobs: Blobs) => Blobs) => Row[1] = (fail) => () => {
    const healthy = createMemoryBlobs()
    return { healthy, failing: fail(healthy) }
  }
  const kv = (words: string) => () => {
    let now = 0
    const binding = createKvDouble(() => now)
    binding.calls.failAt(1, new Error(words))
    const blobs = createKvBlobs(binding)
    return {
      healthy: blobs,
      failing: blobs,
      // KV hides a key for a minute that was looked for before it was there.
      wait: () => {
        now += 61_000
      },
    }
  }
  function r2() {
    const binding = createR2Double(() => 0)
    // The first call is the look, the second the write.
    binding.calls.failAt(2, new Error('put: We encountered an internal error. Please try again. (10001)'))
    const blobs = createR2Blobs(binding)
    return { healthy: blobs, failing: blobs }
  }
  const rows: Row[] = [
    ['store down', memory((blobs) => broken(blobs, ['put', 'get', 'head', 'delete', 'list']))],
    ['store that takes looks but no writes', memory((blobs) => broken(blobs, ['put']))],
    ['disk full', memory((blobs) => failingPut(blobs, () => Promise.reject(enospc)))],
    ['memory full', memory(() => createMemoryBlobs({ maxBytes: 1000 }))],
    ['KV 429 for a key that was never written', kv('KV PUT failed: 429 Too Many Requests')],
    ['KV 500', kv('KV PUT failed: 500 Internal Server Error')],
    ['R2 error', r2],
    ['store that does not answer in time', memory((blobs) => failingPut(blobs, clock.hang))],
  ]
  test.each(rows)('%s: the input comes back unshortened', async (_, open) => {
    const { healthy, failing, wait } = open()
    const reply = await build({ blobs: failing, timer: clock.timer }).filter()
    expect(reply.reason).toBe('store-failed')
    expect(reply).toMatchObject(unchanged)
    await expectNothingLost(reply, { blobs: healthy })
    // And when the fault is over, the same request is served.
    const again = await build({ blobs: healthy }).filter()
    expect(again.filtered).toBe(true)
    wait?.()
    await expectNothingLost(again, { blobs: healthy })
  })

  test('KV 429 for a key written a moment ago: the output is there, and the reply shortened', async () => {
    const blobs = createKvBlobs(createKvDouble(() => 0))
    for (const reply of await Promise.all([build({ blobs }).filter(), build({ blobs }).filter()])) {
      expect(reply.filtered).toBe(true)
      await expectNothingLost(reply, { blobs })
    }
  })

  test('a put that is late, and done after all, harms nobody', async () => {
    const blobs = createMemoryBlobs()
    const late = Promise.withResolvers<void>()
    const slow = failingPut(blobs, async (...args) => {
      clock.fire()
      await late.promise
      await blobs.put(...args)
    })
    expect(await build({ blobs: slow, timer: clock.timer }).filter()).toMatchObject(unchanged)
    late.resolve()
    await expectNothingLost(await build({ blobs }).filter(), { blobs })
  })
})

describe('at a get', () => {
  async function stored(world: World) {
    const reply = await build(world).filter()
    return reply.spill?.id ?? ''
  }

  test('store down: a failure and no "missing"; afterwards the output is there', async () => {
    const blobs = createMemoryBlobs()
    const id = await stored({ blobs })
    const { recall, spillway } = build({ blobs: broken(blobs, ['get', 'head']) })
    await expect(recall(id)).rejects.toThrow(StoreError)
    await expect(spillway.search(id, { pattern: 'line' }, caller)).rejects.toThrow(StoreError)
    expect(await build({ blobs }).recall(id)).toBe(output)
  })

  test('store that does not answer in time', async () => {
    const blobs = createMemoryBlobs()
    const id = await stored({ blobs })
    const { recall, spillway } = build({ blobs: { ...blobs, get: clock.hang }, timer: clock.timer })
    await expect(recall(id)).rejects.toThrow('no answer in 10000 ms')
    await expect(spillway.search(id, { pattern: 'line' }, caller)).rejects.toThrow('no answer in 10000 ms')
  })

  test('a store that hangs in the middle of a search', async () => {
    const blobs = createMemoryBlobs()
    const id = await stored({ blobs })
    let reads = 0
    const stuck: Blobs = {
      ...blobs,
      get: (key, range) => {
        reads += 1
        return reads > 2 ? clock.hang() : blobs.get(key, range)
      },
    }
    const { spillway } = build({ blobs: stuck, timer: clock.timer })
    await expect(spillway.search(id, { pattern: 'nowhere' }, caller)).rejects.toThrow('no answer in 10000 ms')
  })

  test('a damaged block is never given back, in no slice and no search, and the next filter mends it', async () => {
    const blobs = createMemoryBlobs()
    const id = await stored({ blobs })
    const key = `7d/acme/${id}`
    const whole = await blobs.get(key)
    if (whole === null) throw new Error('nothing stored')
    const bytes = new Uint8Array(whole.bytes)
    bytes[100] = (bytes[100] ?? 0) ^ 1
    await blobs.put(key, bytes, { ...whole, ttlMs: 0 })
    const { recall, spillway, filter } = build({ blobs })
    await expect(recall(id)).rejects.toThrow(/block 0 is damaged/)
    await expect(spillway.recall(id, { head: 1 }, caller)).rejects.toThrow(StoreError)
    await expect(spillway.search(id, { pattern: 'line 1 ' }, caller)).rejects.toThrow(StoreError)
    // Blocks that are intact still serve.
    expect(await spillway.recall(id, { tail: 1 }, caller)).toHaveProperty('content')
    const reply = await filter()
    expect(reply.spill?.id).toBe(id)
    await expectNothingLost(reply, { blobs })
  })

  test('another key of the same name: a failure; a filter stores anew instead of believing what it can not read', async () => {
    const blobs = createMemoryBlobs()
    const id = await stored({ blobs, key: 1 })
    await expect(build({ blobs, key: 2 }).recall(id)).rejects.toThrow(/does not unseal/)
    const reply = await build({ blobs, key: 2 }).filter()
    expect(reply).toMatchObject({ filtered: true, spill: { id } })
    await expectNothingLost(reply, { blobs, key: 2 })
  })

  test('expired while it is read: what was begun ends whole, what is asked anew is finally missing', async () => {
    let now = 0
    const blobs = createMemoryBlobs({ now: () => now })
    const { store, recall } = build({ blobs, now: () => now })
    const id = await stored({ blobs, now: () => now })
    const stream = await store.stream('acme', id)
    if ('missing' in stream) throw new Error('missing')
    const parts: Uint8Array[] = []
    for await (const part of stream.parts) {
      parts.push(part)
      now = 7 * DAY
    }
    expect(new TextDecoder().decode(Buffer.concat(parts))).toBe(output)
    expect(await recall(id)).toBe('missing: final')
  })

  test('a clock moved forward and back: an output is there or finally missing, never another one', async () => {
    let now = 100 * DAY
    const world = { blobs: createMemoryBlobs({ now: () => now }), now: () => now }
    const id = await stored(world)
    const { recall, filter } = build(world)
    for (const [day, expected] of [
      [107, 'missing: final'],
      [106, output],
      [50, output],
      [120, 'missing: final'],
    ] as const) {
      now = day * DAY
      expect([day, await recall(id)]).toEqual([day, expected])
    }
    for (const day of [120, 90, 130]) {
      now = day * DAY
      const reply = await filter()
      expect(reply.filtered).toBe(true)
      await expectNothingLost(reply, world)
    }
  })

  test('a renewal that fails or hangs takes nothing from the answer', async () => {
    let now = 0
    const blobs = createMemoryBlobs({ now: () => now })
    const id = await stored({ blobs, now: () => now })
    now = 5 * DAY
    for (const put of [() => Promise.reject(enospc), clock.hang]) {
      const { recall } = build({ blobs: failingPut(blobs, put), now: () => now, timer: clock.timer })
      expect(await recall(id)).toBe(output)
    }
    expect(clock.running()).toBe(0)
  })
})
