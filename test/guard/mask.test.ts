import { expect, it } from 'vitest'
import { spliceJson } from '../../src/engine/json.ts'
import { readStub, readTrailer } from '../../src/engine/marker.ts'
import { readPolicy } from '../../src/engine/policy.ts'
import { estimateTokens } from '../../src/engine/text/tokens.ts'
import { createGuards } from '../../src/guard/merge.ts'
import { createSecretsGuard } from '../../src/guard/secrets.ts'
import { createSpillway } from '../../src/service/index.ts'
import type { Guard } from '../../src/service/ports.ts'
import { defaultSettings } from '../../src/service/settings.ts'
import { createStore, keyOf } from '../doubles/store.ts'
import { createTimer } from '../doubles/timer.ts'
import { bulky, chatHistory } from '../service/histories.ts'
import { keysOf } from './keys.ts'

const caller = { tenant: 'acme', route: '/v1/mask' }
const keys = keysOf(5)
/** One result with keys of all kinds at its start, where a preview shows them, the others without any. */
const leaking = [...keys.map(([, shown]) => shown), bulky(0)].join('\n')
const contents = [leaking, ...Array.from({ length: 15 }, (_, i) => bulky(i + 1))]
const list = chatHistory(contents)
const request = { format: 'openai-chat', key: 'messages', json: JSON.stringify(list), list } as const
const policy = { ...defaultSettings.mask.policy, toolProtectionThreshold: 2000, minPrunableTokensThreshold: 1200 }

function build(guard: Guard = createSecretsGuard('redact'), changes: Partial<typeof policy> = {}) {
  const memory = createStore()
  const settings = { ...defaultSettings, mask: { ...defaultSettings.mask, policy: { ...policy, ...changes } } }
  const timer = createTimer().timer
  const one = createGuards([{ name: 'g', guard, failMode: 'closed', timeoutMs: null }], timer)
  return { ...memory, spillway: createSpillway({ settings, store: memory.store, keyOf, guard: one, now: () => 0 }) }
}

const textsIn = (held: ReturnType<typeof createStore>['held']) =>
  Array.from(held.values(), ({ content }) => new TextDecoder().decode(content))

function stubAt(json: string, index: number): string {
  const content: unknown = JSON.parse(json)[2 * index + 2].content
  return typeof content === 'string' ? content : ''
}

it('a result with keys in it is masked with what is left of it: nothing of a key is stored, or stands in the stub', async () => {
  const { spillway, held, textOf } = build()
  const reply = await spillway.mask(request, caller)
  expect(reply.report).toMatchObject({
    reason: 'masked',
    warnings: [expect.stringMatching(/^redacted: aws-access-key \(\d\)/)],
  })
  const stub = stubAt(reply.json, 0)
  const read = readStub(stub, 'call_0')
  expect(read).toMatchObject({ tokens: estimateTokens(leaking), chars: leaking.length })
  expect(textOf('acme', read?.id ?? '')).toContain('[redacted: github-token]')
  expect(stub).toContain('[redacted: aws-access-key]')
  for (const [, , secret] of keys) {
    for (const text of [stub, ...textsIn(held)]) expect(text).not.toContain(secret)
  }
  // The others of the event are as they came in.
  expect(textOf('acme', readStub(stubAt(reply.json, 1), 'call_1')?.id ?? '')).toBe(contents[1])
})

it('a later call writes nothing, and a masked history stays as it is', async () => {
  const { spillway, calls } = build()
  const first = await spillway.mask(request, caller)
  const { put } = calls
  const second = await spillway.mask(request, caller)
  expect([second.json, calls.put]).toEqual([first.json, put])
  const masked = { ...request, json: first.json, list: JSON.parse(first.json) }
  expect((await spillway.mask(masked, caller)).edits).toEqual([])
})

it('masks the same results as without a guard', async () => {
  const plain = await build({ judge: async () => ({ action: 'allow' }) }).spillway.mask(request, caller)
  const redacted = await build().spillway.mask(request, caller)
  expect(redacted.edits.map(({ pointer }) => pointer)).toEqual(plain.edits.map(({ pointer }) => pointer))
  expect(redacted.report.events).toBe(plain.report.events)
})

it.each([
  ['makes a text longer', (text: string) => `${'is not to be seen by anybody '.repeat(40)}\n${text.slice(4)}`],
  ['takes all of it', () => ''],
])('a guard that %s: no stub is larger than what it stands for', async (_, text) => {
  const guard: Guard = {
    judge: async (seen) =>
      seen.startsWith('run ') ? { action: 'redact', text: text(seen), reason: 'r' } : { action: 'allow' },
  }
  const { spillway, textOf } = build(guard)
  const reply = await spillway.mask(request, caller)
  expect(Number(reply.report.masked)).toBeGreaterThan(3)
  for (let i = 1; i < Number(reply.report.masked); i += 1) {
    const stub = stubAt(reply.json, i)
    expect(estimateTokens(stub)).toBeLessThan(estimateTokens(contents[i] ?? ''))
    expect(textOf('acme', readStub(stub, `call_${i}`)?.id ?? '')).toBe(text(contents[i] ?? ''))
  }
})

it('a result that is filtered as it comes in is filtered from what the guard has left', async () => {
  const read = readPolicy({ filterAtBirth: 1000 }, policy)
  const { spillway, held, textOf } = build(createSecretsGuard('redact'), read.ok ? read.value : {})
  const key = keys.find(([name]) => name === 'stripe-key')?.[1] ?? ''
  const output = `error: no access with ${key}\n${'row of a table\n'.repeat(3000)}`
  const history = chatHistory([output])
  const reply = await spillway.mask({ ...request, list: history, json: JSON.stringify(history) }, caller)
  expect(reply.edits).toHaveLength(1)
  const shown = stubAt(reply.json, 0)
  expect(shown).toContain('error: no access with [redacted: stripe-key]')
  expect(textOf('acme', readTrailer(shown)?.id ?? '')).toBe(output.replace(key, '[redacted: stripe-key]'))
  for (const text of [reply.json, ...textsIn(held)]) expect(text).not.toContain(key)
})

it.each([
  ['leaves it JSON', '[redacted: x]', true],
  ['does not leave it JSON', '"', false],
])('a result that is a JSON value is masked only where the guard %s', async (_, into, masked) => {
  const rows = Array.from({ length: 60 }, (_, i) => ({ name: `row ${i} of a table`, state: 'SECRET' }))
  const value = (i: number) => ({ functionResponse: { name: 'query', response: { at: i, rows } } })
  const history = Array.from({ length: 12 }, (_, i) => [
    { role: 'model', parts: [{ functionCall: { name: 'query', args: { i } } }] },
    { role: 'user', parts: [value(i)] },
  ]).flat()
  const guard: Guard = {
    judge: async (seen) =>
      seen.includes('SECRET')
        ? { action: 'redact', text: seen.replaceAll('SECRET', into), reason: 'r' }
        : { action: 'allow' },
  }
  const { spillway, held } = build(guard)
  const contentsOf = { format: 'gemini', key: 'contents', list: history, json: JSON.stringify(history) } as const
  const reply = await spillway.mask(contentsOf, caller)
  expect(reply.edits.length > 0).toBe(masked)
  expect(reply.report.reason).toBe(masked ? 'masked' : 'redacted')
  for (const { content, meta } of held.values()) {
    expect(new TextDecoder().decode(content)).not.toContain('SECRET')
    if (meta.kind === 'json') expect(() => JSON.parse(new TextDecoder().decode(content))).not.toThrow()
  }
  expect(spliceJson(contentsOf.json, reply.edits)).toBe(reply.json)
})
