import { describe, expect, test } from 'vitest'
import type { MaskPolicy } from '../../../src/engine/policy.ts'
import { DEFAULT_POLICY } from '../../../src/engine/policy.ts'
import { estimateTokens } from '../../../src/engine/text/tokens.ts'
import { mask } from '../../support/masking.ts'

/** At most `tokens` tokens, and hardly fewer, of lines that differ. */
function text(tokens: number, word: string): string {
  const lines = (count: number) => Array.from({ length: count }, (_, i) => `${word} line ${i} of the output\n`).join('')
  let [low, high] = [1, tokens]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (estimateTokens(lines(middle)) <= tokens) low = middle
    else high = middle - 1
  }
  return lines(low)
}

const human = { role: 'user', content: 'Fix it.' }
const done = { role: 'assistant', content: 'Done.' }

/** In the shape of OpenAI Chat, whose tokens are counted as they are estimated. */
function call(id: string, content: unknown, name = 'bash', input: object = { command: 'ls' }): unknown[] {
  return [
    { role: 'assistant', content: null, tool_calls: [{ id, function: { name, arguments: JSON.stringify(input) } }] },
    { role: 'tool', tool_call_id: id, content },
  ]
}

function masked(list: unknown[], policy: MaskPolicy = DEFAULT_POLICY) {
  const result = mask('openai-chat', 'messages', JSON.stringify(list), policy)
  return { ...result, places: result.edits.map((edit) => Number(edit.pointer.split('/')[1])) }
}

const EAGER: MaskPolicy = { ...DEFAULT_POLICY, toolProtectionThreshold: 0, minPrunableTokensThreshold: 1 }

describe("what peers' tests show", () => {
  test('of 60,000, 20,000 and 10,000 tokens the oldest alone goes', () => {
    const list = [
      human,
      ...call('a', text(60_000, 'a')),
      ...call('b', text(20_000, 'b')),
      ...call('c', text(10_000, 'c')),
      done,
    ]
    expect(masked(list)).toMatchObject({ places: [2], report: { masked: 1, maskedNow: 0 } })
  })

  test('of twelve of 10,000 tokens the oldest four go, by one event, and the next event waits for four more', () => {
    const grow = (count: number) => [
      human,
      ...Array.from({ length: count }, (_, i) => call(`c${i}`, text(10_000, `w${i}`))).flat(),
      done,
    ]
    // Five fit the budget. Three beyond it free a little under 30,000, stubs counted: the event waits for the fourth, which
    // is outside once nine are read. From there on it stands: with twelve, three more are outside, and wait.
    expect(masked(grow(8)).report).toMatchObject({ masked: 0, reason: 'below-minimum' })
    expect(masked(grow(9)).report).toMatchObject({ masked: 4, maskedNow: 4, firstChange: 2 })
    expect(masked(grow(12))).toMatchObject({ places: [2, 4, 6, 8], report: { masked: 4, maskedNow: 0, events: 1 } })
    expect(masked(grow(13)).report).toMatchObject({ masked: 8, maskedNow: 4, events: 2 })
  }, 30_000)

  test('results that no answer came after stay, whatever their size', () => {
    expect(masked([human, ...call('a', text(90_000, 'a'))]).edits).toEqual([])
  }, 30_000)

  test('a shell result keeps its sections', () => {
    const output = JSON.stringify({ output: text(900, 'out'), stderr: 'ld: symbol not found\n', exit_code: 2 })
    const [edit] = masked([human, ...call('a', output, 'shell', { command: 'make' }), done], EAGER).edits
    expect(edit && 'value' in edit && edit.value).toMatch(
      /\nOutput: out line 0.*\nError: ld: symbol not found\nExit Code: 2\n\[/s,
    )
  })

  test('media beside a text are as they were', () => {
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }
    const result = masked([human, ...call('a', [image, { type: 'text', text: text(900, 'a') }, image]), done], EAGER)
    expect(result.edits.map((edit) => edit.pointer)).toEqual(['/2/content/1/text'])
    expect(result.list[2]).toMatchObject({ content: [image, { type: 'text' }, image] })
  })

  test('exempt tools stay at any depth of the history', () => {
    const filler = Array.from({ length: 30 }, (_, i) => call(`f${i}`, text(900, `f${i}`))).flat()
    const exempt = ['skill', 'memory', 'ask_user_question', 'mem_search', 'subagent_result'].flatMap((name, i) =>
      call(`e${i}`, text(900, name), name),
    )
    const result = masked([human, ...exempt, ...filler, done], EAGER)
    expect(Math.min(...result.places)).toBeGreaterThan(exempt.length)
    expect(result.report.masked).toBe(30)
  })

  test('nothing grows, and what is masked is not masked again', () => {
    const list = [human, ...call('a', text(900, 'a')), ...call('b', 'ok'), ...call('c', text(70, 'c')), done]
    const once = masked(list, EAGER)
    expect(once.report.tokensAfter).toBeLessThan(once.report.tokensBefore)
    for (const edit of once.edits) {
      const before = list[Number(edit.pointer.split('/')[1])]
      expect(JSON.stringify(before).length).toBeGreaterThan('value' in edit ? JSON.stringify(edit.value).length : 0)
    }
    const twice = masked(once.list, EAGER)
    expect([twice.edits, twice.report.masked]).toEqual([[], once.report.masked])
  })
})

test('5,000 messages take time in proportion, whatever waits, is repeated or never pays', () => {
  const list = [
    human,
    ...Array.from({ length: 2500 }, (_, i) =>
      call(`c${i}`, text(60, `w${i % 7}`), 'read', { path: `p${i % 7}` }),
    ).flat(),
  ]
  for (const policy of [
    { ...EAGER, dedupeCalls: true, keepLatestRead: true },
    { ...EAGER, maxPayback: 1e-9 },
    { ...EAGER, thinking: 'wait' as const },
  ]) {
    const result = masked(list, policy)
    expect(result.list).toHaveLength(list.length)
    expect(masked(result.list, policy).json).toBe(result.json)
  }
}, 60_000)
