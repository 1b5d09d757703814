import { asObject, type CallScript, numbered, type Script } from './histories.ts'

/** How one format writes a script. */
export interface Writer {
  readonly format: string
  readonly key: 'messages' | 'contents' | 'input'
  write(script: Script): unknown[]
  /** Whether the list element is what the model wrote. */
  isAssistant(message: unknown): boolean
  /** The histories at the moments at which a client calls: before each answer of the model, and the whole. */
  calls(list: readonly unknown[]): readonly (readonly unknown[])[]
}

type Item = Record<string, unknown>
type Step = Extract<ReturnType<typeof numbered> extends Generator<infer T> ? T : never, { kind: 'step' }>

function has(message: unknown, key: string, value: unknown): boolean {
  return (
    typeof message === 'object' && message !== null && Object.getOwnPropertyDescriptor(message, key)?.value === value
  )
}

const byAssistant = (role: string) => (message: unknown) => has(message, 'role', role)

/** Before each element that the model wrote and that no other such element precedes, and at the end. */
function beforeEach(isAssistant: (message: unknown) => boolean): Writer['calls'] {
  return (list) =>
    [...list.keys()]
      .filter((index) => index > 0 && isAssistant(list[index]))
      .map((index) => list.slice(0, index))
      .concat([[...list]])
}

function writer(
  format: string,
  key: Writer['key'],
  role: string,
  human: (text: string) => Item,
  step: (step: Step) => Item[],
  first: Item[] = [],
): Writer {
  const isAssistant = byAssistant(role)
  return {
    format,
    key,
    isAssistant,
    calls: beforeEach(isAssistant),
    write: (script) => [
      ...first,
      ...[...numbered(script)].flatMap((item) => (item.kind === 'human' ? [human(item.text)] : step(item))),
    ],
  }
}

/** Answered out of order where the format allows it: results pair by id. */
const reversed = <T>(items: readonly T[]): T[] => [...items].reverse()

const imagesOf = (call: CallScript): readonly string[] => call.images ?? []

/** The output of a call as one string; null where it takes a list of blocks. */
const single = (call: CallScript): string | null =>
  call.output.length === 1 && imagesOf(call).length === 0 ? (call.output[0] ?? '') : null

const some = (items: readonly unknown[], item: Item): Item[] => (items.length > 0 ? [item] : [])

const anthropic = writer(
  'anthropic',
  'messages',
  'assistant',
  (text) => ({ role: 'user', content: text }),
  ({ say, thinking, calls }) => [
    {
      role: 'assistant',
      content: [
        ...(thinking ? [{ type: 'thinking', thinking: 'Hm.', signature: 'c2ln' }] : []),
        { type: 'text', text: say },
        ...calls.map((call) => ({ type: 'tool_use', id: call.id, name: call.tool, input: call.input })),
      ],
    },
    ...some(calls, {
      role: 'user',
      content: reversed(calls).map((call, i) => ({
        type: 'tool_result',
        tool_use_id: call.id,
        content: single(call) ?? [
          ...call.output.map((text) => ({ type: 'text', text, extra: 1 })),
          ...imagesOf(call).map((data, at) => ({
            type: 'image',
            source: { type: 'base64', media_type: 'image/png', data },
            ...(at === 0 && { cache_control: { type: 'ephemeral', ttl: '1h' } }),
          })),
        ],
        ...(call.isError && { is_error: true }),
        ...(i === 0 && { cache_control: { type: 'ephemeral' } }),
      })),
    }),
  ],
)

const openaiChat = writer(
  'openai-chat',
  'messages',
  'assistant',
  (text) => ({ role: 'user', content: [{ type: 'text', text }] }),
  ({ say, calls }) => [
    {
      role: 'assistant',
      content: say,
      ...(calls.length > 0 && {
        tool_calls: calls.map((call) => ({
          id: call.id,
          type: 'function',
          function: { name: call.tool, arguments: JSON.stringify(call.input) },
        })),
      }),
    },
    ...reversed(calls).map((call) => ({
      role: 'tool',
      tool_call_id: call.id,
      content: single(call) ?? [
        ...imagesOf(call).map((data) => ({ type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } })),
        ...call.output.map((text) => ({ type: 'text', text })),
      ],
    })),
  ],
  [{ role: 'system', content: 'Be brief.' }],
)

const pi = writer(
  'pi',
  'messages',
  'assistant',
  (text) => ({ role: 'user', content: [{ type: 'text', text }], timestamp: 1 }),
  ({ say, thinking, calls }) => [
    {
      role: 'assistant',
      content: [
        ...(thinking ? [{ type: 'thinking', thinking: 'Hm.', thinkingSignature: 'c2ln' }] : []),
        { type: 'text', text: say },
        ...calls.map((call) => ({ type: 'toolCall', id: call.id, name: call.tool, arguments: call.input })),
      ],
      api: 'anthropic-messages',
      timestamp: 2,
    },
    ...calls.map((call) => ({
      role: 'toolResult',
      toolCallId: call.id,
      toolName: call.tool,
      content: [
        ...call.output.map((text) => ({ type: 'text', text })),
        ...imagesOf(call).map((data) => ({ type: 'image', data, mimeType: 'image/png' })),
      ],
      isError: call.isError,
      details: { rest: 1.5 },
      timestamp: 3,
    })),
  ],
)

const bedrock = writer(
  'bedrock',
  'messages',
  'assistant',
  (text) => ({ role: 'user', content: [{ text }, { cachePoint: { type: 'default' } }] }),
  ({ say, thinking, calls }) => [
    {
      role: 'assistant',
      content: [
        ...(thinking ? [{ reasoningContent: { reasoningText: { text: 'Hm.', signature: 'c2ln' } } }] : []),
        { text: say },
        ...calls.map((call) => ({ toolUse: { toolUseId: call.id, name: call.tool, input: call.input } })),
      ],
    },
    ...some(calls, {
      role: 'user',
      content: reversed(calls).map((call) => ({
        toolResult: {
          toolUseId: call.id,
          content: [
            ...imagesOf(call).map((bytes) => ({ image: { format: 'png', source: { bytes } } })),
            call.output.length === 1 ? { text: call.output[0] || '.' } : { json: asObject(call.output) },
          ],
          status: call.isError ? 'error' : 'success',
        },
      })),
    }),
  ],
)

const gemini = writer(
  'gemini',
  'contents',
  'model',
  (text) => ({ role: 'user', parts: [{ text }] }),
  ({ say, calls }) => [
    {
      role: 'model',
      parts: [
        { text: say },
        ...calls.map((call) => ({ functionCall: { name: call.tool, args: call.input }, thoughtSignature: 'c2ln' })),
      ],
    },
    ...some(calls, {
      role: 'user',
      parts: calls.map((call) => ({
        functionResponse: {
          name: call.tool,
          response: asObject(call.output),
          ...(imagesOf(call).length > 0 && {
            parts: imagesOf(call).map((data) => ({ inlineData: { mimeType: 'image/png', data } })),
          }),
        },
      })),
    }),
  ],
)

const aiSdk = writer(
  'ai-sdk',
  'messages',
  'assistant',
  (text) => ({ role: 'user', content: text }),
  ({ say, thinking, calls }) => [
    {
      role: 'assistant',
      content: [
        ...(thinking
          ? [{ type: 'reasoning', text: 'Hm.', providerOptions: { anthropic: { signature: 'c2ln' } } }]
          : []),
        { type: 'text', text: say },
        ...calls.map((call) => ({
          type: 'tool-call',
          toolCallId: call.id,
          toolName: call.tool,
          input: call.input,
        })),
      ],
    },
    ...some(calls, {
      role: 'tool',
      content: reversed(calls).map((call) => ({
        type: 'tool-result',
        toolCallId: call.id,
        toolName: call.tool,
        output:
          single(call) !== null
            ? { type: call.isError ? 'error-text' : 'text', value: call.output[0] }
            : call.isError || imagesOf(call).length > 0
              ? {
                  type: 'content',
                  value: [
                    ...call.output.map((text) => ({ type: 'text', text })),
                    ...imagesOf(call).map((data) => ({ type: 'media', data, mediaType: 'image/png' })),
                  ],
                }
              : { type: 'json', value: asObject(call.output) },
      })),
    }),
  ],
)

const uiRole = byAssistant('assistant')
const aiSdkUi: Writer = {
  format: 'ai-sdk-ui',
  key: 'messages',
  isAssistant: uiRole,
  write(script) {
    const list: { id: string; role: string; parts: Item[] }[] = []
    for (const item of numbered(script)) {
      if (item.kind === 'human') {
        list.push({ id: `m${list.length}`, role: 'user', parts: [{ type: 'text', text: item.text }] })
        continue
      }
      let last = list.at(-1)
      if (last?.role !== 'assistant') {
        last = { id: `m${list.length}`, role: 'assistant', parts: [] }
        list.push(last)
      }
      last.parts.push({ type: 'step-start' }, { type: 'text', text: item.say })
      for (const call of item.calls)
        last.parts.push({
          type: `tool-${call.tool}`,
          toolCallId: call.id,
          input: call.input,
          ...(call.isError
            ? { state: 'output-error', errorText: call.output.join('\n') }
            : {
                state: 'output-available',
                output: call.output.length === 1 ? call.output[0] : asObject(call.output),
              }),
        })
    }
    return list
  },
  calls(list) {
    return [
      ...list.flatMap((message, index) => {
        if (!uiRole(message) || typeof message !== 'object' || message === null || !('parts' in message)) return []
        const { parts } = message
        if (!Array.isArray(parts)) return []
        return [...parts.keys()]
          .filter((at) => has(parts[at], 'type', 'step-start'))
          .map((at) => [...list.slice(0, index), ...(at === 0 ? [] : [{ ...message, parts: parts.slice(0, at) }])])
      }),
      list,
    ].filter((history) => history.length > 0)
  },
}

function isItemOfModel(item: unknown): boolean {
  return has(item, 'role', 'assistant') || has(item, 'type', 'reasoning') || has(item, 'type', 'function_call')
}

const openaiResponses: Writer = {
  format: 'openai-responses',
  key: 'input',
  isAssistant: isItemOfModel,
  write: (script) =>
    [...numbered(script)].flatMap((item): Item[] => {
      if (item.kind === 'human') return [{ role: 'user', content: item.text }]
      return [
        ...(item.thinking ? [{ type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'c2ln' }] : []),
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: item.say }] },
        ...item.calls.map((call) => ({
          type: 'function_call',
          call_id: call.id,
          name: call.tool,
          arguments: JSON.stringify(call.input),
        })),
        ...reversed(item.calls).map((call) => ({
          type: 'function_call_output',
          call_id: call.id,
          output: single(call) ?? [
            ...call.output.map((text) => ({ type: 'input_text', text })),
            ...imagesOf(call).map((data) => ({ type: 'input_image', image_url: `data:image/png;base64,${data}` })),
          ],
        })),
      ]
    }),
  calls: (list) =>
    beforeEach(isItemOfModel)(list).filter(
      (history) => history.length === list.length || !isItemOfModel(history.at(-1)),
    ),
}

const mcp: Writer = {
  format: 'mcp',
  key: 'messages',
  isAssistant: () => true,
  write: (script) =>
    [...numbered(script)].flatMap((item): Item[] => {
      if (item.kind === 'human') return []
      return item.calls.map((call) => ({
        content: [
          ...call.output.map((text) => ({ type: 'text', text })),
          ...imagesOf(call).map((data) => ({ type: 'image', data, mimeType: 'image/png' })),
        ],
        ...(call.output.length > 1 && { structuredContent: asObject(call.output) }),
        isError: call.isError,
      }))
    }),
  calls: (list) => [...list.keys()].map((index) => list.slice(0, index + 1)),
}

export const writers: readonly Writer[] = [
  anthropic,
  openaiChat,
  pi,
  bedrock,
  gemini,
  aiSdk,
  aiSdkUi,
  openaiResponses,
  mcp,
]

/** What a client holds that kept `kept` of the history `before`, once the history has grown to `after`. */
export function grown(kept: readonly unknown[], before: readonly unknown[], after: readonly unknown[]): unknown[] {
  const last = before.length - 1
  const [was, is] = [partsOf(before[last]), partsOf(after[last])]
  const head = was.length < is.length ? [...kept.slice(0, last), appended(kept[last], is.slice(was.length))] : [...kept]
  return [...head, ...after.slice(before.length)]
}

function partsOf(message: unknown): readonly unknown[] {
  return typeof message === 'object' && message !== null && 'parts' in message && Array.isArray(message.parts)
    ? message.parts
    : []
}

function appended(message: unknown, parts: readonly unknown[]): unknown {
  return typeof message === 'object' && message !== null
    ? { ...message, parts: [...partsOf(message), ...parts] }
    : message
}
