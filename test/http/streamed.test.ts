import { expect, it } from 'vitest'
import { createApp } from '../../src/http/app.ts'
import { createSpillway } from '../../src/service/index.ts'
import { defaultSettings } from '../../src/service/settings.ts'
import type { Blobs } from '../../src/store/blobs.ts'
import { outputKey } from '../../src/store/key.ts'
import { createMemoryBlobs } from '../../src/store/memory.ts'
import { createOutputStore } from '../../src/store/output-store.ts'
import { createSink } from '../doubles/telemetry.ts'
import { bytesOf, problemOf, utf8 } from './ask.ts'

const SECRET = utf8('a secret for these tests, long enough')
const DAY = 24 * 60 * 60 * 1000
const ROWS = Array.from({ length: 120_000 }, (_, i) => `${(i * 2_654_435_761) % 1e9} line number ${i}\n`)
const CONTENT = utf8(ROWS.join(''))

/** An app on a real store with one output of some megabytes, and a storage that can be made to fail. */
async function setUpLarge() {
  const clock = { now: Date.UTC(2030, 0, 1) }
  const state = { reads: 0, failFrom: Number.POSITIVE_INFINITY }
  const memory = createMemoryBlobs({ now: () => clock.now })
  const blobs: Blobs = {
    ...memory,
    async get(key, range) {
      state.reads += 1
      if (state.reads >= state.failFrom) throw new Error('the storage is down; this is a test')
      return memory.get(key, range)
    },
  }
  const store = createOutputStore(blobs, { now: () => clock.now })
  const telemetry = createSink()
  const spillway = createSpillway({
    settings: defaultSettings,
    store,
    telemetry,
    keyOf: (tenant, content, meta) => outputKey(SECRET, tenant, content, meta),
    now: () => clock.now,
  })
  const errors: [unknown, string][] = []
  const onError = (error: unknown, requestId: string) => void errors.push([error, requestId])
  const app = createApp(spillway, { version: '0.0.0', keys: [], maxBody: 1000, onError })
  const key = await outputKey(SECRET, 'default', CONTENT, { kind: 'text' })
  const { id } = await store.put('default', key, CONTENT, { kind: 'text' })
  const read = async (query = '', headers: Record<string, string> = {}, method = 'GET') =>
    app.request(`/v1/outputs/${id}${query}`, { method, headers })
  return { clock, state, telemetry, errors, id, read }
}

it('a large output is given byte for byte, with its length told first', async () => {
  const { read, id, telemetry } = await setUpLarge()
  const response = await read()
  expect(response.headers.get('content-length')).toBe(String(CONTENT.length))
  expect(response.headers.get('etag')).toBe(`"${id}"`)
  expect(Buffer.from(await bytesOf(response)).equals(CONTENT)).toBe(true)
  expect(telemetry.events).toMatchObject([{ operation: 'recall', outcome: 'ok', bytes: CONTENT.length }])
  const head = await read('', {}, 'HEAD')
  expect([head.headers.get('content-length'), await head.text()]).toEqual([String(CONTENT.length), ''])
  expect((await read('', { 'if-none-match': `"${id}"` })).status).toBe(304)
})

it('a large part is given byte for byte', async () => {
  const { read } = await setUpLarge()
  const to = CONTENT.length - 2
  const range = await read('', { range: `bytes=1-${to}` })
  expect([range.status, range.headers.get('content-range')]).toEqual([206, `bytes 1-${to}/${CONTENT.length}`])
  expect(range.headers.get('content-length')).toBe(String(to))
  expect(Buffer.from(await bytesOf(range)).equals(CONTENT.subarray(1, -1))).toBe(true)
  expect(await (await read('?lines=2-')).text()).toBe(ROWS.slice(1).join(''))
  const numbered = ROWS.map((row, i) => `${i + 1}:${row}`)
  expect(await (await read('?lines=2-119999&numbers=true')).text()).toBe(numbered.slice(1, -1).join(''))
})

it('a large output is read no faster than it is taken, and no further', async () => {
  const { read, state, telemetry } = await setUpLarge()
  const response = await read()
  const reads = state.reads
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(state.reads).toBe(reads)
  expect(telemetry.events).toEqual([])
  await response.body?.cancel()
  expect(state.reads).toBe(reads)
  expect(telemetry.events).toMatchObject([{ outcome: 'ok', lines: ROWS.length }])
  expect(telemetry.events[0]?.bytes).toBeLessThan(CONTENT.length / 2)
})

it('a store that fails before the first byte is a problem', async () => {
  const { read, state, errors, telemetry } = await setUpLarge()
  for (const after of [0, 1]) {
    state.failFrom = state.reads + 1 + after
    const response = await read('', { 'request-id': 'r-1' })
    expect(await problemOf(response)).toMatchObject({ status: 503 })
  }
  expect(errors.map(([, requestId]) => requestId)).toEqual(['r-1', 'r-1'])
  expect(telemetry.events.map(({ outcome }) => outcome)).toEqual(['store-failed', 'store-failed'])
})

it('a store that fails later on breaks the answer off, and its operator hears of it', async () => {
  const { read, state, errors, telemetry } = await setUpLarge()
  const response = await read('', { 'request-id': 'r-2' })
  expect(response.status).toBe(200)
  state.failFrom = state.reads + 1
  await expect(response.arrayBuffer()).rejects.toThrow('the storage is down')
  expect(errors).toMatchObject([[{ name: 'StoreError' }, 'r-2']])
  expect(telemetry.events).toMatchObject([{ outcome: 'store-failed' }])
})

it('a large output that is used begins its life anew', async () => {
  const { read, clock } = await setUpLarge()
  clock.now += 5 * DAY
  expect((await bytesOf(await read())).length).toBe(CONTENT.length)
  clock.now += 6 * DAY
  expect((await read('', {}, 'HEAD')).status).toBe(200)
})
