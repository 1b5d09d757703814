import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createGate } from '../../src/http/body.ts'
import { createTimer } from '../doubles/timer.ts'
import { bytesOf, problemOf, setUp, utf8 } from './ask.ts'

const GZIP = { 'content-encoding': 'gzip' }
const packed = (bytes: Uint8Array | string) => new Uint8Array(gzipSync(bytes))

/** A request whose body comes in parts, and never ends unless told so. */
function streamed(parts: readonly Uint8Array[], headers: Record<string, string>, ends = true) {
  const state = { cancelled: false, pulled: 0 }
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const part = parts[state.pulled]
        state.pulled += 1
        if (part) controller.enqueue(part)
        else if (ends) controller.close()
        else return new Promise(() => {})
      },
      cancel() {
        state.cancelled = true
      },
    },
    { highWaterMark: 0 },
  )
  const init = { method: 'POST', body, headers: { 'content-type': 'text/plain', ...headers }, duplex: 'half' }
  return { state, request: new Request('http://localhost/v1/filter', init as RequestInit) }
}

describe('a gzip body', () => {
  it('is taken for the bytes that were packed, in parts of any size', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.integer({ min: 1, max: 50 }), async (bytes, size) => {
        const { app, spillway } = setUp()
        const whole = packed(bytes)
        const parts = Array.from({ length: Math.ceil(whole.length / size) }, (_, i) =>
          whole.slice(i * size, (i + 1) * size),
        )
        const response = await app.fetch(streamed(parts, GZIP).request)
        expect(response.status).toBe(200)
        const [asked] = spillway.filtered
        const text = asked && 'output' in asked.streams ? asked.streams.output : ''
        expect(asked?.raw ?? utf8(text)).toEqual(bytes)
      }),
      { numRuns: 40 },
    )
  })

  it('is JSON as well, under either name', async () => {
    const { post } = setUp()
    for (const name of ['gzip', 'X-GZIP']) {
      const response = await post('/v1/tokens', packed('{"text":"abc"}'), 'application/json', {
        'content-encoding': name,
      })
      expect(await response.json()).toEqual({ tokens: 3 })
    }
  })

  it.each([
    ['cut off', packed('x'.repeat(5000)).slice(0, -4)],
    ['none', utf8('plain text')],
    ['empty', new Uint8Array()],
    ['followed by more', new Uint8Array([...packed('x'), 1, 2, 3])],
    ['damaged', packed('some text of some length').map((byte, index) => (index === 14 ? byte ^ 0xff : byte))],
  ])('that is %s is a fault of the client', async (_, body) => {
    const { post, spillway } = setUp()
    const response = await post('/v1/filter', body, 'text/plain', GZIP)
    expect((await problemOf(response)).status).toBe(400)
    expect(spillway.filtered).toEqual([])
  })

  it('that unpacks to more than a body may have is refused before it is unpacked', async () => {
    const entered: number[] = []
    const gate = { enter: (bytes: number) => entered.push(bytes) > 0, leave: () => {} }
    const { app } = setUp({ maxBody: 100_000, gate })
    const bomb = packed(new Uint8Array(50_000_000))
    const response = await app.fetch(streamed([bomb], GZIP).request)
    expect((await problemOf(response)).status).toBe(413)
    expect(entered.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThanOrEqual(100_000)
  })

  it('that unpacks to hundreds of times its size is refused even where it would fit', async () => {
    const held: number[] = []
    const gate = { enter: (bytes: number) => held.push(bytes) > 0, leave: () => {} }
    const { app } = setUp({ maxBody: 1_000_000_000, gate })
    const response = await app.fetch(streamed([packed(new Uint8Array(100_000_000))], GZIP).request)
    expect(await problemOf(response)).toMatchObject({ status: 413, detail: expect.stringContaining('250 times') })
    expect(held.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(30_000_000)
  })

  it('of the same line over and over is fine up to a mebibyte', async () => {
    const { post, spillway } = setUp({ maxBody: 2_000_000 })
    const text = 'copying the same file again and again\n'.repeat(26_000)
    expect(text.length / packed(text).length).toBeGreaterThan(250)
    expect((await post('/v1/filter', packed(text), 'text/plain', GZIP)).status).toBe(200)
    expect(spillway.filtered).toHaveLength(1)
  })

  it('frees what it held of the gate, however it ends', async () => {
    const held = { bytes: 0 }
    const gate = {
      enter(bytes: number) {
        held.bytes += bytes
        return true
      },
      leave(bytes: number) {
        held.bytes -= bytes
      },
    }
    for (const body of [packed('x'.repeat(50_000)), packed('x'.repeat(5_000_000)), packed('abc').slice(0, 12)]) {
      const { app } = setUp({ gate })
      await app.fetch(streamed([body], GZIP).request)
      expect(held.bytes).toBe(0)
    }
  })

  it.each(['br', 'deflate', 'gzip, gzip', 'zstd'])(
    'of the encoding %s is none, and the answer says which are',
    async (encoding) => {
      const { post } = setUp()
      const response = await post('/v1/filter', 'x', 'text/plain', { 'content-encoding': encoding })
      expect([response.status, response.headers.get('accept-encoding')]).toEqual([415, 'gzip, identity'])
    },
  )
})

describe('a slow body', () => {
  it.each([
    ['of a declared length', { 'content-length': '60' }],
    ['in chunks', {}],
    ['packed', GZIP],
  ])('%s is given up in time, and frees the gate', async (_, headers) => {
    const { timer, fire, running } = createTimer()
    const asked: number[] = []
    const noting: typeof timer = (ms, late) => {
      asked.push(ms)
      return timer(ms, late)
    }
    const gate = createGate(60)
    const { app, post } = setUp({ gate, timer: noting, limits: { maxMessages: 10, bodyTimeoutMs: 30_000 } })
    const slow = app.fetch(streamed([utf8('a')], headers, false).request)
    await expect.poll(running).toBe(1)
    expect(asked).toEqual([30_000])
    fire()
    const response = await slow
    expect(await problemOf(response)).toMatchObject({ status: 408, detail: expect.stringContaining('30 seconds') })
    expect(response.headers.get('connection')).toBe('close')
    const next = await post('/v1/filter', 'x'.repeat(60), 'text/plain', { 'content-length': '60' })
    expect(next.status).toBe(200)
    expect(running()).toBe(0)
  })

  it('in chunks is told to stop', async () => {
    const { timer, fire } = createTimer()
    const { app } = setUp({ timer })
    const { request, state } = streamed([utf8('a')], {}, false)
    const slow = app.fetch(request)
    await expect.poll(() => state.pulled).toBe(2)
    fire()
    expect((await slow).status).toBe(408)
    await expect.poll(() => state.cancelled).toBe(true)
  })
})

it('bytes that were announced and have not come lock nobody out', async () => {
  const { timer, fire, running } = createTimer()
  const gate = createGate(2_000_000)
  const { app, post } = setUp({ gate, timer, maxBody: 1_000_000 })
  const idle = [1, 2].map(() => app.fetch(streamed([utf8('abc')], { 'content-length': '1000000' }, false).request))
  await expect.poll(running).toBe(2)
  const body = 'x'.repeat(900_000)
  const others = await post('/v1/filter', body, 'text/plain', { 'content-length': '900000' })
  expect(others.status).toBe(200)
  // What has come counts: a body that does not fit beside it is refused.
  const full = streamed([new Uint8Array(999_000)], { 'content-length': '1000000' }, false)
  const holding = [app.fetch(full.request), app.fetch(streamed([new Uint8Array(999_000)], {}, false).request)]
  await expect.poll(() => full.state.pulled).toBe(2)
  expect((await post('/v1/filter', body, 'text/plain', { 'content-length': '900000' })).status).toBe(503)
  fire()
  for (const each of await Promise.all([...idle, ...holding])) expect(each.status).toBe(408)
})

describe('the number of messages', () => {
  it.each(['/v1/mask', '/v1/tokens'])('is bounded at %s', async (path) => {
    const { postJson } = setUp({ limits: { maxMessages: 3, bodyTimeoutMs: 1000 } })
    expect((await postJson(path, { messages: [1, 2, 3] })).status).toBe(200)
    const response = await postJson(path, { input: [1, 2, 3, 4] })
    expect(await problemOf(response)).toMatchObject({ status: 413, errors: [{ pointer: '/input' }] })
  })
})

it('bytes that are no UTF-8 pass through gzip as they are', async () => {
  const { post } = setUp()
  const bytes = new Uint8Array([0xff, 0, 0xc3])
  expect(await bytesOf(await post('/v1/filter', packed(bytes), 'text/plain', GZIP))).toEqual(bytes)
})
