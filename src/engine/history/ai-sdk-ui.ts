import { isSignedReasoning } from './ai-sdk.ts'
import type { HistoryCodec, Step, ToolResult } from './codec.ts'
import { plainText, valueParts } from './parts.ts'
import { asString, isArray, isObject, type JsonObject, objectsIn } from './value.ts'

/**
 * AI SDK UIMessage: one assistant message holds several steps, each a call of the model and the results of its tools.
 * A result stands in the part of its call, so that a part without output is a pending call.
 */
export const aiSdkUi: HistoryCodec = {
  format: 'ai-sdk-ui',
  key: 'messages',
  detect: (list) => list.some((message) => isObject(message) && isArray(message.parts) && 'role' in message),
  read(list) {
    return list.flatMap((message, index): readonly Step[] => {
      if (!isObject(message)) return [{ kind: 'other', message: index }]
      if (message.role === 'user') return [{ kind: 'user', message: index, text: plainText(message.parts) }]
      if (message.role !== 'assistant') return [{ kind: 'other', message: index }]
      return readAssistant(message, index)
    })
  },
}

interface ModelCall {
  readonly signed: string[]
  readonly results: ToolResult[]
  blocks: number
}

function readAssistant(message: JsonObject, index: number): readonly Step[] {
  const calls: ModelCall[] = []
  for (const [at, part] of objectsIn(message.parts)) {
    if (part.type === 'step-start' || calls.length === 0) calls.push({ signed: [], results: [], blocks: 0 })
    const call = calls.at(-1)
    if (!call || part.type === 'step-start') continue
    call.blocks += 1
    if (isSignedReasoning(part, part.providerMetadata)) call.signed.push(`/${index}/parts/${at}`)
    const result = readResult(part, index, `/${index}/parts/${at}`)
    if (result) call.results.push(result)
  }
  return calls.flatMap(({ signed, results, blocks }): readonly Step[] => {
    const wrote: Step = { kind: 'assistant', message: index, signed, blocks }
    return results.length > 0 ? [wrote, { kind: 'results', message: index, results }] : [wrote]
  })
}

function readResult(part: JsonObject, index: number, pointer: string): ToolResult | null {
  const type = asString(part.type)
  if ((type !== 'dynamic-tool' && !type.startsWith('tool-')) || part.providerExecuted === true) return null
  const isError = part.state === 'output-error'
  if (!isError && part.state !== 'output-available') return null
  return {
    message: index,
    callId: asString(part.toolCallId),
    tool: type === 'dynamic-tool' ? asString(part.toolName) : type.slice('tool-'.length),
    input: part.input ?? null,
    isError,
    exitCode: null,
    parts: isError
      ? valueParts(asString(part.errorText), `${pointer}/errorText`)
      : valueParts(part.output, `${pointer}/output`),
  }
}
