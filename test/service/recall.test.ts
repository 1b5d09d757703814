import { expect, test } from 'vitest'
import { createSpillway, type SpillwayPorts } from '../../src/service/index.ts'
import { StoreError } from '../../src/service/ports.ts'
import { defaultSettings } from '../../src/service/settings.ts'
import { shortEngine } from '../doubles/engine.ts'
import { createStore, keyOf } from '../doubles/store.ts'
import { createSink } from '../doubles/telemetry.ts'
import { createTimer } from '../doubles/timer.ts'

const caller = { tenant: 'acme', route: '/v1/outputs' }
const output = Array.from({ length: 50 }, (_, i) => `line ${i}`).join('\n')

function build(ports: Partial<SpillwayPorts> = {}) {
  const telemetry = createSink()
  const base = { settings: defaultSettings, telemetry, engine: shortEngine, now: () => 0 }
  return { telemetry, spillway: createSpillway({ ...base, ...ports }) }
}

test('what was filtered can be described, recalled and removed by its owner, and by nobody else', async () => {
  const { spillway, telemetry } = build({ store: createStore().store, keyOf })
  const { spill } = await spillway.filter({ streams: { output } }, caller)
  const id = spill?.id ?? ''
  const other = { ...caller, tenant: 'other' }
  expect(await spillway.describe(id, caller)).toMatchObject({ id, bytes: output.length, lines: 50 })
  expect(await spillway.recall(id, undefined, caller)).toMatchObject({ content: new TextEncoder().encode(output) })
  expect(await spillway.recall(id, undefined, other)).toEqual({ missing: 'final' })
  expect(await spillway.remove(id, other)).toBe(false)
  expect(await spillway.remove(id, caller)).toBe(true)
  expect(await spillway.recall(id, undefined, caller)).toEqual({ missing: 'final' })
  expect(telemetry.events.map(({ operation, outcome }) => `${operation} ${outcome}`)).toEqual([
    'filter ok',
    'recall ok',
    'recall ok',
    'recall missing',
    'delete missing',
    'delete ok',
    'recall missing',
  ])
})

test('a store that fails or hangs rejects with StoreError, and telemetry counts it', async () => {
  const { timer, hang } = createTimer()
  const broken = new StoreError('r2', 'down')
  const failing = build({ store: createStore(() => Promise.reject(broken)).store, keyOf })
  await expect(failing.spillway.recall('o_t', undefined, caller)).rejects.toBe(broken)
  await expect(failing.spillway.remove('o_t', caller)).rejects.toBe(broken)
  expect(failing.telemetry.events.map(({ outcome }) => outcome)).toEqual(['store-failed', 'store-failed'])
  const hanging = build({ store: createStore(hang).store, keyOf, timer })
  await expect(hanging.spillway.describe('o_t', caller)).rejects.toThrow('no answer in 10000 ms')
})

test('without a store every id is finally missing', async () => {
  const { spillway } = build()
  expect(await spillway.recall('o_t', undefined, caller)).toEqual({ missing: 'final' })
  expect(await spillway.remove('o_t', caller)).toBe(false)
})

test('ready says whether what is put can be got', async () => {
  const { timer, hang } = createTimer()
  const lost = createStore().store
  const cases = [
    [build(), true],
    [build({ store: createStore().store, keyOf }), true],
    [build({ store: createStore(() => Promise.reject(new Error('down'))).store, keyOf }), false],
    [build({ store: createStore(hang).store, keyOf, timer }), false],
    [build({ store: { ...lost, get: async () => ({ missing: 'final' }) }, keyOf }), false],
    [build({ store: { ...lost, get: async () => ({ missing: 'unsure' }) }, keyOf }), true],
  ] as const
  for (const [{ spillway }, ok] of cases) expect(await spillway.ready()).toMatchObject({ ok })
})

test('tokens are estimated, and engine time is measured where there is a clock', () => {
  let time = 0
  const clock = () => (time += 2)
  const { spillway, telemetry } = build({ clock })
  const tokens = spillway.tokens('some words of text', caller)
  expect(tokens).toBeGreaterThan(0)
  expect(telemetry.events).toMatchObject([{ operation: 'tokens', tokensBefore: tokens, engineMs: 2 }])
})

test('a search that takes too long answers with what it has found so far, or says that the pattern is at fault', async () => {
  let time = 0
  // Each look at the clock takes a second.
  const now = () => (time += 1000)
  const { spillway } = build({ store: createStore().store, keyOf, now })
  const keep = async (text: string) => (await spillway.filter({ streams: { output: text } }, caller)).spill?.id ?? ''
  const found = await spillway.search(await keep(output), { pattern: 'line' }, caller)
  expect(found).toMatchObject({ truncated: true })
  if ('missing' in found) throw new Error('missing')
  expect(found.searchedTo).toBeGreaterThan(0)
  expect(found.searchedTo).toBe(found.matches)
  const long = await keep(`${'a'.repeat(200_000)}${'\nx'.repeat(20)}`)
  const costly = spillway.search(long, { pattern: '(a|b){200}c' }, caller)
  await expect(costly).rejects.toMatchObject({ pointer: '/pattern', message: expect.stringContaining('too long') })
})
