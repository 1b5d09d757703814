import fc from 'fast-check'
import { expect, test } from 'vitest'
import { engine } from '../../src/service/engine.ts'
import { createSpillway, type SpillwayPorts } from '../../src/service/index.ts'
import type { Guard } from '../../src/service/ports.ts'
import { defaultSettings } from '../../src/service/settings.ts'
import { RequestError } from '../../src/service/types.ts'
import { createStore, keyOf, type Operation } from '../doubles/store.ts'
import { createSink } from '../doubles/telemetry.ts'
import { createTimer } from '../doubles/timer.ts'
import { bulky, chatHistory } from './histories.ts'

const caller = { tenant: 'acme', route: '/v1/mask' }
const contents = Array.from({ length: 16 }, (_, i) => bulky(i))
const list = chatHistory(contents)
// White space that serialising anew would lose.
const json = JSON.stringify(list, null, 3)
const request = { format: 'openai-chat', key: 'messages', json, list } as const

// The proportions of the default thresholds, at a size at which a failing test can be read.
const policy = { ...defaultSettings.mask.policy, toolProtectionThreshold: 2000, minPrunableTokensThreshold: 1200 }
const settings = { ...defaultSettings, mask: { ...defaultSettings.mask, policy } }

function build(ports: Partial<SpillwayPorts> = {}) {
  const memory = createStore()
  const telemetry = createSink()
  const base = { settings, store: memory.store, keyOf, telemetry, now: () => 0 }
  return { ...memory, telemetry, spillway: createSpillway({ ...base, ...ports }) }
}

function idsIn(text: string): string[] {
  return text.match(/o_[a-z][a-p]{31}/g) ?? []
}

function fail(): never {
  throw new Error('broken')
}

test('old results are stored, then masked; every other byte is the byte that came in', async () => {
  const { spillway, textOf, telemetry } = build()
  const reply = await spillway.mask(request, caller)
  const ids = [...new Set(idsIn(reply.json))]
  expect(ids.length).toBeGreaterThan(3)
  expect(ids.map((id) => textOf('acme', id))).toEqual(contents.slice(0, ids.length))
  expect(reply.report).toMatchObject({ reason: 'masked' })

  const back: unknown[] = JSON.parse(reply.json)
  expect(back).toHaveLength(list.length)
  const restored = reply.edits.reduce((text, { pointer }, i) => {
    expect(pointer).toMatch(/^\/\d+\/content$/)
    return engine.spliceJson(text, [{ pointer, value: contents[i] ?? '' }])
  }, reply.json)
  expect(restored).toBe(json)
  expect(telemetry.events).toMatchObject([
    { operation: 'mask', outcome: 'ok', spills: ids.length, tokensSaved: reply.report.tokensSaved, bytes: json.length },
  ])
  expect(telemetry.events[0]?.tokensSaved).toBeGreaterThan(1200)
  expect(telemetry.events[0]?.maskedNow).toBe(reply.report.maskedNow)
})

test('a later call asks for the markers alone, and gives the same bytes', async () => {
  const { spillway, calls, telemetry } = build()
  const first = await spillway.mask(request, caller)
  const puts = calls.put
  const again = await spillway.mask(request, caller)
  expect(again.json).toBe(first.json)
  expect(telemetry.events.map(({ spills }) => spills > 0)).toEqual([true, false])
  expect(calls).toEqual({ put: puts, get: 2 * Number(first.report.events), head: 0, delete: 0 })
})

test('what is remembered between calls changes no byte', async () => {
  const forgetful = { ...settings, mask: { ...settings.mask, memoChars: 0 } }
  const first = await build({ settings: forgetful }).spillway.mask(request, caller)
  const { spillway } = build()
  for (let call = 0; call < 2; call += 1) expect((await spillway.mask(request, caller)).json).toBe(first.json)
})

test('a history that holds nothing to mask comes back as it came, and nothing is stored', async () => {
  const { spillway, calls } = build()
  const short = chatHistory(['ok', 'ok'])
  const reply = await spillway.mask({ ...request, list: short, json: JSON.stringify(short) }, caller)
  expect(reply).toMatchObject({ json: JSON.stringify(short), edits: [] })
  expect(calls).toEqual({ put: 0, get: 0, head: 0, delete: 0 })
})

test('a dry run stores nothing and changes nothing, and reports what masking would do', async () => {
  const { spillway, calls } = build()
  const reply = await spillway.mask({ ...request, policy: { dryRun: true } }, caller)
  expect(reply).toMatchObject({ json, edits: [], report: { dryRun: true } })
  expect(reply.report.tokensSaved).toBeGreaterThan(1200)
  expect(calls.put + calls.head).toBe(0)
})

test('without a store, stubs point to the session itself', async () => {
  const reply = await createSpillway({ settings }).mask(request, caller)
  expect(reply.json).toContain('preserved in your session history')
  expect(idsIn(reply.json)).toEqual([])
})

test.each([
  ['/format', { format: 'no-such-format' }],
  ['/policy/recentTurnsToKeep', { policy: { recentTurnsToKeep: -1 } }],
  ['/policy/unheardOf', { policy: { unheardOf: 1 } }],
])('%s: what the caller has to mend is a RequestError that names its place', async (pointer, wrong) => {
  const { spillway, telemetry } = build()
  const refused = spillway.mask({ ...request, ...wrong }, caller)
  await expect(refused).rejects.toThrow(RequestError)
  await expect(refused).rejects.toMatchObject({ pointer })
  expect(telemetry.events.map(({ outcome }) => outcome)).toEqual(['bad-request'])
})

const { timer, hang } = createTimer()
const failing = (when: Operation, how: () => unknown) =>
  createStore((operation) => (operation === when ? how() : undefined)).store
const blocking: Guard = { judge: async () => ({ action: 'block', reason: 'key' }) }
const halving: Guard = { judge: async () => ({ action: 'redact', reason: 'key', text: 'half a pair: \ud800' }) }
const few = { ...settings, mask: { ...settings.mask, maxSpills: 1 } }
const switchedOff = { ...settings, mask: { ...settings.mask, enabled: false } }
const off = { ...settings, mask: { ...settings.mask, policy: { ...policy, enabled: false } } }

const faults: [name: string, reason: string, ports: Partial<SpillwayPorts>][] = [
  ['a store that rejects a put', 'store-failed', { store: failing('put', () => Promise.reject(new Error('no'))) }],
  ['a store that hangs', 'store-failed', { store: failing('put', hang), timer }],
  ['a store that cannot name an output', 'store-failed', { store: { ...createStore().store, idOf: fail } }],
  ['a key that cannot be made', 'store-failed', { keyOf: fail }],
  ['an engine that throws while planning', 'engine-failed', { engine: { ...engine, planMask: fail } }],
  ['an engine that throws while splicing', 'engine-failed', { engine: { ...engine, spliceJson: fail } }],
  ['more outputs than an event may store', 'too-many-spills', { settings: few }],
  ['a guard that blocks', 'blocked', { guard: blocking }],
  ['a guard that leaves what cannot be stored', 'redacted', { guard: halving }],
  ['a guard that throws', 'guard-failed', { guard: { judge: fail } }],
  ['masking switched off', 'disabled', { settings: switchedOff }],
  ['a policy that is off', 'disabled', { settings: off }],
]

test.each(faults)('%s: the history comes back as it came, and one event says why', async (_, reason, ports) => {
  const { spillway, telemetry } = build(ports)
  const reply = await spillway.mask(request, caller)
  expect(reply).toMatchObject({ json, edits: [], report: { reason } })
  expect(telemetry.events.map(({ outcome, maskedNow }) => [outcome, maskedNow])).toEqual([[reason, 0]])
})

test('a request cannot switch on what the operator has switched off', async () => {
  const { spillway } = build({ settings: switchedOff })
  const reply = await spillway.mask({ ...request, policy: { enabled: true } }, caller)
  expect(reply).toMatchObject({ edits: [], report: { reason: 'disabled' } })
})

test('nothing that the guard objects to is stored', async () => {
  const { spillway, held } = build({ guard: blocking })
  await spillway.mask(request, caller)
  expect(held.size).toBe(0)
})

test('an event that cannot be stored takes the later ones along, the earlier ones stand', async () => {
  const whole = await build().spillway.mask(request, caller)
  const events = Number(whole.report.events)
  expect(events).toBeGreaterThan(2)
  const wanted = new Set(idsIn(whole.json))
  const ids = [...wanted]
  // An output of the second event, by its place: events mask from the oldest on.
  const perEvent = ids.length / events
  const broken = ids[Math.ceil(perEvent)]
  const { store } = createStore((_, id) => (id === broken ? Promise.reject(new Error('no')) : undefined))
  const reply = await build({ store }).spillway.mask(request, caller)
  const masked = new Set(idsIn(reply.json))
  expect(masked.size).toBeGreaterThan(0)
  expect(ids.slice(0, masked.size)).toEqual([...masked])
  expect(masked.has(broken ?? '')).toBe(false)
  expect(reply.report).toMatchObject({ events: 1, reason: 'store-failed' })
})

test('whatever the store does: no stub without its full content in the store, never a rejection, one event', async () => {
  const way = fc.oneof(
    { weight: 20, arbitrary: fc.constant('works') },
    { weight: 1, arbitrary: fc.constantFrom('fails', 'hangs') },
  )
  // Planning is pure, and what is tested here comes after it: once is enough.
  const plan = engine.planMask({ ...request, policy })
  const planned = { ...engine, planMask: () => plan }
  await fc.assert(
    fc.asyncProperty(fc.array(way, { minLength: 1, maxLength: 40 }), async (ways) => {
      const limit = createTimer()
      let next = 0
      const { store, textOf } = createStore(async () => {
        const now = ways[next++ % ways.length]
        for (let turns = next % 4; turns > 0; turns -= 1) await undefined
        if (now === 'hangs') await limit.hang()
        if (now === 'fails') fail()
      })
      const { spillway, telemetry } = build({ store, timer: limit.timer, engine: planned })
      for (let call = 1; call <= 2; call += 1) {
        const reply = await spillway.mask(request, caller)
        for (const id of idsIn(reply.json)) expect(contents).toContain(textOf('acme', id))
        expect(telemetry.events).toHaveLength(call)
        expect(limit.running()).toBe(0)
      }
    }),
    { numRuns: 40 },
  )
})
