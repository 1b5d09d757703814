/** What a guard's verdicts do to masking, and how it is asked. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSecretsGuard } from '../../src/guard/secrets.ts'
import { createSpillway, type SpillwayPorts } from '../../src/service/index.ts'
import type { Guard, GuardVerdict } from '../../src/service/ports.ts'
import { defaultSettings } from '../../src/service/settings.ts'
import { createStore, keyOf } from '../doubles/store.ts'
import { bulky, chatHistory } from './histories.ts'

const caller = { tenant: 'acme', route: '/v1/mask' }
const policy = { ...defaultSettings.mask.policy, toolProtectionThreshold: 2000, minPrunableTokensThreshold: 1200 }
const settings = { ...defaultSettings, mask: { ...defaultSettings.mask, policy } }
const token = 'ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'
const contents = Array.from({ length: 16 }, (_, i) => bulky(i))

function build(ports: Partial<SpillwayPorts> = {}) {
  const memory = createStore()
  const spillway = createSpillway({ settings, store: memory.store, keyOf, now: () => 0, ...ports })
  const mask = (list: unknown[], more: object = {}) =>
    spillway.mask({ format: 'openai-chat', key: 'messages', json: JSON.stringify(list), list, ...more }, caller)
  const texts = () => [...memory.held.values()].map(({ content }) => new TextDecoder().decode(content))
  return { ...memory, mask, texts }
}

/** A guard by the text alone. */
const guardOf = (verdict: (text: string, stage: string) => GuardVerdict): Guard => ({
  judge: async (text, stage) => verdict(text, stage),
})

const coloured = [
  `\u001b[35m.env\u001b[m\u001b[36m:\u001b[mGITHUB_TOKEN=\u001b[01;31m\u001b[Kghp_\u001b[m\u001b[K${token.slice(4)}`,
  ...Array.from(
    { length: 400 },
    (_, i) => `\u001b[35msrc/f${i % 7}.ts\u001b[m:const v${i} = "\u001b[01;31mghp_\u001b[m"`,
  ),
].join('\n')

test.each([[{ toolProtectionThreshold: 0, minPrunableTokensThreshold: 0 }], [{ filterAtBirth: 500 }]])(
  'a secret with a colour in it is kept out of stub, filtered form and store: %j',
  async (asked) => {
    const { mask, texts } = build({ guard: createSecretsGuard('redact') })
    const list = chatHistory([coloured])
    list[1] = {
      role: 'assistant',
      tool_calls: [
        {
          id: 'call_0',
          type: 'function',
          function: { name: 'bash', arguments: '{"command":"grep --color=always ghp_"}' },
        },
      ],
    }
    const { json, report } = await mask(list, { policy: asked })
    expect(report).toMatchObject({ reason: 'masked' })
    expect(json).not.toContain(token)
    expect(texts().some((text) => text.includes('[redacted: github-token]'))).toBe(true)
    expect(texts().join('')).not.toContain(token)
  },
)

test('what only the shown form gives away is judged, too: the result stays whole, the others are masked', async () => {
  const guard = guardOf((text, stage) =>
    stage === 'filtered' && text.includes('run 1:') ? { action: 'block', reason: 'r' } : { action: 'allow' },
  )
  const { mask, texts } = build({ guard })
  const { json, report } = await mask(chatHistory(contents))
  expect(report).toMatchObject({
    reason: 'masked',
    warnings: [expect.stringMatching(/^blocked: 1 result stays whole/)],
  })
  expect(json).toContain(JSON.stringify(contents[1]))
  expect(json).not.toContain(JSON.stringify(contents[0]))
  expect(texts()).not.toContain(contents[1])
})

const odd: [name: string, verdict: (text: string) => GuardVerdict][] = [
  ['blocked', () => ({ action: 'block', reason: 'r' })],
  ['redacted', (text) => ({ action: 'redact', reason: 'r', text: `${text.slice(0, 20)}\ud800` })],
]

test.each(odd)('a result that is %s stays whole, and holds up no other', async (code, verdict) => {
  const guard = guardOf((text) => (text.startsWith('run 1:') ? verdict(text) : { action: 'allow' }))
  const { mask, texts } = build({ guard })
  const { json, report } = await mask(chatHistory(contents))
  const free = await build().mask(chatHistory(contents))
  expect(Number(report.masked)).toBeGreaterThanOrEqual(Number(free.report.masked) - 3)
  expect(report).toMatchObject({ reason: 'masked', warnings: [expect.stringContaining(`${code}: `)] })
  expect(json).toContain(JSON.stringify(contents[1]))
  expect(texts()).not.toContain(contents[1])
})

/** Output of `go test -v` that is filtered as it comes in, and still is large. */
const tested = Array.from({ length: 16 }, (_, i) =>
  [
    `run ${i}: item`,
    ...Array.from({ length: 100 }, (_, j) => `=== RUN   Test${j}\n--- PASS: Test${j} (0.00s)`),
    ...Array.from(
      { length: 25 },
      (_, j) => `--- FAIL: TestX${i}_${j} (0.00s)\n    a_test.go:${j}: got item ${j}, want ${i}`,
    ),
    'FAIL',
    'FAIL\texample.com/shop\t0.2s',
  ].join('\n'),
)

test('whatever is blocked or redacted: who keeps what came back sends the same bytes as who sends the originals', async () => {
  const verdicts = fc.array(fc.constantFrom('allow', 'allow', 'block', 'redact'), { minLength: 16, maxLength: 16 })
  let masked = 0
  await fc.assert(
    fc.asyncProperty(verdicts, fc.boolean(), async (said, births) => {
      const guard = guardOf((text) => {
        const verdict = said[Number(/^run (\d+):/.exec(text)?.[1] ?? -1)]
        if (verdict === 'block') return { action: 'block', reason: 'r' }
        // Longer than what it stands for: sizes change.
        const left = text.replaceAll('item', '[redacted: something of the kind]')
        return verdict === 'redact' ? { action: 'redact', reason: 'r', text: left } : { action: 'allow' }
      })
      const asked = births ? { policy: { filterAtBirth: 500 } } : {}
      const list: unknown[] = JSON.parse(
        JSON.stringify(chatHistory(births ? tested : contents)).replaceAll(/\.\/report\.sh \d+/g, 'go test -v'),
      )
      const [one, other] = [build({ guard }), build({ guard })]
      let kept = list.slice(0, 1)
      for (let i = 1; i < list.length - 1; i += 2) {
        kept.push(...list.slice(i, i + 2))
        const stateless = await one.mask(list.slice(0, i + 2), asked)
        const stateful = await other.mask(kept, asked)
        expect(stateful.json).toBe(stateless.json)
        kept = JSON.parse(stateful.json)
        masked += Number(stateless.report.masked)
      }
    }),
    { numRuns: 16 },
  )
  expect(masked).toBeGreaterThan(100)
})

test('a guard is asked about few results at a time, about each text once, and told the tool', async () => {
  let live = 0
  let most = 0
  const asked: string[] = []
  const tools = new Set<string | null>()
  const guard: Guard = {
    async judge(text, stage, { tool }) {
      live += 1
      most = Math.max(most, live)
      asked.push(`${stage} ${text}`)
      tools.add(tool)
      await new Promise((resolve) => setTimeout(resolve, 1))
      live -= 1
      return { action: 'allow' }
    },
  }
  const { mask } = build({ guard })
  const list = chatHistory(Array.from({ length: 80 }, (_, i) => bulky(i)))
  expect(await mask(list, { policy: { filterAtBirth: 300 } })).toMatchObject({ report: { reason: 'masked' } })
  expect(asked.length).toBeGreaterThan(100)
  expect(most).toBeLessThanOrEqual(6)
  expect(new Set(asked).size).toBe(asked.length)
  expect([...tools]).toEqual(['bash'])
})

test.each(['open', 'closed'] as const)('a guard that fails is not waited for again and again: %s', async (failMode) => {
  let waits = 0
  const fires: (() => void)[] = []
  const guard: Guard = { judge: () => new Promise(() => {}) }
  const timer = (_: number, fire: () => void) => {
    // Whatever waits is late as soon as nothing else happens.
    if (fires.push(fire) === 1)
      setTimeout(() => {
        waits += 1
        for (const each of fires.splice(0)) each()
      }, 5)
    return () => {}
  }
  const { mask } = build({ guard, timer, settings: { ...settings, guard: { ...settings.guard, failMode } } })
  const { report } = await mask(chatHistory(Array.from({ length: 80 }, (_, i) => bulky(i))))
  expect(report.reason).toBe(failMode === 'open' ? 'masked' : 'guard-failed')
  expect(waits).toBeLessThanOrEqual(8)
})

test('an output that two events of a call hold is put once', async () => {
  const puts = new Map<string, number>()
  const memory = createStore(async (operation, id) => {
    if (operation !== 'put') return
    puts.set(id, (puts.get(id) ?? 0) + 1)
    await new Promise((resolve) => setTimeout(resolve, 1))
  })
  const passed = Array.from({ length: 200 }, (_, j) => `=== RUN   Test${j}\n--- PASS: Test${j} (0.00s)`).join('\n')
  const outputs = Array.from({ length: 20 }, (_, i) =>
    [
      passed,
      ...Array.from({ length: 12 }, (_, j) => `--- FAIL: TestX${i}_${j} (0.00s)\n    a_test.go:${j}: got ${j}`),
      'FAIL',
    ].join('\n'),
  )
  const list = JSON.parse(JSON.stringify(chatHistory(outputs)).replaceAll(/\.\/report\.sh \d+/g, 'go test -v'))
  const { mask } = build({ store: memory.store })
  const asked = { policy: { filterAtBirth: 500, toolProtectionThreshold: 500, minPrunableTokensThreshold: 500 } }
  const { report } = await mask(list, asked)
  expect(report).toMatchObject({ reason: 'masked' })
  expect(Number(report.filtered)).toBeGreaterThan(0)
  expect(Number(report.masked)).toBeGreaterThan(5)
  expect(Math.max(...puts.values())).toBe(1)
})

test('an event of more outputs than a call may store is stored over several calls, then takes effect', async () => {
  const few = { ...settings, mask: { ...settings.mask, maxSpills: 4 } }
  const { mask, calls } = build({ settings: few })
  const asked = { policy: { minPrunableTokensThreshold: 5000 } }
  const reasons: unknown[] = []
  let puts = 0
  for (let call = 0; call < 5; call += 1) {
    const { report } = await mask(chatHistory(contents), asked)
    reasons.push(report.reason)
    // Four outputs and their marker.
    expect(calls.put - puts).toBeLessThanOrEqual(5)
    puts = calls.put
  }
  expect(reasons[0]).toBe('too-many-spills')
  expect(reasons.at(-1)).toBe('masked')
  const whole = await build().mask(chatHistory(contents), asked)
  expect((await mask(chatHistory(contents), asked)).json).toBe(whole.json)
})
