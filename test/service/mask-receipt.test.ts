import { expect, test } from 'vitest'
import { createSpillway, type SpillwayPorts } from '../../src/service/index.ts'
import type { Guard } from '../../src/service/ports.ts'
import { defaultSettings } from '../../src/service/settings.ts'
import type { MaskReply } from '../../src/service/types.ts'
import { signer } from '../doubles/signer.ts'
import { createStore, keyOf } from '../doubles/store.ts'
import { bulky, chatHistory } from './histories.ts'

const DAY = 86_400_000
const caller = { tenant: 'acme', route: '/v1/mask' }
const contents = Array.from({ length: 20 }, (_, i) => bulky(i))
const policy = { ...defaultSettings.mask.policy, toolProtectionThreshold: 2000, minPrunableTokensThreshold: 1200 }
const settings = { ...defaultSettings, mask: { ...defaultSettings.mask, policy } }

/** The history at the n-th call: so many results, the last of them unread. */
function historyOf(results: number) {
  const list = chatHistory(contents.slice(0, results)).slice(0, -1)
  return { format: 'openai-chat', key: 'messages', json: JSON.stringify(list), list } as const
}

function build(ports: Partial<SpillwayPorts> = {}) {
  const state = { now: 0, down: false }
  const memory = createStore(
    () => (state.down ? Promise.reject(new Error('down')) : undefined),
    () => state.now,
  )
  const spillway = createSpillway({ settings, store: memory.store, keyOf, signer, now: () => state.now, ...ports })
  const mask = (results: number, receipt?: unknown, who = caller) =>
    spillway.mask({ ...historyOf(results), ...(typeof receipt === 'string' && { receipt }) }, who)
  return { ...memory, state, spillway, mask }
}

const eventsOf = (reply: MaskReply | undefined) => Number(reply?.report.events ?? 0)

test('over a whole session: the writes of its events, and a read an event and call without a receipt, none with', async () => {
  const without = build()
  const withReceipt = build()
  let receipt: unknown
  let reads = 0
  let last: MaskReply | undefined
  for (let results = 1; results <= contents.length; results += 1) {
    const puts = without.calls.put
    const before = eventsOf(last)
    last = await without.mask(results)
    // One read of a marker for each event, at each call; writes only at the call that makes an event.
    reads += eventsOf(last)
    expect(without.calls).toMatchObject({ get: reads, head: 0, delete: 0 })
    if (eventsOf(last) === before) expect(without.calls.put).toBe(puts)

    const asked = withReceipt.calls.get
    const reply = await withReceipt.mask(results, receipt)
    receipt = reply.report.receipt
    expect(reply.json).toBe(last.json)
    // A new event is looked for once; what the receipt covers is not.
    expect(withReceipt.calls.get - asked).toBe(eventsOf(last) - before)
  }
  const events = eventsOf(last)
  const masked = Number(last?.report.masked)
  expect(events).toBeGreaterThan(2)
  for (const { calls } of [without, withReceipt]) expect(calls.put).toBe(masked + events)
  expect(withReceipt.calls).toMatchObject({ get: events, head: 0, delete: 0 })
})

test('a call whose events are all covered asks no store at all, and gives the same bytes and the same receipt', async () => {
  const { mask, calls } = build()
  const first = await mask(20)
  const before = { ...calls }
  const again = await mask(20, first.report.receipt)
  expect(again).toEqual(first)
  expect(calls).toEqual(before)
})

test('with a receipt an outage undoes nothing; what is new fails open', async () => {
  const { mask, state } = build()
  const some = await mask(14)
  state.down = true
  expect(await mask(14)).toMatchObject({ edits: [], report: { reason: 'store-failed' } })
  expect((await mask(14, some.report.receipt)).json).toBe(some.json)
  const more = await mask(20, some.report.receipt)
  expect(more.report).toMatchObject({ reason: 'store-failed', events: some.report.events, maskedNow: 0 })
  expect(more.edits).toEqual(some.edits)
  // It goes on to cover what it covered.
  expect(more.report.receipt).toBe(some.report.receipt)
})

test('a receipt is believed no longer than a marker, and then the outputs are renewed', async () => {
  const { mask, state, calls, held } = build()
  const { receipt } = (await mask(20)).report
  const { put } = calls
  state.now = 2 * DAY
  await mask(20, receipt)
  expect(calls.put).toBe(put)
  state.now = 3 * DAY
  const later = await mask(20, receipt)
  expect(later.report.warnings).toEqual(['receipt ignored: it has expired'])
  expect(calls.put).toBe(2 * put)
  expect([...held.values()].every(({ expiresAt }) => expiresAt === 10 * DAY)).toBe(true)
})

test.each([
  ['forged', (receipt: string) => receipt.replace(/\.[0-9a-z]+/, '.zzzzzz')],
  ['malformed', () => 'r1 or so'],
])('a %s receipt is as none, with a warning', async (_, spoil) => {
  const { mask, calls } = build()
  const first = await mask(20)
  const { get } = calls
  const reply = await mask(20, spoil(String(first.report.receipt)))
  expect(reply.json).toBe(first.json)
  expect(reply.report.warnings).toEqual([expect.stringMatching(/^receipt ignored: /)])
  expect(calls.get - get).toBe(eventsOf(first))
})

test("another tenant's receipt vouches for nothing", async () => {
  const { mask, held } = build()
  const first = await mask(20)
  const reply = await mask(20, first.report.receipt, { ...caller, tenant: 'other' })
  expect(reply.report.warnings).toEqual([expect.stringMatching(/another tenant/)])
  const ids = [...reply.json.matchAll(/id=\\"(o_[a-z][a-p]{31})/g)].map(([, id]) => id)
  expect(ids.length).toBeGreaterThan(3)
  for (const id of ids) expect(held.has(`other/${id}`)).toBe(true)
})

test('without a signer there are no receipts; without a store there is nothing to vouch for', async () => {
  const { store } = createStore()
  const unsigned = createSpillway({ settings, store, keyOf, now: () => 0 })
  const storeless = createSpillway({ settings, signer })
  for (const spillway of [unsigned, storeless]) {
    const { report } = await spillway.mask({ ...historyOf(20), receipt: 'r1~' }, caller)
    expect(report).toMatchObject({ reason: 'masked' })
    expect(report).not.toHaveProperty('receipt')
    expect(report).not.toHaveProperty('warnings')
  }
})

test('with a guard that redacts, a receipt spares the store and never the guard', async () => {
  let judged = 0
  const guard: Guard = {
    judge: async (text) => {
      judged += 1
      return text.startsWith('run 1:')
        ? { action: 'redact', text: text.replaceAll('item 0', 'item *'), reason: 'r' }
        : { action: 'allow' }
    },
  }
  const { mask, calls, held } = build({ guard })
  const first = await mask(20)
  const before = { ...calls }
  const asked = judged
  const again = await mask(20, first.report.receipt)
  expect(again.json).toBe(first.json)
  expect(calls).toEqual(before)
  // The event with the redacted result is judged at each call; the others were, before they were written.
  expect(judged - asked).toBeGreaterThan(0)
  expect(judged - asked).toBeLessThan(asked)
  const texts = [...held.values()].map(({ content }) => new TextDecoder().decode(content))
  expect(texts.some((text) => text.includes('run 1: item *'))).toBe(true)
  expect(texts.some((text) => text.includes('run 1: item 0'))).toBe(false)
})

test('a receipt that says "redacted" never lets the raw text be stored unjudged', async () => {
  const redacting: Guard = {
    judge: async (text) => ({ action: 'redact', text: text.replaceAll('item', 'thing'), reason: 'r' }),
  }
  const { receipt } = (await build({ guard: redacting }).mask(20)).report
  const blocking: Guard = { judge: async () => ({ action: 'block', reason: 'r' }) }
  const { mask, held } = build({ guard: blocking })
  expect(await mask(20, receipt)).toMatchObject({ edits: [], report: { reason: 'blocked' } })
  expect(held.size).toBe(0)
})
