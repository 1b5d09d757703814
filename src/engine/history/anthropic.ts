import type { HistoryCodec, Step, ToolResult } from './codec.ts'
import { type MediaTypes, plainText, textParts } from './parts.ts'
import { asString, isArray, isObject, type JsonObject, objectsIn } from './value.ts'

const TEXT = ['text']
const MEDIA: MediaTypes = { types: ['image', 'document'], text: 'text' }
const OWN_BLOCKS = ['tool_use', 'tool_result', 'thinking', 'redacted_thinking', 'server_tool_use']
const SIGNED_BLOCKS = ['thinking', 'redacted_thinking']

/**
 * Anthropic Messages: results are `tool_result` blocks of user messages. Results of server tools
 * (`web_search_tool_result` and the like) are encrypted or cited by position, and stay as they are.
 */
export const anthropic: HistoryCodec = {
  format: 'anthropic',
  key: 'messages',
  detect: (list) => list.some((message) => isObject(message) && hasOwnBlock(message)),
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

function hasOwnBlock(message: JsonObject): boolean {
  return objectsIn(message.content).some(([, block]) => OWN_BLOCKS.includes(asString(block.type)))
}

function readAssistant(message: JsonObject, index: number, calls: Map<string, JsonObject>): Step {
  const signed: string[] = []
  for (const [at, block] of objectsIn(message.content)) {
    if (block.type === 'tool_use') calls.set(asString(block.id), block)
    if (SIGNED_BLOCKS.includes(asString(block.type))) signed.push(`/${index}/content/${at}`)
  }
  const blocks = isArray(message.content) ? message.content.length : 1
  return { kind: 'assistant', message: index, signed, blocks, model: asString(message.model) || 'claude' }
}

function readResults(message: JsonObject, index: number, calls: ReadonlyMap<string, JsonObject>): ToolResult[] {
  const results: ToolResult[] = []
  for (const [at, block] of objectsIn(message.content)) {
    if (block.type !== 'tool_result') continue
    const callId = asString(block.tool_use_id)
    const call = calls.get(callId)
    results.push({
      message: index,
      callId,
      tool: asString(call?.name),
      input: call?.input ?? null,
      isError: block.is_error === true,
      exitCode: null,
      parts: textParts(block.content, `/${index}/content/${at}/content`, TEXT, MEDIA),
    })
  }
  return results
}
