import type { R2Bucket } from '@cloudflare/workers-types'
import { expect, test } from 'vitest'
import { type OutputStore, StoreError } from '../../src/service/ports.ts'
import { BLOCK_BYTES } from '../../src/store/block-format.ts'
import { createOutputStore } from '../../src/store/output-store.ts'
import { createR2Blobs, type R2Binding } from '../../src/store/r2.ts'
import { createR2Double } from '../doubles/r2.ts'
import { startMiniflare } from '../miniflare.ts'

const KEY = 'ponmlkjihgfedcbaponmlkjihgfedcb'
const TEXT = { kind: 'text' } as const
const LINES = 250_000
/** Footer and trailer of 96 blocks, in the one read of the end. */
const SUFFIX = 2048

/** 25 MB in lines of 100 bytes, digits that gzip halves at best: what is stored of a block is over 100 KB. */
function bigOutput(): Uint8Array {
  const bytes = new Uint8Array(LINES * 100)
  let state = 7
  for (let at = 0; at < bytes.length; at += 1) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    bytes[at] = at % 100 === 99 ? 10 : 48 + ((state >>> 16) % 10)
  }
  return bytes
}

/** The same bucket; the sizes of all bodies read from it. */
function counted(bucket: R2Binding): { binding: R2Binding; reads: number[] } {
  const reads: number[] = []
  const binding: R2Binding = {
    head: (key) => bucket.head(key),
    put: (key, value, options) => bucket.put(key, value, options),
    delete: (key) => bucket.delete(key),
    list: (options) => bucket.list(options),
    async get(key, options) {
      const found = await bucket.get(key, options)
      if (found === null) return null
      const body = await found.arrayBuffer()
      reads.push(body.byteLength)
      return { size: found.size, customMetadata: found.customMetadata ?? {}, arrayBuffer: async () => body }
    },
  }
  return { binding, reads }
}

async function checkReads(store: OutputStore, reads: number[]): Promise<void> {
  const content = bigOutput()
  const { id } = await store.put('t', KEY, content, TEXT)
  const line = (number: number) => content.subarray((number - 1) * 100, number * 100)
  const read = async (slice: Parameters<OutputStore['get']>[2]) => {
    reads.length = 0
    const part = await store.get('t', id, slice)
    if ('missing' in part) throw new Error('missing')
    return { part, bytes: reads.reduce((sum, size) => sum + size, 0), requests: reads.length }
  }

  // A block of digits packs to under half its size, so these bounds hold for blocks as they are stored.
  const tail = await read({ tail: 50 })
  expect(Buffer.compare(tail.part.content, content.subarray(-5000))).toBe(0)
  expect(tail.part).toMatchObject({ lines: LINES, bytes: content.length, offset: content.length - 5000 })
  expect(tail.bytes).toBeLessThanOrEqual(2 * (BLOCK_BYTES / 2) + SUFFIX)
  expect(tail.requests).toBe(2)

  const head = await read({ head: 1 })
  expect(Buffer.compare(head.part.content, line(1))).toBe(0)
  expect(head.bytes).toBeLessThanOrEqual(BLOCK_BYTES / 2 + SUFFIX)

  const middle = await read({ lines: [125_000, 125_001] })
  expect(Buffer.compare(middle.part.content, content.subarray(12_499_900, 12_500_100))).toBe(0)
  expect(middle.bytes).toBeLessThanOrEqual(2 * (BLOCK_BYTES / 2) + SUFFIX)

  const range = await read({ bytes: [BLOCK_BYTES - 1, BLOCK_BYTES] })
  expect(Buffer.compare(range.part.content, content.subarray(BLOCK_BYTES - 1, BLOCK_BYTES + 1))).toBe(0)
  expect(range.bytes).toBeLessThanOrEqual(2 * (BLOCK_BYTES / 2) + SUFFIX)

  expect((await read({ lines: [LINES + 1, LINES + 9] })).bytes).toBe(SUFFIX)
  reads.length = 0
  expect(await store.head('t', id)).toMatchObject({ bytes: content.length, lines: LINES })
  expect(reads).toEqual([SUFFIX])

  const whole = await read(undefined)
  expect(Buffer.compare(whole.part.content, content)).toBe(0)
  expect(whole.requests).toBe(1)
}

test('slices of 25 MB read the blocks that they need and the trailer, on R2 with its published limits', async () => {
  const { binding, reads } = counted(createR2Double(() => 0))
  await checkReads(createOutputStore(createR2Blobs(binding), { now: () => 0 }), reads)
})

test('slices of 25 MB read the blocks that they need and the trailer, on R2 in workerd', async () => {
  const { bindings, dispose } = await startMiniflare<{ OUTPUTS: R2Bucket }>({ bindings: { OUTPUTS: { type: 'r2' } } })
  try {
    const { binding, reads } = counted(bindings.OUTPUTS)
    await checkReads(createOutputStore(createR2Blobs(binding), { now: () => 0 }), reads)
  } finally {
    await dispose()
  }
})

test('a trailer longer than the first read is read by a second', async () => {
  const { binding, reads } = counted(createR2Double(() => 0))
  const store = createOutputStore(createR2Blobs(binding), { now: () => 0, blockBytes: 64 })
  const content = bigOutput().subarray(0, 50_000)
  const { id } = await store.put('t', KEY, content, TEXT)
  const part = await store.get('t', id, { lines: [250, 250] })
  expect(part).toMatchObject({ offset: 24_900, content: content.subarray(24_900, 25_000) })
  expect(reads).toHaveLength(3)
})

test('a put of what is fresh writes nothing; a refused write of what is not there is an error', async () => {
  let now = 0
  const bucket = createR2Double(() => now)
  const store = createOutputStore(createR2Blobs(bucket), { now: () => now })
  const content = bigOutput().subarray(0, 1000)
  const { id } = await store.put('t', KEY, content, TEXT)
  now += 5000
  await store.put('t', KEY, content, TEXT)
  expect(bucket.writes).toBe(1)

  await store.delete('t', id)
  bucket.calls.failAt(2, new Error('put: Reduce your concurrent request rate for the same object. (10058)'))
  await expect(store.put('t', KEY, content, TEXT)).rejects.toThrow(StoreError)
  bucket.calls.failAt(2)
  await expect(store.put('t', KEY, content, TEXT)).rejects.toThrow(StoreError)
  await store.put('t', KEY, content, TEXT)
  expect(await store.head('t', id)).toHaveProperty('bytes', 1000)
})

test('a body replaced between two reads is read anew', async () => {
  let now = 0
  const bucket = createR2Double(() => now)
  const content = bigOutput().subarray(0, 20_000)
  const write = (blockBytes: number) => createOutputStore(createR2Blobs(bucket), { now: () => now, blockBytes })
  const { id } = await write(1000).put('t', KEY, content, TEXT)
  let replaced = false
  const racing: R2Binding = {
    ...bucket,
    async get(key, options) {
      const found = await bucket.get(key, options)
      if (!replaced) {
        replaced = true
        now += 6 * 24 * 60 * 60 * 1000
        await write(3000).put('t', KEY, content, TEXT)
      }
      return found
    },
  }
  const store = createOutputStore(createR2Blobs(racing), { now: () => now })
  expect(await store.get('t', id, { head: 2 })).toMatchObject({ content: content.subarray(0, 200) })
  expect(bucket.writes).toBe(2)
})
