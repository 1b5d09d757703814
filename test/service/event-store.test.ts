import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createEventStore, type EventOutput, idsOf } from '../../src/service/event-store.ts'
import { createLimit } from '../../src/service/limit.ts'
import { type OutputStore, StoreError } from '../../src/service/ports.ts'
import type { Voucher } from '../../src/service/receipt.ts'
import { defaultSettings } from '../../src/service/settings.ts'
import { createSpiller } from '../../src/service/spill.ts'
import { createStore, keyOf } from '../doubles/store.ts'
import { createTimer } from '../doubles/timer.ts'

const DAY = 86_400_000
const settings = { ...defaultSettings.store, timeoutMs: 1000, ttlMs: 7 * DAY }
const { timer, hang, running } = createTimer()
const utf8 = (text: string) => new TextEncoder().encode(text)

function output(text: string, claimedId: string | null = null): EventOutput {
  return { text, meta: { kind: 'text' }, claimedId, claimedChars: null }
}
const outputs = Array.from({ length: 20 }, (_, i) => output(`output ${i}`))

/** Does what a masking call does for one event. */
function build(store: OutputStore, now = () => 0) {
  const events = createEventStore(store, createSpiller(store, keyOf, settings, timer), keyOf, settings, now)
  return async (
    given: readonly EventOutput[],
    { width = 6, tenant = 'acme', receipt = [] as readonly Voucher[] } = {},
  ) => {
    const limit = createLimit(width)
    const found = await events.find(tenant, given, limit, (key) => receipt.find((voucher) => voucher.key === key))
    const done = found.voucher
      ? { voucher: found.voucher, written: 0 }
      : await events.write(tenant, found, limit, new Map())
    return { ...done, ids: idsOf(found.event, done.voucher) }
  }
}

/** Stores an output as a filter call does. */
async function keep(store: OutputStore, text: string): Promise<string> {
  const content = utf8(text)
  const { meta } = output(text)
  return (await store.put('acme', await keyOf('acme', content, meta), content, meta)).id
}

test('an event stores each output once, then its marker; the next call reads the marker alone', async () => {
  const { store, calls, textOf } = createStore()
  const save = build(store)
  const { ids, written } = await save([...outputs, ...outputs])
  expect(written).toBe(20)
  expect(ids.map((id) => textOf('acme', id))).toEqual([...outputs, ...outputs].map((_, i) => `output ${i % 20}`))
  expect(calls).toEqual({ put: 21, get: 1, head: 0, delete: 0 })

  const again = await save([...outputs, ...outputs])
  expect(again).toMatchObject({ ids, written: 0 })
  expect(calls).toEqual({ put: 21, get: 2, head: 0, delete: 0 })
})

test('what a receipt says of an event asks no store', async () => {
  const { store, calls } = createStore()
  const save = build(store)
  const first = await save(outputs)
  const before = { ...calls }
  expect(await save(outputs, { receipt: [first.voucher] })).toEqual({ ...first, written: 0 })
  expect(calls).toEqual(before)
})

test("another tenant's event is another event, and so is one under another life of outputs", async () => {
  const { store, calls } = createStore()
  const first = await build(store)(outputs)
  const other = await build(store)(outputs, { tenant: 'other', receipt: [first.voucher] })
  expect(other.written).toBe(20)
  const longer = { ...settings, ttlMs: 8 * DAY }
  const events = createEventStore(store, createSpiller(store, keyOf, longer, timer), keyOf, longer, () => 0)
  expect((await events.find('acme', outputs, createLimit(6), () => undefined)).voucher).toBeNull()
  expect(calls.put).toBe(42)
})

test("another session's event is another event, and its marker goes with the session", async () => {
  const { store, calls, held } = createStore()
  const save = build(store)
  const of = (session: string) => outputs.map((one) => ({ ...one, meta: { ...one.meta, session } }))
  await save(outputs)
  await save(of('one'))
  await save(of('two'))
  expect(calls.put).toBe(63)
  await store.deleteSession('acme', 'one', null)
  expect([...held.values()].some(({ meta }) => meta.session === 'one')).toBe(false)
  // Its event is stored again; the others are known to be stored.
  for (const [given, written] of [
    [outputs, 0],
    [of('two'), 0],
    [of('one'), 20],
  ] as const)
    expect((await save(given)).written).toBe(written)
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
  await build(store)([...outputs, ...outputs.map((_, i) => output(`claims ${i}`, `o_t${'a'.repeat(31)}`))])
  expect(most).toBe(6)
})

test('where one output fails there is no marker, and the next call writes all again', async () => {
  let broken = true
  const { store, calls, held } = createStore(() => {
    if (broken && calls.put === 7) throw new StoreError('test', 'no')
  })
  const save = build(store)
  await expect(save(outputs, { width: 1 })).rejects.toThrow(StoreError)
  broken = false
  await save(outputs)
  expect(held.size).toBe(21)
})

test('a store that hangs is given up, begins nothing more, and leaves no timer', async () => {
  const { store, calls } = createStore((operation) => (operation === 'put' ? hang() : undefined))
  await expect(build(store)(outputs, { width: 2 })).rejects.toThrow('no answer in 1000 ms')
  expect(calls.put).toBe(2)
  expect(running()).toBe(0)
})

test('a store that stores under another id than it said is not believed', async () => {
  const { store } = createStore()
  const other: OutputStore = { ...store, put: async () => ({ id: 'o_taaa' }) }
  await expect(build(other)(outputs)).rejects.toThrow(StoreError)
})

test('an event whose marker grows old is written again, once, and its marker renewed', async () => {
  let now = 0
  const { store, calls } = createStore(undefined, () => now)
  const save = build(store, () => now)
  const { voucher } = await save(outputs)
  now = 2 * DAY
  await save(outputs)
  expect(calls.put).toBe(21)
  now = 4 * DAY
  // No receipt outlives the marker that it stands for.
  expect(voucher.until).toBeLessThan(now)
  await save(outputs)
  expect(calls).toMatchObject({ put: 42, delete: 0 })
  const renewed = await save(outputs)
  expect(calls).toMatchObject({ put: 42, delete: 0 })
  expect(renewed.voucher.until).toBeGreaterThan(now + 2 * DAY)
})

test('a marker that the store cannot read is as none, and is written anew', async () => {
  let damaged = true
  const { store, calls } = createStore((operation) => {
    if (operation === 'get' && damaged) throw new StoreError('test', 'damaged')
  })
  const save = build(store)
  await save(outputs)
  damaged = false
  expect((await save(outputs)).written).toBe(0)
  expect(calls.put).toBe(21)
})

test('a marker that says nothing known is as none', async () => {
  const { store, held, calls } = createStore()
  const save = build(store)
  await save(outputs)
  for (const [place, one] of held) if (one.meta.kind === 'marker') held.set(place, { ...one, content: utf8('?') })
  await save(outputs)
  expect(calls.put).toBe(42)
})

test('a claimed id is looked up once, and not again while the marker stands', async () => {
  const { store, calls, held } = createStore()
  const id = await keep(store, 'the raw output')
  const save = build(store)
  const given = [output('filtered', id), output('filtered', id), output('other')]
  const first = await save(given)
  expect(first).toMatchObject({ ids: [id, id, expect.any(String)], written: 1 })
  expect(calls).toEqual({ put: 3, get: 1, head: 1, delete: 0 })
  expect((await save(given)).ids).toEqual(first.ids)
  expect(calls).toEqual({ put: 3, get: 2, head: 1, delete: 0 })
  expect(held.size).toBe(3)
})

test.each([
  ['that nobody has stored', async () => `o_t${'b'.repeat(31)}`],
  ['of another store', async () => `o_q${'b'.repeat(31)}`],
  [
    "of another tenant's output",
    async (store: OutputStore) => (await build(store)([output('x')], { tenant: 'b' })).ids[0],
  ],
  [
    'of a deleted output',
    async (store: OutputStore) => {
      const id = await keep(store, 'gone')
      await store.delete('acme', id)
      return id
    },
  ],
  [
    'of a marker',
    async (store: OutputStore) => store.idOf((await build(store)([output('x')])).voucher.key, 0, 'marker'),
  ],
])('an id %s is not taken: the text is stored as it stands, for good', async (_, make) => {
  const { store, calls, textOf } = createStore()
  const claimed = (await make(store)) ?? ''
  const save = build(store)
  const given = [output('as it stands', claimed), output('other')]
  const { ids, voucher } = await save(given)
  expect(ids).not.toContain(claimed)
  expect(ids.map((id) => textOf('acme', id))).toEqual(['as it stands', 'other'])
  // By marker and by receipt alike: the same ids, and no look-up.
  const { head } = calls
  expect((await save(given)).ids).toEqual(ids)
  expect((await save(given, { receipt: [voucher] })).ids).toEqual(ids)
  expect(calls.head).toBe(head)
})

test('a claimed output that cannot be read does not hold its event up: the text is stored as it stands', async () => {
  const { store, textOf } = createStore((operation) => {
    if (operation === 'head') throw new StoreError('test', 'damaged')
  })
  const { ids } = await build(store)([output('as it stands', await keep(store, 'raw'))])
  expect(ids.map((id) => textOf('acme', id))).toEqual(['as it stands'])
})

test('a claimed output with less than half its life left is renewed with its marker', async () => {
  let now = 0
  const { store, textOf, held } = createStore(undefined, () => now)
  const meta = { kind: 'text', stdoutBytes: 3 } as const
  const id = (await store.put('acme', await keyOf('acme', utf8('raw'), meta), utf8('raw'), meta)).id
  now = 4 * DAY
  const { ids, voucher } = await build(store, () => now)([output('filtered', id)])
  expect(ids).toEqual([id])
  expect(textOf('acme', id)).toBe('raw')
  expect(held.get(`acme/${id}`)).toMatchObject({ meta, expiresAt: 11 * DAY })
  expect(voucher.until).toBeLessThan(11 * DAY)
})

test('after a DELETE an event that was made stays made, and writes nothing back; a later event stores the output anew', async () => {
  const { store, calls, textOf } = createStore()
  const save = build(store)
  const { ids } = await save(outputs)
  await store.delete('acme', ids[3] ?? '')
  const { put } = calls
  expect((await save(outputs)).ids).toEqual(ids)
  expect(calls.put).toBe(put)
  expect(textOf('acme', ids[3] ?? '')).toBeUndefined()
  await save([output('output 3'), output('a new one')])
  expect(textOf('acme', ids[3] ?? '')).toBe('output 3')
})

test('whatever is claimed and whatever is stored: every id leads to what was claimed, or to the text itself', async () => {
  const claim = fc.constantFrom('none', 'stored', 'old', 'unknown', 'deleted')
  const texts = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), claim), { minLength: 1, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(texts, async (given) => {
      let now = 0
      const { store, textOf } = createStore(undefined, () => now)
      const ids = new Map<string, string>([['unknown', `o_t${'c'.repeat(31)}`]])
      for (const kind of ['old', 'deleted']) ids.set(kind, await keep(store, `raw ${kind}`))
      await store.delete('acme', ids.get('deleted') ?? '')
      now = 5 * DAY
      ids.set('stored', await keep(store, 'raw stored'))
      const event = given.map(([text, kind]) => output(text, ids.get(kind) ?? null))
      const save = build(store, () => now)
      const first = await save(event)
      const wanted = given.map(([text, kind]) => (kind === 'stored' || kind === 'old' ? `raw ${kind}` : text))
      expect(first.ids.map((id) => textOf('acme', id))).toEqual(wanted)
      expect((await save(event, { receipt: [first.voucher] })).ids).toEqual(first.ids)
      expect((await save([...event].reverse())).ids).toEqual([...first.ids].reverse())
    }),
    { numRuns: 60 },
  )
})
