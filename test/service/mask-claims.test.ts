import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readStub, readTrailer, writeTrailer } from '../../src/engine/marker.ts'
import { createSpillway } from '../../src/service/index.ts'
import { defaultSettings } from '../../src/service/settings.ts'
import type { KeyOf } from '../../src/service/spill.ts'
import { outputKey } from '../../src/store/key.ts'
import { createMemoryBlobs } from '../../src/store/memory.ts'
import { createOutputStore } from '../../src/store/output-store.ts'
import { shortEngine } from '../doubles/engine.ts'
import { signer } from '../doubles/signer.ts'
import { createStore, keyOf } from '../doubles/store.ts'
import { bulky, chatHistory } from './histories.ts'

const caller = { tenant: 'acme', route: '/v1/mask' }
const policy = { ...defaultSettings.mask.policy, toolProtectionThreshold: 500, minPrunableTokensThreshold: 300 }
const settings = { ...defaultSettings, mask: { ...defaultSettings.mask, policy } }
const UNKNOWN = `o_t${'c'.repeat(31)}`

function build() {
  const memory = createStore()
  const spillway = createSpillway({ settings, store: memory.store, keyOf, signer, now: () => 0 })
  const filtering = createSpillway({ settings, store: memory.store, keyOf, engine: shortEngine, now: () => 0 })
  async function filter(output: string, tenant = 'acme'): Promise<string> {
    const reply = await filtering.filter({ streams: { output } }, { ...caller, tenant })
    return 'output' in reply.streams ? reply.streams.output : ''
  }
  /** Masks the texts as results, and gives the stubs' ids: null where a result stands whole. */
  async function mask(texts: readonly string[]) {
    const list = chatHistory([...texts, bulky(90), bulky(91)])
    const request = { format: 'openai-chat', key: 'messages', json: JSON.stringify(list), list } as const
    const reply = await spillway.mask(request, caller)
    const back: unknown = JSON.parse(reply.json)
    const ids = texts.map((_, i) => {
      const message: unknown = Array.isArray(back) ? back[2 * i + 2] : null
      const content = typeof message === 'object' && message !== null && 'content' in message ? message.content : ''
      return readStub(String(content), `call_${i}`)?.id ?? null
    })
    return { ids, report: reply.report }
  }
  return { ...memory, spillway, filter, mask }
}

/** A filtered output by its looks: whatever the id, the trailer is intact. */
function withTrailer(body: string, id: string, chars = 9000): string {
  const trailer = { elided: 100, lines: 140, by: 'go-test', chars, tokens: 3000, id }
  return `${body}\n${writeTrailer(trailer, 'full output: {id}', body)}`
}

/** Long enough to be masked though it is filtered. */
const long = (word: string) => [word, ...Array.from({ length: 60 }, (_, i) => `${word} ${i}`), 'end'].join('\n')

test("a filtered result's stub leads to the raw output, which is looked up once", async () => {
  const { filter, mask, textOf, calls, held } = build()
  const raw = `${'first of the line '.repeat(60)}\n${'row\n'.repeat(50)}${'last of the line '.repeat(60)}`
  const filtered = await filter(raw)
  const id = readTrailer(filtered)?.id ?? ''
  expect(textOf('acme', id)).toBe(raw)
  expect((await mask([filtered])).ids).toEqual([id])
  expect([...held.values()].map(({ content }) => new TextDecoder().decode(content))).not.toContain(filtered)
  const { put } = calls
  expect((await mask([filtered])).ids).toEqual([id])
  expect(calls).toMatchObject({ head: 1, put })
})

test('a forged id, one of another tenant and one of a deleted output: the result itself is stored, and recalled', async () => {
  const { filter, mask, textOf, spillway } = build()
  const idIn = (text: string) => readTrailer(text)?.id ?? ''
  const foreign = idIn(await filter(long('foreign'), 'other'))
  const deleted = idIn(await filter(long('deleted')))
  expect(await spillway.remove(deleted, caller)).toBe(true)
  const texts = [UNKNOWN, foreign, deleted].map((id, i) => withTrailer(long(`text ${i}`), id))
  const { ids, report } = await mask(texts)
  expect(report).toMatchObject({ reason: 'masked' })
  expect(ids.map((id) => textOf('acme', id ?? ''))).toEqual(texts)
})

test('a trailer that names another output of the tenant, of another size: the result itself is stored, and recalled', async () => {
  const { filter, mask, textOf } = build()
  const other = readTrailer(await filter(long('other')))?.id ?? ''
  for (const chars of [9, long('other').length + 1]) {
    const forged = withTrailer(long(`page of ${chars}`), other, chars)
    const { ids } = await mask([forged])
    expect(textOf('acme', ids[0] ?? '')).toBe(forged)
  }
  const honest = withTrailer(long('shown'), other, long('other').length)
  expect((await mask([honest])).ids).toEqual([other])
})

test('deleting the session that filtered an output leaves it to the session whose stub points to it', async () => {
  const secret = new TextEncoder().encode('x'.repeat(40))
  for (const owner of ['a', undefined]) {
    const store = createOutputStore(createMemoryBlobs({ now: () => 0 }), { now: () => 0 })
    const keys: KeyOf = (tenant, content, meta) => outputKey(secret, tenant, content, meta)
    const spillway = createSpillway({ settings, store, keyOf: keys, now: () => 0, engine: shortEngine })
    const raw = `${'first of the line '.repeat(60)}\n${'row\n'.repeat(50)}${'last of the line '.repeat(60)}`
    const session = owner === undefined ? {} : { session: owner }
    const { spill } = await spillway.filter({ streams: { output: raw }, ...session }, caller)
    const shown = withTrailer(long('shown'), spill?.id ?? '', raw.length)
    const list = chatHistory([shown, bulky(90), bulky(91)])
    const request = { format: 'openai-chat', key: 'messages', json: JSON.stringify(list), list, session: 'b' } as const
    const { json } = await spillway.mask(request, caller)
    expect(json).toContain(`id=\\"${spill?.id}\\"`)
    await spillway.removeSession('a', null, caller)
    expect(await spillway.recall(spill?.id ?? '', undefined, caller)).toMatchObject({ bytes: raw.length })
    await spillway.removeSession('b', null, caller)
    // What was stored without a label is no session's.
    expect('missing' in (await spillway.describe(spill?.id ?? '', caller))).toBe(owner === 'a')
  }
})

test('a recall that found nothing is masked to what it said', async () => {
  const { spillway, textOf } = build()
  const said = long('no such output')
  const list = chatHistory([said, bulky(1), bulky(2)])
  list[1] = {
    role: 'assistant',
    content: null,
    tool_calls: [
      { id: 'call_0', type: 'function', function: { name: 'read_output', arguments: JSON.stringify({ id: UNKNOWN }) } },
    ],
  }
  const reply = await spillway.mask({ format: 'auto', key: 'messages', json: JSON.stringify(list), list }, caller)
  const id = /id=\\"(o_[a-z][a-p]{31})\\" tool=\\"read_output\\"/.exec(reply.json)?.[1] ?? ''
  expect(id).not.toBe(UNKNOWN)
  expect(textOf('acme', id)).toBe(said)
})

test('a text that claims an id and has a lone surrogate stays whole, and holds nothing up', async () => {
  const { mask } = build()
  const { ids, report } = await mask([withTrailer(`${long('odd')}\ud800`, UNKNOWN), long('even')])
  expect(ids).toEqual([null, expect.any(String)])
  expect(report).toMatchObject({ reason: 'masked' })
})

test('after a DELETE: the stubs that were shown stay, masking does not store the output again, and recall says it is gone', async () => {
  const { mask, spillway, textOf, calls } = build()
  const texts = [long('one'), long('two'), long('three')]
  const first = await mask(texts)
  const gone = first.ids[1] ?? ''
  await spillway.remove(gone, caller)
  const { put } = calls
  expect((await mask(texts)).ids).toEqual(first.ids)
  expect(calls.put).toBe(put)
  expect(await spillway.recall(gone, undefined, caller)).toEqual({ missing: 'final' })
  // Another masking event, of another history, is vouched for by nothing: it stores the output that it takes away.
  const other = await mask([long('two'), long('four')])
  expect(textOf('acme', other.ids[0] ?? '')).toBe(long('two'))
})

test('whatever trailers claim: what a stub leads to is the claimed raw output, or the text that stood there', async () => {
  const claim = fc.constantFrom('none', 'real', 'unknown', 'foreign', 'deleted')
  await fc.assert(
    fc.asyncProperty(fc.array(claim, { minLength: 1, maxLength: 6 }), async (claims) => {
      const { filter, mask, textOf, spillway } = build()
      const idOf = async (word: string, tenant?: string) => readTrailer(await filter(long(word), tenant))?.id ?? ''
      const known: Record<string, string> = {
        real: await idOf('real'),
        unknown: UNKNOWN,
        foreign: await idOf('foreign', 'other'),
        deleted: await idOf('deleted'),
      }
      await spillway.remove(known.deleted ?? '', caller)
      const texts = claims.map((kind, i) => {
        const id = known[kind]
        return id ? withTrailer(long(`${kind} ${i}`), id, long('real').length) : long(`${kind} ${i}`)
      })
      const { ids } = await mask(texts)
      for (const [i, id] of ids.entries())
        if (id !== null) expect(textOf('acme', id)).toBe(claims[i] === 'real' ? long('real') : texts[i])
      expect(ids.some((id) => id !== null)).toBe(true)
      expect((await mask(texts)).ids).toEqual(ids)
    }),
    { numRuns: 25 },
  )
})
