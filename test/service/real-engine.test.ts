import { expect, test } from 'vitest'
import { readTrailer } from '../../src/engine/marker.ts'
import { createSpillway } from '../../src/service/index.ts'
import { defaultSettings } from '../../src/service/settings.ts'
import { createStore, keyOf } from '../doubles/store.ts'

const caller = { tenant: 'acme', route: '/v1/filter' }

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
  const { store, textOf } = createStore()
  const spillway = createSpillway({ settings: defaultSettings, store, keyOf, now: () => 0 })
  const reply = await spillway.filter({ ...request, streams: { output } }, caller)
  const text = 'output' in reply.streams ? reply.streams.output : ''
  expect(reply).toMatchObject({ filtered: true, reason: null, family: 'go-test' })
  expect(text).toContain('TestBad')
  expect(text).toContain('m_test.go:12: got 3, want 4')
  expect(reply.tokens.saved).toBeGreaterThan(reply.tokens.before / 2)
  expect(readTrailer(text)?.id).toBe(reply.spill?.id)
  expect(textOf('acme', reply.spill?.id ?? '')).toBe(output)

  const again = await spillway.filter({ ...request, streams: { output: text } }, caller)
  expect(again).toMatchObject({ streams: { output: text }, filtered: false, reason: 'already-filtered' })
})

test("the figures of the filter are the operator's", async () => {
  const options = { ...defaultSettings.filters.options, smallKnownOutput: 1_000_000 }
  const settings = { ...defaultSettings, filters: { ...defaultSettings.filters, options } }
  const reply = await createSpillway({ settings }).filter({ ...request, streams: { output } }, caller)
  expect(reply).toMatchObject({ streams: { output }, filtered: false, reason: 'small' })
})
