import type { HistoryCodec, Step, ToolResult } from './codec.ts'
import { plainText, valueParts } from './parts.ts'
import { asString, isObject, type JsonObject, objectsIn } from './value.ts'

/** Gemini contents: `functionResponse` parts, whose `response` stays an object. Keys may be in snake case, as in Python. */
export const gemini: HistoryCodec = {
  format: 'gemini',
  key: 'contents',
  detect: (list) => list.some((content) => isObject(content) && Array.isArray(content.parts)),
  read(list) {
    const calls = createPairing()
    return list.map((content, index): Step => {
      if (!isObject(content)) return { kind: 'other', message: index }
      if (content.role === 'model') {
        calls.begin()
        for (const [, part] of objectsIn(content.parts)) {
          const call = part.functionCall ?? part.function_call
          if (isObject(call)) calls.note(call)
        }
        return { kind: 'assistant', message: index, signed: [], blocks: 1 }
      }
      const results = readResults(content, index, calls)
      if (results.length > 0) return { kind: 'results', message: index, results }
      if (content.role !== 'user' && content.role !== undefined) return { kind: 'other', message: index }
      return { kind: 'user', message: index, text: plainText(content.parts) }
    })
  },
}

interface Pairing {
  /** A message of the model starts: what an earlier one called is answered or never will be. */
  begin(): void
  note(call: JsonObject): void
  /** The call that a response answers, and an id for it. */
  answer(response: JsonObject): { readonly callId: string; readonly call: JsonObject | undefined }
}

/** Pairs by id where there is one; else a name's responses answer its calls in their order. */
function createPairing(): Pairing {
  const byId = new Map<string, JsonObject>()
  let byName = new Map<string, JsonObject[]>()
  const answered = new Map<string, number>()
  return {
    begin() {
      byName = new Map()
    },
    note(call) {
      const id = asString(call.id)
      if (id !== '') byId.set(id, call)
      const name = asString(call.name)
      const waiting = byName.get(name)
      if (waiting) waiting.push(call)
      else byName.set(name, [call])
    },
    answer(response) {
      const id = asString(response.id)
      if (id !== '') return { callId: id, call: byId.get(id) }
      const name = asString(response.name)
      const count = (answered.get(name) ?? 0) + 1
      answered.set(name, count)
      return { callId: `${name} ${count}`, call: byName.get(name)?.shift() }
    },
  }
}

function readResults(content: JsonObject, index: number, calls: Pairing): ToolResult[] {
  const results: ToolResult[] = []
  for (const [at, part] of objectsIn(content.parts)) {
    const key = isObject(part.functionResponse) ? 'functionResponse' : 'function_response'
    const response = part[key]
    if (!isObject(response)) continue
    const { callId, call } = calls.answer(response)
    results.push({
      message: index,
      callId,
      tool: asString(response.name),
      input: call?.args ?? null,
      isError: isObject(response.response) && 'error' in response.response,
      exitCode: null,
      parts: isObject(response.response) ? valueParts(response.response, `/${index}/parts/${at}/${key}/response`) : [],
    })
  }
  return results
}
