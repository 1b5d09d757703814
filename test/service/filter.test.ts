import { expect, test } from 'vitest'
import { createSpillway, type SpillwayPorts } from '../../src/service/index.ts'
import type { Guard } from '../../src/service/ports.ts'
import { defaultSettings } from '../../src/service/settings.ts'
import { shortEngine } from '../doubles/engine.ts'
import { createStore, keyOf } from '../doubles/store.ts'
import { createSink } from '../doubles/telemetry.ts'

const caller = { tenant: 'acme', route: '/v1/filter' }
const output = Array.from({ length: 200 }, (_, i) => `line ${i} of what a tool has printed`).join('\n')

function build(ports: Partial<SpillwayPorts> = {}) {
  const memory = createStore()
  const telemetry = createSink()
  const base = { settings: defaultSettings, store: memory.store, keyOf, telemetry, engine: shortEngine, now: () => 0 }
  return { ...memory, telemetry, spillway: createSpillway({ ...base, ...ports }) }
}

function guarding(judge: (text: string, stage: 'raw' | 'filtered') => Awaited<ReturnType<Guard['judge']>>): Guard {
  return { judge: async (text, stage) => judge(text, stage) }
}

test('a long output is stored whole, then shortened, with its id in the trailer', async () => {
  const { spillway, textOf, telemetry } = build()
  const reply = await spillway.filter({ streams: { output }, command: 'make' }, caller)
  expect(reply).toMatchObject({ filtered: true, reason: null, family: 'test', strategy: 'ends' })
  const id = reply.spill?.id ?? ''
  expect(textOf('acme', id)).toBe(output)
  expect(reply.streams).toEqual({ output: expect.stringContaining(`full output: ${id}`) })
  expect(telemetry.events).toEqual([
    expect.objectContaining({
      operation: 'filter',
      outcome: 'ok',
      family: 'test',
      lines: 200,
      spills: 1,
      bytes: output.length,
      tokensSaved: reply.tokens.before - reply.tokens.after,
      engineMs: -1,
    }),
  ])
})

test('a short output comes back as it is, and nothing is stored', async () => {
  const { spillway, calls } = build()
  const reply = await spillway.filter({ streams: { output: 'ok\n' } }, caller)
  expect(reply).toMatchObject({ streams: { output: 'ok\n' }, filtered: false, reason: 'small', spill: null })
  expect(calls.put).toBe(0)
})

test('without a store the trailer says that nothing is stored', async () => {
  const spillway = createSpillway({ settings: defaultSettings, engine: shortEngine })
  const reply = await spillway.filter({ streams: { output } }, caller)
  expect(reply).toMatchObject({ filtered: true, spill: null })
  expect(reply.streams).toEqual({ output: expect.stringContaining('not stored') })
})

test('the bytes received are what is stored, not what they were decoded to', async () => {
  const { spillway, held } = build()
  const raw = new Uint8Array([...new TextEncoder().encode(output), 0x0a, 0xff, 0xfe])
  const reply = await spillway.filter({ streams: { output: new TextDecoder().decode(raw) }, raw }, caller)
  expect(held.get(`acme/${reply.spill?.id}`)?.content).toEqual(raw)
  expect(reply.spill?.bytes).toBe(raw.length)
})

test('streams that came apart come back apart, and are stored as one output', async () => {
  const { spillway, held, textOf } = build()
  const stdout = `ü${output}`
  const reply = await spillway.filter({ streams: { stdout, stderr: 'warning: x\n' } }, caller)
  const id = reply.spill?.id ?? ''
  expect(reply.streams).toEqual({ stdout: expect.stringContaining(id), stderr: 'warning: x\n' })
  expect(textOf('acme', id)).toBe(`${stdout}warning: x\n`)
  expect(held.get(`acme/${id}`)?.meta).toEqual({ kind: 'text', stdoutBytes: output.length + 2 })
  expect(reply.lines).toEqual({ in: 202, kept: 4, restated: 0, elided: 198 })
})

test('switched off, every output comes back as it is, but still judged', async () => {
  const settings = { ...defaultSettings, filters: { ...defaultSettings.filters, enabled: false } }
  const guard = guarding((text) => ({ action: 'redact', text: text.replace('line 7', 'LINE'), reason: 'seven' }))
  const { spillway, calls } = build({ settings, guard })
  const reply = await spillway.filter({ streams: { output } }, caller)
  expect(reply).toMatchObject({
    filtered: false,
    reason: 'disabled',
    streams: { output: output.replace('line 7', 'LINE') },
  })
  expect(calls.put).toBe(0)
})

test('a text with half a character comes back as it is: it could not be given back as it was', async () => {
  const { spillway, calls } = build()
  const reply = await spillway.filter({ streams: { output: `${output}\ud83d` } }, caller)
  expect(reply).toMatchObject({ filtered: false, reason: 'lone-surrogates', streams: { output: `${output}\ud83d` } })
  expect(calls.put).toBe(0)
})

test('a blocked result is neither returned nor stored', async () => {
  const guard = guarding(() => ({ action: 'block', reason: 'a key]\nin the output' }))
  const { spillway, calls, telemetry } = build({ guard })
  const reply = await spillway.filter({ streams: { stdout: output, stderr: 'secret' } }, caller)
  expect(reply.streams).toEqual({ stdout: '[blocked: a key in the output]', stderr: '' })
  expect(reply).toMatchObject({ filtered: false, reason: 'blocked', spill: null })
  expect(calls.put).toBe(0)
  expect(telemetry.events.map((event) => event.outcome)).toEqual(['blocked'])
})

test('what the guard redacts is neither returned nor stored, nor are the bytes received', async () => {
  const guard = guarding((text) => ({
    action: 'redact',
    text: text.replaceAll('line 150', '[redacted]'),
    reason: 'key',
  }))
  const { spillway, textOf } = build({ guard })
  const raw = new TextEncoder().encode(output)
  const reply = await spillway.filter({ streams: { output }, raw }, caller)
  expect(textOf('acme', reply.spill?.id ?? '')).toBe(output.replaceAll('line 150', '[redacted]'))
  expect(reply.warnings).toContain('redacted: key')
})

test('a guard that objects to the filtered text has the last word', async () => {
  const redact = guarding((text, stage) =>
    stage === 'raw' ? { action: 'allow' } : { action: 'redact', text: text.replace('line 0', '***'), reason: 'late' },
  )
  const redacted = await build({ guard: redact }).spillway.filter({ streams: { output } }, caller)
  expect(redacted.streams).toEqual({ output: expect.stringMatching(/^\*\*\* of what/) })

  const block = guarding((_, stage) => (stage === 'raw' ? { action: 'allow' } : { action: 'block', reason: 'late' }))
  const blocked = await build({ guard: block }).spillway.filter({ streams: { output } }, caller)
  expect(blocked).toMatchObject({ streams: { output: '[blocked: late]' }, reason: 'blocked', spill: null })
})

test.each([
  ['read it with the tool: {id}', /read it with the tool: o_t[a-p]{31};/],
  ['two\nlines] and no id', /two lines {2}and no id o_t[a-p]{31};/],
  ['x'.repeat(1000), /full output: o_t[a-p]{31};/],
])('the words of a hint always end up in one trailer with the id', async (hint, expected) => {
  const engine = { ...shortEngine, planFilter: withHint }
  const { spillway } = build({ engine })
  const reply = await spillway.filter({ streams: { output }, hint }, caller)
  expect(reply.streams).toEqual({ output: expect.stringMatching(expected) })

  function withHint(...given: Parameters<typeof shortEngine.planFilter>) {
    const plan = shortEngine.planFilter(...given)
    const [, context] = given
    return plan.changed && context.hint !== undefined ? { ...plan, hint: context.hint } : plan
  }
})

test('a bound for the tokens of a result is one for both streams together', async () => {
  const bounds: (number | undefined)[] = []
  const engine = {
    ...shortEngine,
    planFilter(...given: Parameters<typeof shortEngine.planFilter>) {
      bounds.push(given[1].maxTokens)
      return shortEngine.planFilter(...given)
    },
  }
  const { spillway } = build({ engine })
  const stderr = 'all is well; '.repeat(8)
  await spillway.filter({ streams: { stdout: output, stderr }, maxTokens: 100 }, caller)
  const need = engine.estimateTokens(stderr)
  expect(need).toBeLessThan(50)
  expect(bounds).toEqual([100 - need, need])
})

test('a store without keys is refused when Spillway is made', () => {
  expect(() => createSpillway({ settings: defaultSettings, store: createStore().store })).toThrow('keyOf')
})
