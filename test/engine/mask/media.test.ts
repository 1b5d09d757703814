import { describe, expect, test } from 'vitest'
import { valueAt } from '../../../src/engine/json.ts'
import { readStub } from '../../../src/engine/marker.ts'
import { type MaskPolicy, readPolicy } from '../../../src/engine/policy.ts'
import { mask, shownBy, TIGHT } from '../../support/masking.ts'

const EAGER: MaskPolicy = {
  ...TIGHT,
  toolProtectionThreshold: 0,
  minPrunableTokensThreshold: 1,
  maskMedia: true,
  scale: 1,
}
const human = { role: 'user', content: 'Look.' }
const done = { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] }

function screenshot(id: string, content: unknown, tool = 'screenshot'): unknown[] {
  return [
    { role: 'assistant', content: [{ type: 'tool_use', id, name: tool, input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] },
  ]
}
const png = (word: string, rest: object = {}) => ({
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data: word.repeat(3000) },
  ...rest,
})
const text = { type: 'text', text: 'The page, as it is shown.' }

function masked(list: unknown[], policy = EAGER, json = JSON.stringify(list)) {
  const result = mask('anthropic', 'messages', json, policy)
  return { ...result, places: result.edits.map((edit) => edit.pointer) }
}

describe('old media', () => {
  const list = [
    human,
    ...screenshot('a', [text, png('AAAA')]),
    ...screenshot('b', [png('BBBB'), text]),
    ...screenshot('c', [png('CCCC')]),
    done,
  ]

  test('stay unless masking them is asked for', () => {
    expect(masked(list, { ...EAGER, maskMedia: false }).edits).toEqual([])
  })

  test('become a text in their place, the newest stays; the text beside them stays', () => {
    const result = masked(list)
    expect(result.places).toEqual(['/2/content/0/content/1', '/4/content/0/content/0'])
    expect(result.list[2]).toMatchObject({
      content: [{ tool_use_id: 'a', content: [text, { type: 'text', text: shownBy(result.edits[0]) }] }],
    })
    expect(valueAt(result.list, '/6')).toEqual(list[6])
    expect(shownBy(result.edits[0])).toMatch(
      /^<tool_output_masked [^>]*>\nMedia: image\/png\n\[\d+ characters masked; /,
    )
  })

  test('are given back as the exact JSON that came in, and counted as an image, not as text', () => {
    const json = JSON.stringify(list).replace('{"type":"image"', '{ "type" : "image", "n":1.0')
    const result = masked(list, EAGER, json)
    const [first] = result.edits
    const stub = readStub(shownBy(first), 'a')
    const spill = result.store.get(stub?.id ?? '')
    expect(spill?.kind).toBe('json')
    expect(spill?.content.startsWith('{ "type" : "image", "n":1.0,"source"')).toBe(true)
    expect(json).toContain(spill?.content)
    expect(stub).toMatchObject({ lines: 1, chars: spill?.content.length, tool: 'screenshot' })
    expect(stub?.tokens).toBeGreaterThan(1600)
    expect(stub?.tokens).toBeLessThan(1700)
  })

  test('stay within the protected budget', () => {
    expect(masked(list, { ...EAGER, toolProtectionThreshold: 4000 }).places).toEqual(['/2/content/0/content/1'])
    expect(masked(list, { ...EAGER, toolProtectionThreshold: 9000 }).places).toEqual([])
  })

  test('stay where they are smaller than what would stand for them, or lead elsewhere', () => {
    const small = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }
    const url = { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } }
    const kept = [human, ...screenshot('a', [small, url]), ...screenshot('b', [png('BBBB')]), done]
    expect(masked(kept).edits).toEqual([])
  })

  test('of protected tools and of pinned calls stay', () => {
    const kept = [human, ...screenshot('a', [png('AAAA')], 'ask_user'), ...screenshot('b', [png('BBBB')])]
    expect(masked([...kept, ...screenshot('c', [png('CCCC')]), done], { ...EAGER, pinned: ['b'] }).edits).toEqual([])
  })

  test('a cache breakpoint on an image stays where it was', () => {
    const marked = png('AAAA', { cache_control: { type: 'ephemeral', ttl: '1h' } })
    const result = masked([human, ...screenshot('a', [marked]), ...screenshot('b', [png('BBBB')]), done])
    expect(valueAt(result.list, '/2/content/0/content/0')).toEqual({
      type: 'text',
      cache_control: { type: 'ephemeral', ttl: '1h' },
      text: shownBy(result.edits[0]),
    })
  })

  test('that are the same again may point to the one above', () => {
    const call = (id: string) => screenshot(id, [png('AAAA')])
    const policy = { ...EAGER, toolProtectionThreshold: 100_000, dedupeCalls: true }
    const result = masked([human, ...call('a'), ...call('b'), done], policy)
    expect(result.places).toEqual(['/4/content/0/content/0'])
    expect(readStub(shownBy(result.edits[0]), 'b')).toMatchObject({ same: 'a' })
  })
})

test('a document says what it is', () => {
  const pdf = { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'JVBE'.repeat(3000) } }
  const result = masked([human, ...screenshot('a', [pdf]), ...screenshot('b', [png('BBBB')]), done])
  expect(shownBy(result.edits[0])).toContain('\nMedia: application/pdf\n')
})

test('in Gemini nothing but media may stand beside a response: there they stay', () => {
  const part = {
    functionResponse: {
      name: 'look',
      response: {},
      parts: [{ inlineData: { mimeType: 'image/png', data: 'A'.repeat(9000) } }],
    },
  }
  const turn = [
    { role: 'model', parts: [{ functionCall: { name: 'look', args: {} } }] },
    { role: 'user', parts: [part] },
  ]
  const list = [...turn, ...turn, { role: 'model', parts: [{ text: 'Done.' }] }]
  expect(mask('gemini', 'contents', JSON.stringify(list), EAGER).edits).toEqual([])
})

test('a screenshot that operates a computer stays', () => {
  const turn = (id: string) => [
    { type: 'computer_call', call_id: id, action: { type: 'screenshot' } },
    {
      type: 'computer_call_output',
      call_id: id,
      output: { type: 'computer_screenshot', image_url: `data:image/png;base64,${'A'.repeat(9000)}` },
    },
  ]
  const list = [human, ...turn('a'), ...turn('b'), { role: 'assistant', content: 'Done.' }]
  expect(mask('openai-responses', 'input', JSON.stringify(list), EAGER).edits).toEqual([])
})

test('the setting is true or false', () => {
  expect(readPolicy({ maskMedia: true })).toMatchObject({ ok: true, value: { maskMedia: true } })
  expect(readPolicy({ maskMedia: 'images' })).toMatchObject({ ok: false, pointer: '/maskMedia' })
})
