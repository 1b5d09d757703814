import { expect, test } from 'vitest'
import { readTrailer } from '../../src/engine/marker.ts'
import { createSpillway } from '../../src/service/index.ts'
import { defaultSettings, type Settings } from '../../src/service/settings.ts'
import type { Spillway } from '../../src/service/types.ts'
import { outputKey } from '../../src/store/key.ts'
import { createMemoryBlobs } from '../../src/store/memory.ts'
import { createOutputStore } from '../../src/store/output-store.ts'
import { bulky, chatHistory } from './histories.ts'

const caller = { tenant: 'acme', route: '/v1/filter' }

/** The engine, a store and keys as a deployment has them. */
function build(settings: Settings = defaultSettings): Spillway {
  const secret = new Uint8Array(32).fill(7)
  const now = () => 0
  const store = createOutputStore(createMemoryBlobs(), { now })
  return createSpillway({ settings, store, now, keyOf: (...given) => outputKey(secret, ...given) })
}

async function textOf(spillway: Spillway, id: string): Promise<string | null> {
  const found = await spillway.recall(id, undefined, caller)
  return 'missing' in found ? null : new TextDecoder().decode(found.content)
}

function event(action: string, test?: string, more = {}) {
  return JSON.stringify({
    Time: '2026-01-02T03:04:05Z',
    Action: action,
    Package: 'example.com/m',
    ...(test && { Test: test }),
    ...more,
  })
}

const passed = Array.from({ length: 80 }, (_, i) => [
  event('run', `TestOk${i}`),
  event('pass', `TestOk${i}`, { Elapsed: 0 }),
])
const failed = [
  event('run', 'TestBad'),
  event('output', 'TestBad', { Output: '    m_test.go:12: got 3, want 4\n' }),
  event('output', 'TestBad', { Output: '--- FAIL: TestBad (0.00s)\n' }),
  event('fail', 'TestBad', { Elapsed: 0 }),
  event('fail', undefined, { Elapsed: 0.1 }),
]
const output = `${[...passed.flat(), ...failed].join('\n')}\n`
const request = { command: 'go test -json ./...', exitCode: 1 }

test('the engine in place: a failing run is condensed, keeps its failure, and is not filtered again', async () => {
  const spillway = build()
  const reply = await spillway.filter({ ...request, streams: { output } }, caller)
  const text = 'output' in reply.streams ? reply.streams.output : ''
  expect(reply).toMatchObject({ filtered: true, reason: null, family: 'go-test' })
  expect(text).toContain('TestBad')
  expect(text).toContain('m_test.go:12: got 3, want 4')
  expect(reply.tokens.saved).toBeGreaterThan(reply.tokens.before / 2)
  expect(readTrailer(text)?.id).toBe(reply.spill?.id)
  expect(await textOf(spillway, reply.spill?.id ?? '')).toBe(output)

  const again = await spillway.filter({ ...request, streams: { output: text } }, caller)
  expect(again).toMatchObject({ streams: { output: text }, filtered: false, reason: 'already-filtered' })
})

test("the figures of the filter are the operator's", async () => {
  const options = { ...defaultSettings.filters.options, smallKnownOutput: 1_000_000 }
  const settings = { ...defaultSettings, filters: { ...defaultSettings.filters, options } }
  const reply = await build(settings).filter({ ...request, streams: { output } }, caller)
  expect(reply).toMatchObject({ streams: { output }, filtered: false, reason: 'small' })
})

test('masked results are recalled whole by the ids in their stubs, and a masked history is left as it is', async () => {
  const policy = { toolProtectionThreshold: 2000, minPrunableTokensThreshold: 1200 }
  const results = Array.from({ length: 12 }, (_, i) => bulky(i))
  const list = chatHistory(results)
  const spillway = build()
  const base = { format: 'auto', key: 'messages', policy } as const
  const reply = await spillway.mask({ ...base, list, json: JSON.stringify(list) }, caller)
  const ids = [...new Set(reply.json.match(/o_m[a-p]{31}/g))]
  expect(ids.length).toBeGreaterThan(2)
  expect(await Promise.all(ids.map((id) => textOf(spillway, id)))).toEqual(results.slice(0, ids.length))

  const masked: unknown[] = JSON.parse(reply.json)
  const again = await spillway.mask({ ...base, list: masked, json: reply.json }, caller)
  expect(again).toMatchObject({ json: reply.json, edits: [] })
  expect(await spillway.ready()).toEqual({ ok: true, detail: 'stored and read back' })
})
