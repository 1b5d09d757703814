import { expect, test } from 'vitest'
import { createLimit } from '../../src/service/limit.ts'
import { type OutputStore, StoreError } from '../../src/service/ports.ts'
import { defaultSettings } from '../../src/service/settings.ts'
import { createSpiller, Refusal } from '../../src/service/spill.ts'
import { createStore, keyOf } from '../doubles/store.ts'
import { createTimer } from '../doubles/timer.ts'

const DAY = 86_400_000
const settings = { ...defaultSettings.store, timeoutMs: 1000, ttlMs: 7 * DAY }
const outputs = Array.from({ length: 20 }, (_, i) => ({
  content: new TextEncoder().encode(`output ${i}`),
  meta: { kind: 'text' as const },
}))
const permit = async () => undefined
const { timer, hang, running } = createTimer()

function build(store: OutputStore, now = () => 0) {
  return createSpiller(store, keyOf, settings, timer, now)
}

test('an event stores each output once, then its marker; the next call asks for the marker alone', async () => {
  const { store, calls, textOf } = createStore()
  const spiller = build(store)
  const { ids, written } = await spiller.putEvent('acme', [...outputs, ...outputs], createLimit(6), permit)
  expect(written).toBe(20)
  expect(ids.map((id) => textOf('acme', id))).toEqual([...outputs, ...outputs].map((_, i) => `output ${i % 20}`))
  expect(calls).toEqual({ put: 21, get: 0, head: 1, delete: 0 })

  const again = await spiller.putEvent('acme', [...outputs, ...outputs], createLimit(6), permit)
  expect(again).toEqual({ ids, written: 0 })
  expect(calls).toEqual({ put: 21, get: 0, head: 2, delete: 0 })
})

test("another tenant's event is another event", async () => {
  const { store, calls } = createStore()
  await build(store).putEvent('acme', outputs, createLimit(6), permit)
  await build(store).putEvent('other', outputs, createLimit(6), permit)
  expect(calls.put).toBe(42)
})

test('no more store requests run at a time than the limit allows', async () => {
  let open = 0
  let most = 0
  const { store } = createStore(async () => {
    open += 1
    most = Math.max(most, open)
    for (let i = 0; i < 5; i += 1) await undefined
    open -= 1
  })
  await build(store).putEvent('acme', outputs, createLimit(6), permit)
  expect(most).toBe(6)
})

test('where one output fails there is no marker, and the next call writes all again', async () => {
  let broken = true
  const { store, calls, held } = createStore(() => {
    if (broken && calls.put === 7) throw new StoreError('test', 'no')
  })
  const spiller = build(store)
  await expect(spiller.putEvent('acme', outputs, createLimit(1), permit)).rejects.toThrow(StoreError)
  broken = false
  await spiller.putEvent('acme', outputs, createLimit(6), permit)
  expect(held.size).toBe(21)
})

test('a store that hangs is given up, begins nothing more, and leaves no timer', async () => {
  const { store, calls } = createStore((operation) => (operation === 'put' ? hang() : undefined))
  await expect(build(store).putEvent('acme', outputs, createLimit(2), permit)).rejects.toThrow('no answer in 1000 ms')
  expect(calls.put).toBe(2)
  expect(running()).toBe(0)
})

test('a store that stores under another id than it said is not believed', async () => {
  const { store } = createStore()
  const other: OutputStore = { ...store, put: async () => ({ id: 'o_taaa' }) }
  await expect(build(other).putEvent('acme', outputs, createLimit(6), permit)).rejects.toThrow(StoreError)
})

test('a refusal comes before anything is written, and keeps its reason', async () => {
  const { store, calls } = createStore()
  const refuse = async () => {
    throw new Refusal('blocked')
  }
  await expect(build(store).putEvent('acme', outputs, createLimit(6), refuse)).rejects.toThrow(new Refusal('blocked'))
  expect(calls.put).toBe(0)
})

test('an event whose marker grows old is written again, once, and its marker renewed', async () => {
  let now = 0
  const { store, calls } = createStore(undefined, () => now)
  const spiller = build(store, () => now)
  const ask = () => spiller.putEvent('acme', outputs, createLimit(6), permit)
  await ask()
  now = 2 * DAY
  await ask()
  expect(calls.put).toBe(21)
  now = 4 * DAY
  await ask()
  expect(calls).toMatchObject({ put: 42, delete: 1 })
  await ask()
  expect(calls).toMatchObject({ put: 42, delete: 1 })
})

test('whatever a store throws is a StoreError with its cause', async () => {
  const cause = new TypeError('socket closed')
  const { store } = createStore(() => Promise.reject(cause))
  const failed = build(store).ask((reached) => reached.get('acme', 'o_t'))
  await expect(failed).rejects.toMatchObject({ name: 'StoreError', message: 'store: socket closed', cause })
})
