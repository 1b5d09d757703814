import { describe, expect, it } from 'vitest'
import { createApp } from '../../src/http/app.ts'
import type { ApiKey } from '../../src/http/auth.ts'
import { createSpillway } from '../../src/service/index.ts'
import type { OutputStore } from '../../src/service/ports.ts'
import { defaultSettings, type Settings } from '../../src/service/settings.ts'
import { outputKey } from '../../src/store/key.ts'
import { createMemoryBlobs } from '../../src/store/memory.ts'
import { createOutputStore } from '../../src/store/output-store.ts'
import { GO_TEST, longHistory } from '../runtime/suite.ts'
import { bytesOf, filterAnswerOf, problemOf, utf8 } from './ask.ts'

const DAY = 24 * 60 * 60 * 1000
const SECRET = utf8('a secret for these tests, long enough')

/** The real service on a store in memory, with a clock that the test moves. */
function setUpReal({ settings = defaultSettings, keys = [] }: { settings?: Settings; keys?: readonly ApiKey[] } = {}) {
  const clock = { now: Date.UTC(2030, 0, 1) }
  const real = createOutputStore(createMemoryBlobs({ now: () => clock.now }), { now: () => clock.now })
  const broken = { put: false }
  const store: OutputStore = {
    ...real,
    put: (...args) => (broken.put ? Promise.reject(new Error('disk full')) : real.put(...args)),
  }
  const spillway = createSpillway({
    settings,
    store,
    keyOf: (tenant, content, meta) => outputKey(SECRET, tenant, content, meta),
    now: () => clock.now,
  })
  const app = createApp(spillway, { version: '0.0.0', keys, maxBody: 4_000_000 })
  const ask = async (path: string, init: RequestInit = {}) => app.request(path, init)
  const filter = (text: BodyInit, query = '?command=go%20test%20-v') =>
    ask(`/v1/filter${query}`, { method: 'POST', body: text, headers: { 'content-type': 'text/plain' } })
  const postJson = (path: string, value: unknown) =>
    ask(path, { method: 'POST', body: JSON.stringify(value), headers: { 'content-type': 'application/json' } })
  return { ask, filter, postJson, clock, broken }
}

describe('stored outputs, behind HTTP', () => {
  it('expire after seven days, finally', async () => {
    const { ask, filter, clock } = setUpReal()
    const path = `/v1/outputs/${(await filter(GO_TEST)).headers.get('spillway-output-id')}`
    clock.now += 7 * DAY - 1
    expect((await ask(path, { method: 'HEAD' })).status).toBe(200)
    clock.now += 1
    for (const method of ['GET', 'HEAD', 'DELETE']) expect((await ask(path, { method })).status).toBe(404)
    const response = await ask(path)
    expect(response.headers.has('retry-after')).toBe(false)
    expect((await problemOf(response)).detail).toContain('final')
  })

  it('say until when they are kept', async () => {
    const { ask, filter } = setUpReal()
    const path = `/v1/outputs/${(await filter(GO_TEST)).headers.get('spillway-output-id')}`
    expect((await ask(path)).headers.get('spillway-expires')).toBe('Tue, 08 Jan 2030 00:00:00 GMT')
  })

  it('hold standard output and standard error, with where the second begins', async () => {
    const { ask, postJson } = setUpReal()
    const response = await postJson('/v1/filter', { stdout: GO_TEST, stderr: 'exit status 1\n', command: 'go test -v' })
    const answer = await filterAnswerOf(response)
    expect(answer.filtered).toBe(true)
    const stored = await ask(answer.spill?.url ?? '/none')
    expect(stored.headers.get('spillway-stdout-bytes')).toBe(String(utf8(GO_TEST).length))
    expect(await stored.text()).toBe(`${GO_TEST}exit status 1\n`)
  })

  it('that can not be stored come back unshortened, as the bytes received', async () => {
    const { filter, postJson, broken } = setUpReal()
    broken.put = true
    const bytes = new Uint8Array([...utf8(GO_TEST), 0xff, 0x0a])
    const response = await filter(bytes)
    expect(response.status).toBe(200)
    expect(response.headers.get('spillway-filtered')).toBe('false')
    expect(response.headers.get('spillway-reason')).toBe('store-failed')
    expect(await bytesOf(response)).toEqual(bytes)
    const messages = longHistory()
    const masked = await postJson('/v1/mask', { messages })
    expect(masked.status).toBe(200)
    expect(await masked.json()).toMatchObject({ messages, report: { maskedNow: 0 } })
  })
})

describe('sessions, behind HTTP', () => {
  const TWICE = `${GO_TEST}${GO_TEST}`

  it('are deleted with all that was filtered and masked for them, and with nothing else', async () => {
    const { ask, postJson } = setUpReal()
    const store = async (output: string, session?: string) => {
      const answer = await filterAnswerOf(await postJson('/v1/filter', { output, command: 'go test -v', session }))
      return answer.spill?.url ?? '/none'
    }
    const [mine, shared, free] = [await store(GO_TEST, 'a'), await store(TWICE, 'a'), await store(GO_TEST)]
    expect(await store(TWICE, 'b')).toBe(shared)
    const masked = await (await postJson('/v1/mask', { messages: longHistory(), session: 'a' })).text()
    const stubs = [...new Set(masked.match(/o_[a-z][a-p]{31}/g))].map((id) => `/v1/outputs/${id}`)
    expect(stubs.length).toBeGreaterThan(0)
    for (const url of [mine, shared, free, ...stubs]) expect((await ask(url)).status).toBe(200)

    const answer: unknown = await (await ask('/v1/sessions/a', { method: 'DELETE' })).json()
    expect(answer).toMatchObject({ cursor: null })
    for (const url of [mine, ...stubs]) expect((await ask(url)).status).toBe(404)
    for (const url of [shared, free]) expect((await ask(url)).status).toBe(200)

    // The same history for the same session stores all again: no marker of the deleted one is believed.
    await postJson('/v1/mask', { messages: longHistory(), session: 'a' })
    for (const url of stubs) expect((await ask(url)).status).toBe(200)
  })

  it('that mask the same history keep it apart from each other', async () => {
    const { ask, postJson } = setUpReal()
    const mask = async (session: string) => (await postJson('/v1/mask', { messages: longHistory(), session })).text()
    const first = await mask('a')
    expect(await mask('b')).toBe(first)
    await ask('/v1/sessions/a', { method: 'DELETE' })
    for (const id of new Set(first.match(/o_[a-z][a-p]{31}/g)))
      expect((await ask(`/v1/outputs/${id}`)).status).toBe(200)
    await ask('/v1/sessions/b', { method: 'DELETE' })
    for (const id of new Set(first.match(/o_[a-z][a-p]{31}/g)))
      expect((await ask(`/v1/outputs/${id}`)).status).toBe(404)
  })
})

describe('what is used', () => {
  it('lives on: a read in the second half of its life begins it anew', async () => {
    const { ask, filter, clock } = setUpReal()
    const path = `/v1/outputs/${(await filter(GO_TEST)).headers.get('spillway-output-id')}`
    clock.now += 3 * DAY
    expect((await ask(`${path}?tail=1`)).status).toBe(200)
    clock.now += 2 * DAY
    for (const query of ['?tail=1', '?grep=PASS']) {
      expect((await ask(`${path}${query}`)).status).toBe(200)
      clock.now += 6 * DAY
    }
    expect((await ask(path)).status).toBe(200)
    // A look alone is no use.
    clock.now += 6 * DAY
    await ask(path, { method: 'HEAD' })
    clock.now += DAY
    expect((await ask(path)).status).toBe(404)
  })
})

describe('switches', () => {
  it('give everything back as it came', async () => {
    const off = { ...defaultSettings, filters: { ...defaultSettings.filters, enabled: false } }
    const { filter, postJson } = setUpReal({
      settings: { ...off, mask: { ...defaultSettings.mask, enabled: false } },
    })
    const response = await filter(GO_TEST)
    expect(response.headers.get('spillway-reason')).toBe('disabled')
    expect(await response.text()).toBe(GO_TEST)
    const messages = longHistory()
    expect(await (await postJson('/v1/mask', { messages })).json()).toMatchObject({ messages })
  })
})

describe('what a request asks of masking', () => {
  it.each([
    [{ messages: [], policy: { toolProtectionTreshold: 1 } }, '/policy/toolProtectionTreshold'],
    [{ messages: [], policy: { minPrunableTokensThreshold: 'many' } }, '/policy/minPrunableTokensThreshold'],
    [{ messages: [], format: 'no such format' }, '/format'],
  ])('is refused by name where it is wrong: %o', async (body, pointer) => {
    const { postJson } = setUpReal()
    const problem = await problemOf(await postJson('/v1/mask', body))
    expect(problem).toMatchObject({ status: 400, errors: [{ pointer }] })
  })
})
