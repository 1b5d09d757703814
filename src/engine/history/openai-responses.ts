import type { HistoryCodec, ResultPart, Step, ToolResult } from './codec.ts'
import { type MediaTypes, plainText, textParts, valueParts } from './parts.ts'
import { asString, isObject, type JsonObject, objectsIn, parseArguments } from './value.ts'

const TEXT = ['input_text', 'output_text', 'text']
const MEDIA: MediaTypes = { types: ['input_image', 'input_file', 'input_audio'], text: 'input_text' }

/** Items that answer a call, and that a client sends back as text. A `computer_call_output` stays a screenshot. */
const OUTPUTS = [
  'function_call_output',
  'custom_tool_call_output',
  'local_shell_call_output',
  'shell_call_output',
  'apply_patch_call_output',
]

/** Items besides `…_call` that are part of what the model wrote. */
const WRITTEN = ['reasoning', 'mcp_list_tools', 'mcp_approval_request']

/** OpenAI Responses: the `input` list, where each call, each output and each piece of reasoning is an item of its own. */
export const openaiResponses: HistoryCodec = {
  format: 'openai-responses',
  key: 'input',
  detect: (list) => list.some((item) => isObject(item) && (isWritten(item) || OUTPUTS.includes(asString(item.type)))),
  read(list) {
    const calls = new Map<string, JsonObject>()
    let writing = false
    return list.flatMap((item, index): readonly Step[] => {
      if (!isObject(item)) return [{ kind: 'other', message: index }]
      if (isWritten(item)) {
        // One answer of the model is a run of items: its first is the point at which the model was called.
        const wrote: Step = writing
          ? { kind: 'other', message: index }
          : { kind: 'assistant', message: index, signed: [], blocks: 1 }
        noteCall(item, calls)
        const own = item.type === 'mcp_call' ? readServerCall(item, index) : null
        writing = own === null
        return own ? [wrote, { kind: 'results', message: index, results: [own] }] : [wrote]
      }
      writing = false
      if (OUTPUTS.includes(asString(item.type)))
        return [{ kind: 'results', message: index, results: [readOutput(item, index, calls)] }]
      if (item.role === 'user') return [{ kind: 'user', message: index, text: plainText(item.content) }]
      return [{ kind: 'other', message: index }]
    })
  },
}

function isWritten(item: JsonObject): boolean {
  const type = asString(item.type)
  return item.role === 'assistant' || type.endsWith('_call') || WRITTEN.includes(type)
}

function idOf(item: JsonObject): string {
  return asString(item.call_id) || asString(item.id)
}

function noteCall(item: JsonObject, calls: Map<string, JsonObject>): void {
  for (const id of [item.id, item.call_id]) if (typeof id === 'string') calls.set(id, item)
}

function readOutput(item: JsonObject, index: number, calls: ReadonlyMap<string, JsonObject>): ToolResult {
  const callId = idOf(item)
  const call = calls.get(callId)
  const shell = item.type === 'shell_call_output' ? objectsIn(item.output) : []
  return {
    message: index,
    callId,
    tool: asString(call?.name) || asString(item.type).replace('_call_output', ''),
    input: call ? inputOf(call) : null,
    isError: item.status === 'failed' || item.status === 'incomplete',
    exitCode: exitCodeOf(shell.at(-1)?.[1]),
    parts:
      item.type === 'shell_call_output'
        ? shell.flatMap(([at, chunk]) => readStreams(chunk, `/${index}/output/${at}`))
        : textParts(item.output, `/${index}/output`, TEXT, MEDIA),
  }
}

function inputOf(call: JsonObject): unknown {
  if (call.arguments !== undefined) return parseArguments(call.arguments)
  const { action } = call
  if (isObject(action) && Array.isArray(action.commands)) return { command: action.commands.join('\n') }
  return action === undefined ? (call.input ?? null) : { action }
}

function readStreams(chunk: JsonObject, pointer: string): readonly ResultPart[] {
  return ['stdout', 'stderr'].flatMap((stream) => valueParts(asString(chunk[stream]), `${pointer}/${stream}`))
}

function exitCodeOf(chunk: JsonObject | undefined): number | null {
  const code = isObject(chunk?.outcome) ? chunk.outcome.exit_code : null
  return typeof code === 'number' ? code : null
}

/** A call that the provider made itself, with its output in the same item. */
function readServerCall(item: JsonObject, index: number): ToolResult {
  return {
    message: index,
    callId: idOf(item),
    tool: asString(item.name),
    input: parseArguments(item.arguments),
    isError: item.error !== undefined && item.error !== null,
    exitCode: null,
    parts: textParts(item.output, `/${index}/output`, TEXT),
  }
}
