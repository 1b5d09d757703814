import type { HistoryCodec, Step } from './codec.ts'
import { type MediaTypes, plainText, textParts } from './parts.ts'
import { asString, isObject, type JsonObject, objectsIn, parseArguments } from './value.ts'

const TEXT = ['text']
const MEDIA: MediaTypes = { types: ['image_url', 'file', 'input_audio'], text: 'text' }

/** A call's function: its name and its arguments as JSON text. */
type Calls = Map<string, { readonly name: string; readonly input: unknown }>

/** OpenAI Chat Completions: results are `tool` messages; the legacy `function` messages name their function themselves. */
export const openaiChat: HistoryCodec = {
  format: 'openai-chat',
  key: 'messages',
  detect: (list) =>
    list.some(
      (message) =>
        isObject(message) &&
        ((message.role === 'tool' && typeof message.tool_call_id === 'string') ||
          message.role === 'function' ||
          (message.role === 'assistant' && (Array.isArray(message.tool_calls) || isObject(message.function_call)))),
    ),
  read(list) {
    const calls: Calls = new Map()
    return list.map((message, index) => readMessage(message, index, calls))
  },
}

function readMessage(message: unknown, index: number, calls: Calls): Step {
  if (!isObject(message)) return { kind: 'other', message: index }
  if (message.role === 'assistant') {
    noteCalls(message, calls)
    return { kind: 'assistant', message: index, signed: [], blocks: 1 }
  }
  if (message.role === 'user') return { kind: 'user', message: index, text: plainText(message.content) }
  if (message.role !== 'tool' && message.role !== 'function') return { kind: 'other', message: index }
  const callId = message.role === 'tool' ? asString(message.tool_call_id) : ''
  const call = calls.get(message.role === 'tool' ? callId : legacyKey(asString(message.name)))
  return {
    kind: 'results',
    message: index,
    results: [
      {
        message: index,
        callId,
        tool: call?.name ?? asString(message.name),
        input: call?.input ?? null,
        isError: false,
        exitCode: null,
        parts: textParts(message.content, `/${index}/content`, TEXT, MEDIA),
      },
    ],
  }
}

/** Legacy calls have no id: a `function` message answers the newest call of its name. */
function legacyKey(name: string): string {
  return `function ${name}`
}

function noteCalls(message: JsonObject, calls: Calls): void {
  for (const [, call] of objectsIn(message.tool_calls)) {
    const body = isObject(call.function) ? call.function : isObject(call.custom) ? call.custom : {}
    calls.set(asString(call.id), { name: asString(body.name), input: parseArguments(body.arguments ?? body.input) })
  }
  if (!isObject(message.function_call)) return
  const { name, arguments: input } = message.function_call
  calls.set(legacyKey(asString(name)), { name: asString(name), input: parseArguments(input) })
}
