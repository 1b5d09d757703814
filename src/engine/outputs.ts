import { matchesAny } from './glob.ts'
import { commandOf } from './history/call.ts'
import type { ResultPart, Step, ToolResult } from './history/codec.ts'
import { measureBlock } from './history/measure.ts'
import { recalledId } from './history/own.ts'
import { slices } from './json.ts'
import { PLACEHOLDER_ID, readStub, readTrailer, writeStub } from './marker.ts'
import { type Memo, tokensOf } from './memo.ts'
import type { MaskPolicy } from './policy.ts'
import { preview } from './preview.ts'
import { estimateTokens } from './text/tokens.ts'

/** What the outputs of one history are read with. */
export interface Reading {
  readonly list: readonly unknown[]
  readonly json?: string | undefined
  readonly policy: MaskPolicy
  readonly hint: string
  readonly memo: Memo
}

/** A part of a result as it stands in the history: a stub already, or content that a stub may replace. */
export interface OutputPart {
  readonly pointer: string
  readonly kind: 'text' | 'json'
  readonly content: string
  readonly tokens: number
  /** Towards the budgets: the original's size where the part is a stub. */
  readonly weight: number
  readonly chars: number
  readonly masked: boolean
  /** Where the full output is stored already (a filtered output, a recalled one); null where it must be stored. */
  readonly storedId: string | null
  /** Tokens that a stub frees; 0 or less where none may stand here. */
  gain(): number
  stub(id: string | null): string
}

/** One tool call's result, as the planner sees it. */
export interface Output {
  readonly message: number
  readonly tool: string
  readonly parts: readonly OutputPart[]
  /** Original tokens towards the protected budget; 0 where masking may never touch it. */
  readonly weight: number
  readonly maskable: boolean
  net(): number
}

/** Reads every result of a history, in order. */
export function readOutputs(steps: readonly Step[], reading: Reading): readonly Output[] {
  const results = steps.flatMap((step) => (step.kind === 'results' ? step.results : []))
  const pointers = results.flatMap((result) =>
    result.parts.filter((part) => part.kind === 'json').map((part) => part.pointer),
  )
  const exact = new Map<string, string>()
  if (reading.json !== undefined && pointers.length > 0) {
    const found = slices(reading.json, pointers)
    pointers.forEach((pointer, i) => {
      const slice = found[i]
      if (typeof slice === 'string') exact.set(pointer, slice)
    })
  }
  return results.map((result) => readOutput(result, reading, exact))
}

function readOutput(result: ToolResult, reading: Reading, exact: ReadonlyMap<string, string>): Output {
  const { policy } = reading
  const parts = result.parts.map((part) => readPart(part, contentOf(part, exact), result, reading))
  const chars = parts.reduce((sum, part) => sum + part.chars, 0)
  const counted =
    !matchesAny(policy.protectedTools, result.tool) &&
    !policy.pinned.includes(result.callId) &&
    policy.maskableTools.every((globs) => matchesAny(globs, result.tool))
  return {
    message: result.message,
    tool: result.tool,
    parts,
    weight: counted ? parts.reduce((sum, part) => sum + part.weight, 0) : 0,
    maskable: counted && chars > policy.maxRetainedChars,
    net: () => parts.reduce((sum, part) => sum + Math.max(0, part.gain()), 0),
  }
}

function contentOf(part: ResultPart, exact: ReadonlyMap<string, string>): string {
  return part.kind === 'text' ? part.text : (exact.get(part.pointer) ?? JSON.stringify(part.value) ?? '')
}

function readPart(part: ResultPart, content: string, result: ToolResult, reading: Reading): OutputPart {
  const { callId, tool, input } = result
  const tokens = part.kind === 'text' ? tokensOf(content, reading.memo) : measureBlock(part.value, reading.memo)
  const { pointer, kind } = part
  const stub = kind === 'text' ? readStub(content, callId) : null
  const base = { pointer, kind, content, tokens }
  if (stub)
    return {
      ...base,
      weight: stub.tokens,
      chars: stub.chars,
      masked: true,
      storedId: stub.id,
      gain: () => 0,
      stub: () => content,
    }
  const trailer = kind === 'text' ? readTrailer(content) : null
  let extract: string | null = null
  function stubOf(id: string | null): string {
    extract ??= previewOf(
      trailer ? content.slice(0, content.lastIndexOf('\n[filtered: ')) : content,
      result,
      reading.memo,
    )
    const size = { lines: countLines(content), chars: content.length, tokens }
    return writeStub({ id, tool, ...size }, extract, reading.hint, callId)
  }
  let gain: number | null = null
  return {
    ...base,
    weight: tokens,
    chars: content.length,
    masked: false,
    storedId: trailer?.id ?? recalledId(tool, input),
    gain: () => (gain ??= gainOf(content, tokens, stubOf)),
    stub: stubOf,
  }
}

/** No result under this many tokens can be longer than its stub. */
const SMALLEST_STUB_TOKENS = 40

function gainOf(content: string, tokens: number, stubOf: (id: string) => string): number {
  // A lone surrogate can't be stored as UTF-8: such a text stays.
  if (tokens < SMALLEST_STUB_TOKENS || !content.isWellFormed()) return 0
  const stub = stubOf(PLACEHOLDER_ID)
  // As JSON it must not be longer either: a stub has quotes and line ends to escape.
  return JSON.stringify(stub).length < content.length ? tokens - estimateTokens(stub) : 0
}

function previewOf(content: string, result: ToolResult, memo: Memo): string {
  const command = commandOf(result.input)
  const key = JSON.stringify([result.tool, command, result.exitCode, result.isError, content])
  const known = memo.previews.get(key)
  if (known !== undefined) return known
  const { tool, exitCode, isError } = result
  const made = preview(content, { tool, command, exitCode, isError })
  memo.previews.set(key, made)
  return made
}

/** Lines split at LF; a last line without LF counts. */
function countLines(text: string): number {
  let lines = text.endsWith('\n') ? 0 : 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1
  return lines
}
