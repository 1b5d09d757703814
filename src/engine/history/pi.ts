import type { HistoryCodec, Step } from './codec.ts'
import { type MediaTypes, plainText, textParts } from './parts.ts'
import { asString, isArray, isObject, type JsonObject, objectsIn } from './value.ts'

const TEXT = ['text']
const MEDIA: MediaTypes = { types: ['image'], text: 'text' }

/** Pi's session messages: `toolResult` messages, and `bashExecution` for commands that the human ran. */
export const pi: HistoryCodec = {
  format: 'pi',
  key: 'messages',
  detect: (list) =>
    list.some((message) => isObject(message) && (message.role === 'toolResult' || message.role === 'bashExecution')),
  read(list) {
    const calls = new Map<string, JsonObject>()
    return list.map((message, index) => readMessage(message, index, calls))
  },
}

function readMessage(message: unknown, index: number, calls: Map<string, JsonObject>): Step {
  if (!isObject(message)) return { kind: 'other', message: index }
  switch (message.role) {
    case 'assistant':
      return readAssistant(message, index, calls)
    case 'user':
      return { kind: 'user', message: index, text: plainText(message.content) }
    case 'toolResult':
      return readResult(message, index, calls)
    case 'bashExecution':
      return readExecution(message, index)
    default:
      return { kind: 'other', message: index }
  }
}

function readAssistant(message: JsonObject, index: number, calls: Map<string, JsonObject>): Step {
  const signed: string[] = []
  // Only Anthropic's models bind thinking to what stands before it; other providers' signatures are references.
  const binds = /^(?:anthropic|bedrock|$)/.test(asString(message.api))
  for (const [at, block] of objectsIn(message.content)) {
    if (block.type === 'toolCall') calls.set(asString(block.id), block)
    if (binds && block.type === 'thinking' && asString(block.thinkingSignature) !== '')
      signed.push(`/${index}/content/${at}`)
  }
  const blocks = isArray(message.content) ? message.content.length : 1
  return { kind: 'assistant', message: index, signed, blocks, model: asString(message.model) || null }
}

function readResult(message: JsonObject, index: number, calls: ReadonlyMap<string, JsonObject>): Step {
  const callId = asString(message.toolCallId)
  const result = {
    message: index,
    callId,
    tool: asString(message.toolName),
    input: calls.get(callId)?.arguments ?? null,
    isError: message.isError === true,
    exitCode: null,
    parts: textParts(message.content, `/${index}/content`, TEXT, MEDIA),
  }
  return { kind: 'results', message: index, results: [result] }
}

/** It has no call: its time stands in for the id. */
function readExecution(message: JsonObject, index: number): Step {
  const code = message.exitCode
  const result = {
    message: index,
    callId: `bashExecution ${typeof message.timestamp === 'number' ? message.timestamp : ''}`,
    tool: 'bash',
    input: { command: message.command },
    isError: false,
    exitCode: typeof code === 'number' ? code : null,
    parts: textParts(message.output, `/${index}/output`, TEXT),
  }
  return { kind: 'results', message: index, results: [result] }
}
