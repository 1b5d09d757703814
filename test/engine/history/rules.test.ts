import { describe, expect, test } from 'vitest'
import { findCodec } from '../../../src/engine/history/all.ts'
import { commandOf } from '../../../src/engine/history/call.ts'
import type { ListKey, ToolResult } from '../../../src/engine/history/codec.ts'
import { IMAGE_TOKENS, measureHistory } from '../../../src/engine/history/measure.ts'

function results(format: string, key: ListKey, list: unknown[]): readonly ToolResult[] {
  const steps = findCodec(format, key, list)?.read(list) ?? []
  return steps.flatMap((step) => (step.kind === 'results' ? step.results : []))
}

const places = (found: readonly ToolResult[]) => found.flatMap((result) => result.parts.map((part) => part.pointer))

describe('what is a result', () => {
  test('Pi: a command that the human ran, with its exit code', () => {
    const [ran] = results('pi', 'messages', [
      { role: 'bashExecution', command: 'ls', output: 'a', exitCode: 1, timestamp: 5 },
    ])
    expect(ran).toMatchObject({
      tool: 'bash',
      exitCode: 1,
      input: { command: 'ls' },
      parts: [{ pointer: '/0/output' }],
    })
  })

  test('AI SDK UI: only what has come; a pending, streaming or provider-run call is left alone', () => {
    const part = (state: string, rest: object = {}) => ({
      type: 'tool-bash',
      toolCallId: state,
      state,
      output: 'x',
      ...rest,
    })
    const parts = [
      part('input-available'),
      part('input-streaming'),
      part('output-available', { providerExecuted: true }),
      part('output-available', { type: 'dynamic-tool', toolName: 'grep' }),
      part('output-error', { errorText: 'broke' }),
    ]
    const found = results('ai-sdk-ui', 'messages', [{ role: 'assistant', parts }])
    expect(found.map(({ tool, isError }) => [tool, isError])).toEqual([
      ['grep', false],
      ['bash', true],
    ])
    expect(places(found)).toEqual(['/0/parts/3/output', '/0/parts/4/errorText'])
  })

  test('OpenAI Responses: every kind of output but a screenshot', () => {
    const found = results('openai-responses', 'input', [
      { type: 'local_shell_call', id: 'l', call_id: 'l', action: { type: 'exec', command: ['bash', '-lc', 'make'] } },
      { type: 'local_shell_call_output', id: 'l', output: 'made' },
      { type: 'shell_call', call_id: 's', action: { commands: ['a', 'b'] } },
      {
        type: 'shell_call_output',
        call_id: 's',
        output: [{ stdout: 'out', stderr: 'err', outcome: { type: 'exit', exit_code: 3 } }],
      },
      {
        type: 'computer_call_output',
        call_id: 'c',
        output: { type: 'computer_screenshot', image_url: 'data:image/png;base64,' },
      },
      { type: 'mcp_call', id: 'm', name: 'search', arguments: '{}', output: 'found' },
      { type: 'custom_tool_call', call_id: 'k', name: 'apply', input: 'text' },
      {
        type: 'custom_tool_call_output',
        call_id: 'k',
        output: [{ type: 'input_text', text: 'ok' }, { type: 'input_image' }],
      },
    ])
    expect(places(found)).toEqual([
      '/1/output',
      '/3/output/0/stdout',
      '/3/output/0/stderr',
      '/5/output',
      '/7/output/0/text',
      '/7/output/1',
    ])
    expect(found.map(({ tool, exitCode }) => [tool, exitCode])).toEqual([
      ['local_shell', null],
      ['shell', 3],
      ['search', null],
      ['apply', null],
    ])
    expect(found.map(({ input }) => commandOf(input))).toEqual(['make', 'a\nb', null, null])
  })

  test('Gemini: calls of one name are answered in order, in camel and in snake case', () => {
    const found = results('gemini', 'contents', [
      { role: 'model', parts: [1, 2].map((n) => ({ functionCall: { name: 'sh', args: { command: `c${n}` } } })) },
      { role: 'user', parts: [1, 2].map((n) => ({ functionResponse: { name: 'sh', response: { output: `r${n}` } } })) },
      { role: 'model', parts: [{ function_call: { name: 'sh', args: { command: 'c3' } } }] },
      { role: 'user', parts: [{ function_response: { name: 'sh', response: { 'a/b~': ['r3'], error: 'no' } } }] },
    ])
    expect(found.map(({ callId, input }) => [callId, commandOf(input)])).toEqual([
      ['sh 1', 'c1'],
      ['sh 2', 'c2'],
      ['sh 3', 'c3'],
    ])
    expect(places(found).slice(2)).toEqual([
      '/3/parts/0/function_response/response/a~1b~0',
      '/3/parts/0/function_response/response/error',
    ])
    expect(found[2]?.isError).toBe(true)
  })

  test('MCP: both copies of a value, and embedded text resources', () => {
    const found = results('mcp', 'messages', [
      {
        content: [
          { type: 'text', text: 'a' },
          { type: 'image', data: 'AA==', mimeType: 'image/png' },
          { type: 'resource', resource: { uri: 'file:///a', text: 'b' } },
          { type: 'resource', resource: { uri: 'file:///c', blob: 'AA==' } },
          { type: 'resource_link', uri: 'file:///d', name: 'd' },
        ],
        structuredContent: { rows: [1], name: 'n', count: 2 },
      },
    ])
    expect(places(found)).toEqual([
      '/0/content/0/text',
      '/0/content/1',
      '/0/content/2/resource/text',
      '/0/content/3',
      '/0/structuredContent/rows',
      '/0/structuredContent/name',
    ])
  })

  test('OpenAI Chat: legacy functions are paired by name', () => {
    const [old] = results('openai-chat', 'messages', [
      { role: 'assistant', content: null, function_call: { name: 'run', arguments: '{"cmd":["ls","-l"]}' } },
      { role: 'function', name: 'run', content: 'x' },
    ])
    expect(old).toMatchObject({ tool: 'run', callId: '' })
    expect(commandOf(old?.input)).toBe('ls -l')
  })
})

const DATA = 'x2Fz'.repeat(50_000)

describe('size', () => {
  const image = (data: string) => [
    { role: 'user', content: [{ type: 'image', source: { media_type: 'image/png', data } }] },
  ]

  test('an image costs the same however it is encoded; a text does not', () => {
    expect(measureHistory(image('A'.repeat(10)))).toBe(measureHistory(image('A'.repeat(1_000_000))))
    const address = [
      {
        role: 'user',
        content: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(9999)}` } }],
      },
    ]
    expect(measureHistory(address)).toBeLessThan(2000)
    expect(measureHistory([{ role: 'user', content: 'word '.repeat(5000) }])).toBeGreaterThan(4000)
  })

  test.each([
    ['Bedrock', { image: { format: 'png', source: { bytes: DATA } } }],
    ['MCP', { type: 'image', data: DATA, mimeType: 'image/png' }],
    ['an MCP resource', { type: 'resource', resource: { uri: 'file:///a', mimeType: 'image/png', blob: DATA } }],
    ['Gemini', { inlineData: { mimeType: 'image/png', data: DATA } }],
    ['AI SDK', { type: 'file', mediaType: 'image/png', data: { type: 'data', data: DATA } }],
    ['AI SDK, of a user', { type: 'image', mediaType: 'image/png', image: DATA }],
    ['OpenAI Responses', { type: 'input_image', image_url: `data:image/png;base64,${DATA}` }],
  ])('an image in the form of %s is no text', (_, block) => {
    const size = measureHistory([{ role: 'user', content: [block] }])
    expect(size).toBeGreaterThanOrEqual(IMAGE_TOKENS)
    expect(size).toBeLessThan(IMAGE_TOKENS + 40)
  })

  test('a document costs by its length, whatever its form', () => {
    const pages = (block: object) => measureHistory([{ role: 'user', content: [block] }]) / IMAGE_TOKENS
    for (const block of [
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: DATA } },
      { document: { format: 'pdf', name: 'report', source: { bytes: DATA } } },
    ])
      expect(Math.round(pages(block))).toBe(3)
  })

  test('depth is no limit, and empty costs little', () => {
    let deep: unknown = 'x'
    for (let i = 0; i < 100_000; i += 1) deep = [deep]
    expect(measureHistory([deep])).toBeLessThan(100)
    expect(measureHistory([])).toBe(0)
  })
})
