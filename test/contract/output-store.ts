import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OutputMeta, type OutputStore, type Slice, StoreError } from '../../src/service/ports.ts'
import type { Blobs } from '../../src/store/blobs.ts'
import { createCachedBlobs } from '../../src/store/cached.ts'
import { outputKey } from '../../src/store/key.ts'
import { createOutputStore } from '../../src/store/output-store.ts'
import type { Sealer } from '../../src/store/seal.ts'
import { broken } from '../doubles/blobs.ts'
import { contents, noise, slices } from './arbitrary-outputs.ts'
import { damageCases } from './damage-cases.ts'
import { lifeCases, streamed } from './life-cases.ts'
import { plainLines, plainSlice } from './plain-slices.ts'
import { sessionCases } from './session-cases.ts'

/** A clock that a test moves by hand. */
export interface Clock {
  ms: number
}

export interface OpenedBlobs {
  readonly blobs: Blobs
  /** A storage for what is larger than SMALL bytes; without it `blobs` takes everything. */
  readonly large?: Blobs
  close?(): Promise<void>
}

/** How the store is put together on a storage. */
export interface Variant {
  readonly sealer?: Sealer
  /** Bytes of a cache before the storage. */
  readonly cacheBytes?: number
}

/** Bytes up to which the first of two tiers takes an output. */
const SMALL = 1000

/** What the cases share. */
export interface Bench {
  readonly clock: Clock
  readonly opened: () => OpenedBlobs
  readonly store: () => OutputStore
  storeOn(blobs: Blobs, blockBytes?: number): OutputStore
  put(tenant: string, content: Uint8Array, meta?: OutputMeta, on?: OutputStore): Promise<string>
  read(
    tenant: string,
    id: string,
    slice?: Slice,
    on?: OutputStore,
  ): Promise<{ readonly content: number[]; readonly offset: number }>
}

const TEXT: OutputMeta = { kind: 'text' }
const SECRET = new TextEncoder().encode('a secret that is no secret')
export const TTL = 1_000_000
const KIB = 1024

export const utf8 = (text: string) => new TextEncoder().encode(text)
const keyOf = (tenant: string, content: Uint8Array, meta = TEXT) => outputKey(SECRET, tenant, content, meta)

/** Runs the cases that every storage has to pass as an output store. Each case keeps to a tenant of its own. */
export function outputStoreContract(
  name: string,
  open: (clock: Clock) => Promise<OpenedBlobs>,
  variant: Variant = {},
): void {
  describe(`output store on ${name}`, () => {
    const clock: Clock = { ms: 1_800_000_000_000 }
    let opened: OpenedBlobs
    let store: OutputStore

    beforeAll(async () => {
      opened = await open(clock)
      store = storeOn(opened.blobs)
    })
    afterAll(() => opened.close?.())

    const now = () => clock.ms
    const cached = (blobs: Blobs) =>
      variant.cacheBytes ? createCachedBlobs(blobs, { maxBytes: variant.cacheBytes, now }) : blobs
    function storeOn(blobs: Blobs, blockBytes?: number): OutputStore {
      const { large } = opened
      const tiers = large ? [{ blobs: cached(blobs), maxBytes: SMALL }, { blobs: cached(large) }] : cached(blobs)
      return createOutputStore(tiers, {
        ttlMs: TTL,
        page: 20,
        now,
        sealer: variant.sealer ?? null,
        ...(blockBytes ? { blockBytes } : {}),
      })
    }

    async function put(tenant: string, content: Uint8Array, meta = TEXT, on = store): Promise<string> {
      const { id } = await on.put(tenant, await keyOf(tenant, content, meta), content, meta)
      return id
    }

    async function read(tenant: string, id: string, slice?: Slice, on = store) {
      const part = await on.get(tenant, id, slice)
      if ('missing' in part) throw new Error(`${id} is missing`)
      return { content: [...part.content], offset: part.offset }
    }

    const bench: Bench = { clock, opened: () => opened, store: () => store, storeOn, put, read }
    sessionCases(bench)
    lifeCases(bench)
    damageCases(bench)

    test.each([
      ['nothing', new Uint8Array(0)],
      ['one byte', utf8('x')],
      ['one LF', utf8('\n')],
      ['invalid UTF-8', Uint8Array.of(0xff, 0xfe, 0xc3, 0x28, 0xed, 0xa0, 0x80)],
      ['NUL and a BOM', Uint8Array.of(0xef, 0xbb, 0xbf, 0, 0, 10, 0)],
      ['a byte less than a block', noise(256 * KIB - 1)],
      ['a block', noise(256 * KIB)],
      ['a byte more than a block', noise(256 * KIB + 1)],
      ['3 MB', noise(3_000_000)],
    ])('gives back %s byte for byte', async (what, content) => {
      const tenant = `round ${what}`
      const id = await put(tenant, content)
      const part = await store.get(tenant, id)
      if ('missing' in part) throw new Error('missing')
      expect(Buffer.compare(part.content, content)).toBe(0)
      const lines = plainLines(content).length
      const described = { id, kind: 'text', bytes: content.length, lines, expiresAt: clock.ms + TTL }
      expect({ ...part, content: null }).toEqual({ ...described, content: null, offset: 0 })
      expect(await store.head(tenant, id)).toEqual(described)
    })

    test('keeps kind and length of stdout', async () => {
      const meta: OutputMeta = { kind: 'json', stdoutBytes: 0 }
      const id = await put('meta', utf8('{"a":1}'), meta)
      expect(await store.head('meta', id)).toMatchObject(meta)
      expect(await store.get('meta', id, { head: 1 })).toMatchObject(meta)
      expect(await store.head('meta', await put('meta', utf8('{"a":1}')))).not.toHaveProperty('stdoutBytes')
    })

    test('a second put of one output has the same id, known without asking the storage', async () => {
      const content = utf8('once and again\n')
      const id = await put('same', content)
      expect(await put('same', content)).toBe(id)
      expect(store.idOf(await keyOf('same', content), content.length)).toBe(id)
      expect(id).toMatch(/^o_[a-z][a-p]{31}$/)
      expect((await read('same', id)).content).toEqual([...content])
    })

    test("another tenant's output is missing, also under names that look alike in a path", async () => {
      const id = await put('a/b', utf8('for a/b alone'))
      for (const other of ['a', 'A/B', 'a_b', 'a_2fb', '../a/b', 'a//b', 'a/b/', '', '__proto__'])
        expect(await store.get(other, id)).toHaveProperty('missing')
      expect(await read('a/b', id)).toMatchObject({ offset: 0 })
      expect(await store.delete('a', id)).toBe(false)
    })

    test('an unknown id is missing, as finally as the storage knows', async () => {
      const id = `o_${opened.blobs.tier}${'p'.repeat(31)}`
      expect(await store.get('unknown', id)).toEqual({ missing: opened.blobs.misses })
      expect(await store.head('unknown', id)).toEqual({ missing: opened.blobs.misses })
      expect(await store.get('unknown', id, { tail: 3 })).toEqual({ missing: opened.blobs.misses })
      expect(await store.delete('unknown', id)).toBe(false)
    })

    test('what is no id is missing, finally, and reaches no storage', async () => {
      const untouched = storeOn(broken(opened.blobs, ['get', 'head', 'delete', 'put']))
      const letters = 'a'.repeat(31)
      const tier = opened.blobs.tier
      const bad = [
        '',
        '.',
        '..',
        '../../etc/passwd',
        '__proto__',
        'constructor',
        'toString',
        `o_${tier}${'q'.repeat(31)}`,
      ]
      bad.push(`o_${tier}${letters}a`, `o_${tier}${letters}\n`, ` o_${tier}${letters}`, `o_${tier}${'a'.repeat(9999)}`)
      bad.push(`O_${tier}${letters}`, `o_${tier}${letters.slice(3)}/..`, `o_z${letters}`, `o_${tier}${letters}\0`)
      for (const id of bad) {
        expect(await untouched.get('bad', id)).toEqual({ missing: 'final' })
        expect(await untouched.head('bad', id)).toEqual({ missing: 'final' })
        expect(await untouched.delete('bad', id)).toBe(false)
      }
    })

    test('a bad key is refused', async () => {
      for (const key of ['', 'short', `../${'a'.repeat(28)}`, 'A'.repeat(31)])
        await expect(store.put('bad', key, utf8('x'), TEXT)).rejects.toThrow(StoreError)
    })

    test('what is deleted is gone', async () => {
      const id = await put('delete', utf8('soon gone'))
      expect(await store.delete('delete', id)).toBe(true)
      expect(await store.get('delete', id)).toEqual({ missing: opened.blobs.misses })
      expect(await store.delete('delete', id)).toBe(false)
    })

    test('expiry is exact', async () => {
      const id = await put('expiry', utf8('for a while'))
      clock.ms += TTL - 1
      expect(await store.get('expiry', id)).toHaveProperty('content')
      clock.ms += 1
      for (const found of [await store.get('expiry', id), await store.head('expiry', id)])
        expect(found).toHaveProperty('missing')
      expect(await store.delete('expiry', id)).toBe(false)
    })

    test('a put renews what has half its life left or less', async () => {
      const content = utf8('kept in use')
      const fresh = await put('fresh', content)
      const stale = await put('stale', content)
      const first = clock.ms
      clock.ms += TTL / 2 - 1
      await put('fresh', content)
      // Without a look at what is there, as on KV, every put renews.
      const looked = opened.blobs.misses === 'final'
      expect(await store.head('fresh', fresh)).toMatchObject({ expiresAt: (looked ? first : clock.ms) + TTL })
      clock.ms += 1
      await put('stale', content)
      expect(await store.head('stale', stale)).toMatchObject({ expiresAt: clock.ms + TTL })
      clock.ms += TTL - 1
      expect((await read('stale', stale)).content).toEqual([...content])
    })

    test('a put after expiry brings an output back', async () => {
      const content = utf8('forgotten and found')
      const id = await put('revival', content)
      clock.ms += TTL + 1
      await put('revival', content)
      expect((await read('revival', id)).content).toEqual([...content])
    })

    test('concurrent puts of one output all succeed', async () => {
      const content = noise(300 * KIB)
      const ids = await Promise.all(Array.from({ length: 8 }, () => put('race', content)))
      expect(new Set(ids).size).toBe(1)
      const part = await store.get('race', ids[0] ?? '')
      expect('missing' in part ? null : Buffer.compare(part.content, content)).toBe(0)
    })

    test('every slice is what a plain reading of the whole output gives', async () => {
      const cases = fc.record({
        bytes: contents,
        blockBytes: fc.integer({ min: 1, max: 64 }),
        some: fc.array(slices, { minLength: 5, maxLength: 10 }),
      })
      let run = 0
      await fc.assert(
        fc.asyncProperty(cases, async ({ bytes, blockBytes, some }) => {
          run += 1
          const tenant = `slices ${run}`
          const whole = Uint8Array.from(bytes)
          const small = storeOn(opened.blobs, blockBytes)
          const id = await put(tenant, whole, TEXT, small)
          expect(await small.head(tenant, id)).toMatchObject({ lines: plainLines(whole).length })
          for (const slice of some) {
            expect(await read(tenant, id, slice, small)).toEqual(plainSlice(whole, slice))
            expect(await streamed(small, tenant, id, slice)).toEqual(plainSlice(whole, slice).content)
          }
        }),
        { numRuns: 15 },
      )
    })

    test('slices at the edges of an output with and without a last LF', async () => {
      for (const text of ['', '\n', 'a', 'a\n', 'a\nb', 'a\nb\n', '\n\n', `${'long '.repeat(99)}\nend`]) {
        const whole = utf8(text)
        const small = storeOn(opened.blobs, 4)
        const id = await put(`edges ${text.length}${text.endsWith('\n')}`, whole, TEXT, small)
        const edges: (Slice | undefined)[] = [
          undefined,
          { head: 0 },
          { tail: 0 },
          { tail: 1 },
          { tail: 99 },
          { head: 99 },
        ]
        edges.push({ lines: [1, 1] }, { lines: [2, 2] }, { lines: [3, 2] }, { lines: [98, 99] }, { lines: [0, 1] })
        edges.push({ bytes: [0, 0] }, { bytes: [3, 4] }, { bytes: [9999, 9999] }, { bytes: [2, 1] }, { lastBytes: 0 })
        for (const slice of edges) {
          const got = await read(`edges ${text.length}${text.endsWith('\n')}`, id, slice, small)
          expect({ slice, ...got }).toEqual({ slice, ...plainSlice(whole, slice) })
        }
      }
    })
  })
}
