import type { HistoryCodec, ResultPart, Step, ToolResult } from './codec.ts'
import { mediaPart, plainText, valueParts } from './parts.ts'
import { asString, isArray, isObject, type JsonObject, objectsIn } from './value.ts'

const MEDIA = ['image', 'document', 'video']

/** Bedrock Converse: `toolResult` blocks of user messages; blocks have no type, their one key says what they are. */
export const bedrock: HistoryCodec = {
  format: 'bedrock',
  key: 'messages',
  detect: (list) =>
    list.some(
      (message) =>
        isObject(message) &&
        objectsIn(message.content).some(
          ([, block]) => isObject(block.toolUse) || isObject(block.toolResult) || isObject(block.reasoningContent),
        ),
    ),
  read(list) {
    const calls = new Map<string, JsonObject>()
    return list.map((message, index): Step => {
      if (!isObject(message)) return { kind: 'other', message: index }
      if (message.role === 'assistant') return readAssistant(message, index, calls)
      if (message.role !== 'user') return { kind: 'other', message: index }
      const results = readResults(message, index, calls)
      if (results.length > 0) return { kind: 'results', message: index, results }
      return { kind: 'user', message: index, text: plainText(message.content) }
    })
  },
}

function readAssistant(message: JsonObject, index: number, calls: Map<string, JsonObject>): Step {
  const signed: string[] = []
  for (const [at, block] of objectsIn(message.content)) {
    if (isObject(block.toolUse)) calls.set(asString(block.toolUse.toolUseId), block.toolUse)
    if (isObject(block.reasoningContent)) signed.push(`/${index}/content/${at}`)
  }
  const blocks = isArray(message.content) ? message.content.length : 1
  return { kind: 'assistant', message: index, signed, blocks }
}

function readResults(message: JsonObject, index: number, calls: ReadonlyMap<string, JsonObject>): ToolResult[] {
  const results: ToolResult[] = []
  for (const [at, { toolResult }] of objectsIn(message.content)) {
    if (!isObject(toolResult)) continue
    const callId = asString(toolResult.toolUseId)
    const call = calls.get(callId)
    results.push({
      message: index,
      callId,
      tool: asString(call?.name),
      input: call?.input ?? null,
      isError: toolResult.status === 'error',
      exitCode: null,
      parts: readParts(toolResult.content, `/${index}/content/${at}/toolResult/content`),
    })
  }
  return results
}

function readParts(content: unknown, pointer: string): readonly ResultPart[] {
  return objectsIn(content).flatMap(([at, block]): readonly ResultPart[] => {
    if (typeof block.text === 'string') return valueParts(block.text, `${pointer}/${at}/text`)
    if (MEDIA.some((key) => isObject(block[key]))) return [mediaPart(block, `${pointer}/${at}`, null)]
    return valueParts(block.json, `${pointer}/${at}/json`)
  })
}
