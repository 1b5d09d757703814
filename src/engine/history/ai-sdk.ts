import type { HistoryCodec, ResultPart, Step, ToolResult } from './codec.ts'
import { type MediaTypes, plainText, textParts, valueParts } from './parts.ts'
import { asString, isArray, isObject, type JsonObject, objectsIn } from './value.ts'

const TEXT = ['text']
/** `media` until version 5 of the SDK, then `image-data` and `file-data`, then `file`. */
const MEDIA: MediaTypes = { types: ['media', 'image', 'image-data', 'file', 'file-data'], text: 'text' }

/** AI SDK ModelMessage: `tool-result` parts of `tool` messages. Results in assistant messages are the provider's own. */
export const aiSdk: HistoryCodec = {
  format: 'ai-sdk',
  key: 'messages',
  detect: (list) =>
    list.some(
      (message) =>
        isObject(message) &&
        objectsIn(message.content).some(([, part]) => part.type === 'tool-call' || part.type === 'tool-result'),
    ),
  read(list) {
    const calls = new Map<string, JsonObject>()
    return list.map((message, index): Step => {
      if (!isObject(message)) return { kind: 'other', message: index }
      switch (message.role) {
        case 'assistant':
          return readAssistant(message, index, calls)
        case 'user':
          return { kind: 'user', message: index, text: plainText(message.content) }
        case 'tool':
          return { kind: 'results', message: index, results: readResults(message, index, calls) }
        default:
          return { kind: 'other', message: index }
      }
    })
  },
}

/** Whether a reasoning part carries a provider's signature, and so is bound to what stands before it. */
export function isSignedReasoning(part: JsonObject, metadata: unknown): boolean {
  if (part.type !== 'reasoning' || !isObject(metadata)) return false
  return Object.values(metadata).some((own) => isObject(own) && ('signature' in own || 'redactedData' in own))
}

function readAssistant(message: JsonObject, index: number, calls: Map<string, JsonObject>): Step {
  const signed: string[] = []
  for (const [at, part] of objectsIn(message.content)) {
    if (part.type === 'tool-call') calls.set(asString(part.toolCallId), part)
    if (isSignedReasoning(part, part.providerOptions)) signed.push(`/${index}/content/${at}`)
  }
  const blocks = isArray(message.content) ? message.content.length : 1
  return { kind: 'assistant', message: index, signed, blocks }
}

function readResults(message: JsonObject, index: number, calls: ReadonlyMap<string, JsonObject>): ToolResult[] {
  const results: ToolResult[] = []
  for (const [at, part] of objectsIn(message.content)) {
    if (part.type !== 'tool-result') continue
    const callId = asString(part.toolCallId)
    const call = calls.get(callId)
    const type = isObject(part.output) ? asString(part.output.type) : ''
    results.push({
      message: index,
      callId,
      tool: asString(part.toolName) || asString(call?.toolName),
      input: call?.input ?? call?.args ?? null,
      isError: type.startsWith('error-') || part.isError === true,
      exitCode: null,
      parts: readParts(part, `/${index}/content/${at}`),
    })
  }
  return results
}

/** The result's value; before version 5 of the SDK it stands in `result` and has no type. */
function readParts(part: JsonObject, pointer: string): readonly ResultPart[] {
  if (!isObject(part.output)) return valueParts(part.result, `${pointer}/result`)
  const { type, value } = part.output
  if (type === 'content') return textParts(value, `${pointer}/output/value`, TEXT, MEDIA)
  return valueParts(value, `${pointer}/output/value`)
}
