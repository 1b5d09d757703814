import { expect, test } from 'vitest'
import { readTrailer } from '../../src/engine/marker.ts'
import { createSpillway, type SpillwayPorts } from '../../src/service/index.ts'
import { type Guard, StoreError } from '../../src/service/ports.ts'
import { defaultSettings, type Settings } from '../../src/service/settings.ts'
import { shortEngine } from '../doubles/engine.ts'
import { createStore, keyOf, type Operation } from '../doubles/store.ts'
import { createSink } from '../doubles/telemetry.ts'
import { createTimer } from '../doubles/timer.ts'

const caller = { tenant: 'acme', route: '/v1/filter' }
const output = `${Array.from({ length: 400 }, (_, i) => `line ${i} of what a tool has printed`).join('\n')}\n`
const closed: Settings = { ...defaultSettings, filters: { ...defaultSettings.filters, failMode: 'closed' } }

function fail(): never {
  throw new Error('broken')
}

/** Each way of failing as ports, the reason that has to come out, and what counts as hanging. */
const clock = createTimer()
const failing = (when: Operation, how: () => unknown) =>
  createStore((operation) => (operation === when ? how() : undefined)).store
const faults: [name: string, reason: string, ports: Partial<SpillwayPorts>][] = [
  [
    'store that rejects a put',
    'store-failed',
    { store: failing('put', () => Promise.reject(new StoreError('kv', 'no'))) },
  ],
  ['store that throws', 'store-failed', { store: { ...createStore().store, put: fail } }],
  ['store that hangs', 'store-failed', { store: failing('put', clock.hang) }],
  ['key that cannot be made', 'store-failed', { keyOf: fail }],
  ['engine that throws while planning', 'engine-failed', { engine: { ...shortEngine, planFilter: fail } }],
  ['engine that throws while rendering', 'engine-failed', { engine: { ...shortEngine, renderFilter: fail } }],
  [
    'engine that fails altogether',
    'engine-failed',
    { engine: { ...shortEngine, planFilter: fail, renderFilter: fail, estimateTokens: fail } },
  ],
  [
    'output over the limit',
    'too-large',
    { settings: { ...defaultSettings, filters: { ...defaultSettings.filters, maxContentBytes: 1000 } } },
  ],
]

function build(ports: Partial<SpillwayPorts>) {
  const telemetry = createSink()
  const base = { settings: defaultSettings, store: createStore().store, keyOf, telemetry, engine: shortEngine }
  return { telemetry, spillway: createSpillway({ ...base, timer: clock.timer, now: () => 0, ...ports }) }
}

test.each(faults)('%s: the input comes back, and one event says so', async (_, reason, ports) => {
  const { spillway, telemetry } = build(ports)
  const reply = await spillway.filter({ streams: { output } }, caller)
  expect(reply).toMatchObject({ streams: { output }, filtered: false, reason, spill: null, tokens: { saved: 0 } })
  expect(reply.lines).toEqual({ in: 400, kept: 400, restated: 0, elided: 0 })
  expect(telemetry.events.map((event) => event.outcome)).toEqual([reason])
  expect(clock.running()).toBe(0)
})

test.each(faults)('%s, failing closed: a bounded head and tail, marked as not stored', async (_, reason, ports) => {
  const filters = { ...closed.filters, maxContentBytes: ports.settings?.filters.maxContentBytes ?? 1e6 }
  const { spillway } = build({ ...ports, settings: { ...closed, filters } })
  const reply = await spillway.filter({ streams: { output } }, caller)
  const text = 'output' in reply.streams ? reply.streams.output : ''
  expect(reply).toMatchObject({ filtered: true, reason, strategy: 'bounded', spill: null })
  expect(text).toContain(`[filtered: ${reply.lines.elided} lines elided: cut to head and tail, not stored (${reason})]`)
  expect(readTrailer(text)).toMatchObject({ id: null, by: 'bounded', elided: reply.lines.elided, lines: 400 })
  expect(text.length).toBeLessThan(2 * closed.filters.closedChars + 600)
  expect(text.split('\n').filter((line) => output.includes(`${line}\n`) && line !== '')).toHaveLength(reply.lines.kept)
})

test('telemetry that throws, or is wrongly async and rejects, changes nothing', async () => {
  for (const record of [fail, async () => fail()]) {
    const { spillway } = build({ telemetry: { record } })
    expect(await spillway.filter({ streams: { output } }, caller)).toMatchObject({ filtered: true })
    expect(spillway.tokens('text', caller)).toBeGreaterThan(0)
  }
})

const brokenGuards: [name: string, guard: Guard][] = [
  ['throws', { judge: fail }],
  ['rejects', { judge: async () => fail() }],
  ['hangs', { judge: clock.hang }],
  // @ts-expect-error a guard written without types may answer anything
  ['answers nonsense', { judge: async () => ({ action: 'fine' }) }],
]

test.each(brokenGuards)('a guard that %s blocks, unless it is set to fail open', async (_, guard) => {
  const { spillway } = build({ guard })
  expect(await spillway.filter({ streams: { output } }, caller)).toMatchObject({
    streams: { output: '[blocked: the guard failed]' },
    reason: 'guard-failed',
    spill: null,
  })
  const open: Settings = { ...defaultSettings, guard: { ...defaultSettings.guard, failMode: 'open' } }
  const reply = await build({ guard, settings: open }).spillway.filter({ streams: { output } }, caller)
  expect(reply).toMatchObject({ filtered: true, reason: null })
  expect(reply.warnings).toContain('guard-failed: the result was not judged')
})

test('a failure after a redaction gives back what was redacted, not the input', async () => {
  const guard: Guard = {
    judge: async (text) => ({ action: 'redact', text: text.replaceAll('line 3 ', '*** '), reason: 'r' }),
  }
  const { spillway } = build({ guard, engine: { ...shortEngine, planFilter: fail } })
  const reply = await spillway.filter({ streams: { output } }, caller)
  expect(reply).toMatchObject({ reason: 'engine-failed', streams: { output: output.replaceAll('line 3 ', '*** ') } })
})
