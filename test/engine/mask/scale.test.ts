import { describe, expect, test } from 'vitest'
import { planMask } from '../../../src/engine/mask.ts'
import { DEFAULT_POLICY, type MaskPolicy, readPolicy } from '../../../src/engine/policy.ts'
import { createScale } from '../../../src/engine/scale.ts'
import { estimateTokens } from '../../../src/engine/text/tokens.ts'

const lines = (word: string) =>
  Array.from({ length: 400 }, (_, i) => `${word} ${i} of what the tool has said\n`).join('')

/** A session of Pi, one result a call, the model named by each message. */
function session(models: readonly string[]): unknown[] {
  const steps = models.flatMap((model, i) => [
    {
      role: 'assistant',
      model,
      api: 'openai-responses',
      content: [{ type: 'toolCall', id: `c${i}`, name: 'bash', arguments: { command: 'ls' } }],
    },
    { role: 'toolResult', toolCallId: `c${i}`, toolName: 'bash', content: [{ type: 'text', text: lines(`w${i}`) }] },
  ])
  return [{ role: 'user', content: 'Fix it.' }, ...steps, { role: 'assistant', model: models.at(-1), content: [] }]
}

const EACH = estimateTokens(lines('w0'))
/** Two results fit as they are estimated; at 1.2 the second does not. */
const POLICY: MaskPolicy = {
  ...DEFAULT_POLICY,
  toolProtectionThreshold: Math.floor(2.2 * EACH),
  minPrunableTokensThreshold: 1,
}

function masked(list: readonly unknown[], policy = POLICY, model?: string) {
  const plan = planMask({ format: 'auto', key: 'messages', list, policy, ...(model !== undefined && { model }) })
  if (!plan.ok) throw new Error(plan.message)
  return plan.render({ ids: plan.spills.map(() => null), events: plan.events.length }).report
}

describe('scale', () => {
  test('is the first match for the model, whatever the provider calls it, and 1 for others', () => {
    const scaleOf = createScale({
      scale: null,
      scales: [{ model: 'claude-next*', scale: 1.6 }, ...DEFAULT_POLICY.scales],
    })
    expect(scaleOf('claude-next-1')).toBe(1.6)
    for (const name of ['claude-opus-4-5', 'us.anthropic.Claude-sonnet-4-5-v1:0', 'anthropic/claude-opus-4.5'])
      expect(scaleOf(name)).toBe(1.2)
    expect([scaleOf('gpt-5.1'), scaleOf('gemini-3-pro'), scaleOf(null)]).toEqual([1, 1, 1])
    expect(createScale({ scale: 2, scales: DEFAULT_POLICY.scales })('claude-opus-4-5')).toBe(2)
  })

  test('thresholds are in the tokens of the model that the history names', () => {
    expect(masked(session(['gpt-5', 'gpt-5', 'gpt-5']))).toMatchObject({ masked: 1, scale: 1 })
    expect(masked(session(['claude-x', 'claude-x', 'claude-x']))).toMatchObject({ masked: 2, scale: 1.2 })
  })

  test("a request's model goes over the history's, and a policy's scale over both", () => {
    const list = session(['claude-x', 'claude-x', 'claude-x'])
    expect(masked(list, POLICY, 'gpt-5')).toMatchObject({ masked: 1, scale: 1 })
    expect(masked(list, { ...POLICY, scale: 3 }, 'gpt-5')).toMatchObject({ masked: 3, scale: 3 })
  })

  test('what the report says is not scaled', () => {
    const list = session(['gpt-5', 'gpt-5', 'gpt-5'])
    const { tokensBefore } = masked(list)
    expect(masked(list, { ...POLICY, scale: 2 }).tokensBefore).toBe(tokensBefore)
  })

  test('another model later in the session changes no decision of before', () => {
    const list = session(['gpt-5', 'gpt-5', 'claude-x', 'claude-x', 'claude-x'])
    for (let end = 2; end < list.length; end += 2) {
      const before = masked(list.slice(0, end))
      const after = masked([...list.slice(0, end), { role: 'assistant', model: 'claude-x', content: [] }])
      expect(after.masked).toBeGreaterThanOrEqual(before.masked)
      expect(after.masked - after.maskedNow).toBe(before.masked)
    }
  })

  test('a history of Anthropic messages is read by Claude unless a message says otherwise', () => {
    const call = (model?: string) => [
      { role: 'assistant', ...(model && { model }), content: [{ type: 'tool_use', id: 'a', name: 'x', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'y' }] },
    ]
    expect(masked(call()).scale).toBe(1.2)
    expect(masked(call('kimi-k2')).scale).toBe(1)
  })

  test('a request may give a scale within reason, and no table', () => {
    expect(readPolicy({ scale: 1.3 })).toMatchObject({ ok: true, value: { scale: 1.3 } })
    expect(readPolicy({ scale: null }, { ...DEFAULT_POLICY, scale: 2 })).toMatchObject({ value: { scale: null } })
    for (const scale of [0, 5, '1', Number.NaN, true])
      expect(readPolicy({ scale })).toMatchObject({ pointer: '/scale' })
    expect(readPolicy({ scales: [] })).toMatchObject({ ok: false, pointer: '/scales' })
  })
})
