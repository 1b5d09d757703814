import type Anthropic from '@anthropic-ai/sdk'
import type { Message } from '@aws-sdk/client-bedrock-runtime'
import type { Content } from '@google/genai'
import type { CallToolResultSchema } from '@modelcontextprotocol/core'
import type { ModelMessage, UIMessage } from 'ai'
import type OpenAI from 'openai'
import type * as z from 'zod'
import type { ListKey } from '../../src/engine/mask.ts'

/** A history as its provider's own types have it: each with every kind of result that may be masked, and its neighbours. */
export interface Sample {
  readonly format: string
  readonly key: ListKey
  /** What a masked history has to satisfy, as TypeScript: an import, and a type of the list. */
  readonly types: readonly [imports: string, list: string]
  readonly list: readonly unknown[]
  /** Places of what is masked when all is that may be. */
  readonly masked: readonly string[]
}

/** Bulky, and like no other. */
function output(name: string): string {
  return Array.from({ length: 60 }, (_, i) => `${name}: line ${i} of what the tool has printed`).join('\n')
}
const rows = Array.from({ length: 60 }, (_, i) => ({ id: i, name: `row ${i} of the table`, price: 1.5 }))
export const PNG = 'iVBORw0KGgo='

const anthropic = [
  { role: 'user', content: 'Fix it.' },
  {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
      { type: 'tool_use', id: 'a', name: 'bash', input: { command: 'make' } },
      { type: 'tool_use', id: 'b', name: 'read', input: { path: 'a.ts' } },
      { type: 'tool_use', id: 'c', name: 'noop', input: {} },
    ],
  },
  {
    role: 'user',
    content: [
      { type: 'tool_result', tool_use_id: 'b', content: output('read'), cache_control: { type: 'ephemeral' } },
      {
        type: 'tool_result',
        tool_use_id: 'a',
        is_error: true,
        content: [
          { type: 'text', text: output('make') },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
        ],
      },
      { type: 'tool_result', tool_use_id: 'c' },
      { type: 'text', text: 'And be quick.' },
    ],
  },
  { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] },
] satisfies Anthropic.MessageParam[]

const openaiChat = [
  { role: 'developer', content: 'Be brief.' },
  { role: 'user', content: [{ type: 'text', text: 'Fix it.' }] },
  {
    role: 'assistant',
    content: null,
    tool_calls: [
      { id: 'a', type: 'function', function: { name: 'bash', arguments: '{"command":"make"}' } },
      { id: 'b', type: 'custom', custom: { name: 'grep', input: 'x' } },
    ],
  },
  { role: 'tool', tool_call_id: 'b', content: [{ type: 'text', text: output('grep') }] },
  { role: 'tool', tool_call_id: 'a', content: output('make') },
  { role: 'assistant', content: null, function_call: { name: 'old', arguments: '{}' } },
  { role: 'function', name: 'old', content: output('old') },
  { role: 'assistant', content: 'Done.' },
] satisfies OpenAI.ChatCompletionMessageParam[]

const openaiResponses = [
  { role: 'user', content: 'Fix it.' },
  { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'c2ln' },
  { type: 'function_call', call_id: 'a', name: 'bash', arguments: '{"command":"make"}' },
  { type: 'function_call_output', call_id: 'a', output: output('make') },
  { type: 'function_call', call_id: 'b', name: 'grep', arguments: '{}' },
  {
    type: 'function_call_output',
    call_id: 'b',
    output: [
      { type: 'input_text', text: output('grep') },
      { type: 'input_image', image_url: `data:image/png;base64,${PNG}` },
    ],
  },
  { type: 'custom_tool_call', call_id: 'c', name: 'patch', input: '*** Begin' },
  { type: 'custom_tool_call_output', call_id: 'c', output: output('patch') },
  {
    type: 'local_shell_call',
    id: 'd',
    call_id: 'd',
    status: 'completed',
    action: { type: 'exec', command: ['ls'], env: {} },
  },
  { type: 'local_shell_call_output', id: 'd', output: output('ls') },
  { type: 'shell_call', call_id: 'e', action: { commands: ['make'] } },
  {
    type: 'shell_call_output',
    call_id: 'e',
    output: [{ stdout: output('out'), stderr: output('err'), outcome: { type: 'exit', exit_code: 2 } }],
  },
  {
    type: 'apply_patch_call',
    call_id: 'f',
    status: 'completed',
    operation: { type: 'delete_file', path: 'a.ts' },
  },
  { type: 'apply_patch_call_output', call_id: 'f', status: 'failed', output: output('apply') },
  {
    type: 'mcp_call',
    id: 'g',
    server_label: 's',
    name: 'query',
    arguments: '{}',
    output: output('query'),
  },
  {
    type: 'message',
    id: 'msg_1',
    status: 'completed',
    role: 'assistant',
    content: [{ type: 'output_text', text: 'Done.', annotations: [] }],
  },
] satisfies OpenAI.Responses.ResponseInputItem[]

const gemini = [
  { role: 'user', parts: [{ text: 'Fix it.' }] },
  {
    role: 'model',
    parts: [
      { functionCall: { id: 'a', name: 'bash', args: { command: 'make' } }, thoughtSignature: 'c2ln' },
      { functionCall: { name: 'query', args: {} } },
      { functionCall: { name: 'look', args: {} } },
    ],
  },
  {
    role: 'user',
    parts: [
      { functionResponse: { id: 'a', name: 'bash', response: { error: output('make') } } },
      { functionResponse: { name: 'query', response: { output: rows, count: 60 } } },
      {
        functionResponse: {
          name: 'look',
          response: { output: output('look') },
          parts: [{ inlineData: { mimeType: 'image/png', data: PNG } }],
        },
      },
    ],
  },
  { role: 'model', parts: [{ text: 'Done.' }] },
] satisfies Content[]

const aiSdk = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'Fix it.' },
  {
    role: 'assistant',
    content: [
      { type: 'reasoning', text: 'Hm.', providerOptions: { anthropic: { signature: 'c2ln' } } },
      ...['a', 'b', 'c', 'd', 'e'].map((toolCallId) => ({
        type: 'tool-call' as const,
        toolCallId,
        toolName: 'bash',
        input: { command: 'make' },
      })),
    ],
  },
  {
    role: 'tool',
    content: [
      { type: 'tool-result', toolCallId: 'a', toolName: 'bash', output: { type: 'text', value: output('a') } },
      { type: 'tool-result', toolCallId: 'b', toolName: 'bash', output: { type: 'error-text', value: output('b') } },
      { type: 'tool-result', toolCallId: 'c', toolName: 'bash', output: { type: 'json', value: { rows, n: 1 } } },
      { type: 'tool-result', toolCallId: 'd', toolName: 'bash', output: { type: 'error-json', value: rows } },
      {
        type: 'tool-result',
        toolCallId: 'e',
        toolName: 'bash',
        output: {
          type: 'content',
          value: [
            { type: 'text', text: output('e') },
            { type: 'file', mediaType: 'image/png', data: { type: 'data', data: PNG } },
          ],
        },
      },
    ],
  },
  { role: 'assistant', content: 'Done.' },
] satisfies ModelMessage[]

const aiSdkUi = [
  { id: '1', role: 'user', parts: [{ type: 'text', text: 'Fix it.' }] },
  {
    id: '2',
    role: 'assistant',
    parts: [
      { type: 'step-start' },
      { type: 'tool-bash', toolCallId: 'a', state: 'output-available', input: {}, output: output('a') },
      { type: 'tool-bash', toolCallId: 'b', state: 'output-error', input: {}, errorText: output('b') },
      {
        type: 'dynamic-tool',
        toolName: 'query',
        toolCallId: 'c',
        state: 'output-available',
        input: {},
        output: { rows, text: output('c') },
      },
      { type: 'tool-bash', toolCallId: 'd', state: 'input-available', input: { command: output('call') } },
      { type: 'step-start' },
      { type: 'text', text: 'Done.' },
    ],
  },
] satisfies UIMessage[]

const bedrock = [
  { role: 'user', content: [{ text: 'Fix it.' }, { cachePoint: { type: 'default' } }] },
  {
    role: 'assistant',
    content: [
      { reasoningContent: { reasoningText: { text: 'Hm.', signature: 'c2ln' } } },
      { toolUse: { toolUseId: 'a', name: 'bash', input: { command: 'make' } } },
      { toolUse: { toolUseId: 'b', name: 'query', input: {} } },
    ],
  },
  {
    role: 'user',
    content: [
      { toolResult: { toolUseId: 'b', status: 'success', content: [{ json: { rows, note: output('note') } }] } },
      { toolResult: { toolUseId: 'a', status: 'error', content: [{ text: output('make') }] } },
      { cachePoint: { type: 'default' } },
    ],
  },
  { role: 'assistant', content: [{ text: 'Done.' }] },
] satisfies Message[]

const mcp = [
  {
    content: [
      { type: 'text', text: output('text') },
      { type: 'image', data: PNG, mimeType: 'image/png' },
    ],
    structuredContent: { rows, text: output('structured') },
    isError: false,
  },
  { content: [{ type: 'text', text: output('failed') }], isError: true },
  { content: [{ type: 'text', text: 'The newest, which nothing has come after.' }] },
] satisfies z.input<typeof CallToolResultSchema>[]

export const samples: readonly Sample[] = [
  {
    format: 'anthropic',
    key: 'messages',
    types: ["import type Anthropic from '@anthropic-ai/sdk'", 'Anthropic.MessageParam[]'],
    list: anthropic,
    masked: ['/2/content/0/content', '/2/content/1/content/0/text'],
  },
  {
    format: 'openai-chat',
    key: 'messages',
    types: ["import type OpenAI from 'openai'", 'OpenAI.ChatCompletionMessageParam[]'],
    list: openaiChat,
    masked: ['/3/content/0/text', '/4/content', '/6/content'],
  },
  {
    format: 'openai-responses',
    key: 'input',
    types: ["import type OpenAI from 'openai'", 'OpenAI.Responses.ResponseInputItem[]'],
    list: openaiResponses,
    masked: [
      '/3/output',
      '/5/output/0/text',
      '/7/output',
      '/9/output',
      '/11/output/0/stdout',
      '/11/output/0/stderr',
      '/13/output',
      '/14/output',
    ],
  },
  {
    format: 'gemini',
    key: 'contents',
    types: ["import type { Content } from '@google/genai'", 'Content[]'],
    list: gemini,
    masked: [
      '/2/parts/0/functionResponse/response/error',
      '/2/parts/1/functionResponse/response/output',
      '/2/parts/2/functionResponse/response/output',
    ],
  },
  {
    format: 'ai-sdk',
    key: 'messages',
    types: ["import type { ModelMessage } from 'ai'", 'ModelMessage[]'],
    list: aiSdk,
    masked: [
      '/3/content/0/output/value',
      '/3/content/1/output/value',
      '/3/content/2/output/value/rows',
      '/3/content/3/output/value',
      '/3/content/4/output/value/0/text',
    ],
  },
  {
    format: 'ai-sdk-ui',
    key: 'messages',
    types: ["import type { UIMessage } from 'ai'", 'UIMessage[]'],
    list: aiSdkUi,
    masked: ['/1/parts/1/output', '/1/parts/2/errorText', '/1/parts/3/output/rows', '/1/parts/3/output/text'],
  },
  {
    format: 'bedrock',
    key: 'messages',
    types: ["import type { Message } from '@aws-sdk/client-bedrock-runtime'", 'Message[]'],
    list: bedrock,
    masked: [
      '/2/content/0/toolResult/content/0/json/rows',
      '/2/content/0/toolResult/content/0/json/note',
      '/2/content/1/toolResult/content/0/text',
    ],
  },
  {
    format: 'mcp',
    key: 'messages',
    types: [
      "import type { CallToolResultSchema } from '@modelcontextprotocol/core'\nimport type * as z from 'zod'",
      'z.input<typeof CallToolResultSchema>[]',
    ],
    list: mcp,
    masked: ['/0/content/0/text', '/0/structuredContent/rows', '/0/structuredContent/text', '/1/content/0/text'],
  },
]
