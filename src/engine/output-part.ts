import { type CondensedPlan, planFilter, renderFilter } from './filter.ts'
import { commandOf } from './history/call.ts'
import type { MediaPart, ResultPart, ToolResult } from './history/codec.ts'
import { measureBlock } from './history/measure.ts'
import { recalledId } from './history/own.ts'
import type { JsonObject } from './history/value.ts'
import { PLACEHOLDER_ID, readStub, readTrailer, writeStub } from './marker.ts'
import { type Memo, sizeOf, tokensOf } from './memo.ts'
import type { MaskPolicy } from './policy.ts'
import { preview } from './preview.ts'
import { estimateTokens } from './text/tokens.ts'

/** What the outputs of one history are read with. */
export interface Reading {
  readonly list: readonly unknown[]
  readonly json?: string | undefined
  readonly policy: MaskPolicy
  /** Words for how to get a full output, in a stub and in a trailer. */
  readonly hint: string
  readonly trailerHint: string
  /** Name of the model that reads the history; null where unknown: then the history's own words count. */
  readonly model: string | null
  /** What a guard has left of parts, by pointer; null for one that stays whole. */
  readonly left: ReadonlyMap<string, string | null>
  readonly memo: Memo
}

/** A text, and its estimated tokens. */
export interface Written {
  readonly text: string
  readonly tokens: number
}

export function measured(text: string): Written {
  return { text, tokens: estimateTokens(text) }
}

/** A part of a result as it stands in the history: a stub already, or content that a stub may replace. */
export interface OutputPart {
  readonly pointer: string
  readonly kind: 'text' | 'json'
  readonly content: string
  /** Where what stands here is a block of its own: the text block, without its `text`, that takes its place; else null. */
  readonly block: JsonObject | null
  readonly tokens: number
  /** Towards the budgets: of a stub the size it records, of a filtered text that of its condensed form. */
  readonly weight: number
  readonly chars: number
  readonly masked: boolean
  /** Whether it is a stub that points to an equal result above. */
  readonly repeats: boolean
  /** Where a stub's full output is, or where the history says that this one's is (a filtered output, a recalled one). */
  readonly storedId: string | null
  /** UTF-16 units of that output, where the history says so. */
  readonly storedChars: number | null
  /**
   * The condensed form that stands here from the first, by the id of the full output and the content that is stored
   * (this part's, or what a guard has made of it); null where the text stands.
   */
  readonly birth: ((id: string | null, stored: string) => string) | null
  /** Tokens that a stub frees; 0 or less where none may stand here. */
  gain(): number
  /** @param stored what stands behind the id: this part's content, or what a guard has made of it */
  stub(id: string | null, stored: string): Written
  /** What stands here where the result is the same as that of another call above; null where that would not be smaller. */
  repeat(id: string | null, of: string): string | null
}

/** A result, its step, and how many of its model's tokens an estimated token is. */
export interface PlacedResult {
  readonly result: ToolResult
  readonly step: number
  readonly scale: number
}

/** A text or a JSON value as a part of its result. @param counted whether masking may ever touch the result */
export function readPart(
  part: Exclude<ResultPart, MediaPart>,
  content: string,
  placed: PlacedResult,
  reading: Reading,
  counted: boolean,
): OutputPart {
  const { result } = placed
  const { callId, tool, input } = result
  const { pointer, kind } = part
  const { memo } = reading
  const tokens = part.kind === 'text' ? tokensOf(content, memo) : measureBlock(part.value, memo)
  const known = kind === 'text' ? readStub(content, callId) : null
  const base = { pointer, kind, content, block: null, tokens }
  if (known)
    return {
      ...base,
      // No text has more tokens than characters: a stub may be forged.
      weight: Math.min(known.tokens, known.chars),
      chars: known.chars,
      masked: true,
      repeats: typeof known.same === 'string',
      storedId: known.id,
      storedChars: null,
      birth: null,
      gain: () => 0,
      stub: () => ({ text: content, tokens }),
      repeat: () => null,
    }
  const trailer = kind === 'text' ? readTrailer(content) : null
  const storedId = trailer?.id ?? recalledId(tool, input)
  const left = reading.left.get(pointer)
  const birth =
    kind === 'text' && counted && left !== null && !trailer && storedId === null
      ? filteredAtBirth(content, tokens, placed, reading)
      : null
  // A filtered output is as large as what stands above its trailer, whoever filtered it and wherever it is stored.
  const guarded = birth && typeof left === 'string' ? (bornFrom(left)?.body ?? left) : null
  const shown = guarded ?? birth?.body ?? (trailer ? content.slice(0, content.lastIndexOf('\n[filtered: ')) : content)
  const weight = shown === content ? tokens : tokensOf(shown, memo)
  function stubWith(id: string | null, extract: string): string {
    const size = { lines: sizeOf(shown, memo).lines, chars: shown.length, tokens: weight }
    return writeStub({ id, tool, ...size }, extract, reading.hint, callId)
  }
  function repeatOf(id: string | null, of: string): string {
    const size = { lines: sizeOf(content, memo).lines, chars: content.length, tokens }
    return writeStub({ id, tool, ...size, same: of }, '', reading.hint, callId)
  }
  let extract: string | null = null
  function stubOf(id: string | null): string {
    extract ??= previewOf(shown, result, memo)
    return stubWith(id, extract)
  }
  let gain: number | null = null
  function gainOnce(): number {
    gain ??= isStorable() ? gainOfStub() : 0
    return gain
  }
  /** The same for every call's id and every output's: their cost is constant. */
  function gainOfStub(): number {
    const about = JSON.stringify([...aboutCall(result), weight, reading.hint])
    const known = memo.gains.get(shown, about)
    if (known !== undefined) return known
    const made = gainOf(shown, weight, stubOf)
    memo.gains.set(shown, about, made)
    return made
  }
  /** Sizes stay those of what came in, by which later events are decided. */
  function stubOfStored(id: string | null, stored: string): Written {
    // With any id it costs what it did in planning.
    if (stored === content)
      return id !== null && gainOnce() > 0 ? { text: stubOf(id), tokens: weight - gainOnce() } : measured(stubOf(id))
    const again = birth && bornFrom(stored)
    const stub = measured(stubWith(id, previewOf(again?.body ?? stored, result, memo)))
    // What a guard has put in may be longer than what it took out.
    return isSmaller(stub, shown, weight) ? stub : measured(stubWith(id, ''))
  }
  /** @param stored what a guard has made of the content */
  function bornFrom(stored: string): CondensedPlan | null {
    return filteredAtBirth(stored, tokensOf(stored, memo), placed, reading)
  }
  function bornOf(plan: CondensedPlan, id: string | null, stored: string): string {
    if (stored === content) return renderFilter(plan, id)
    const again = bornFrom(stored)
    return again ? renderFilter(again, id) : stored
  }
  // A lone surrogate can't be stored as UTF-8: such a text stays.
  const isStorable = () => sizeOf(content, memo).wellFormed
  return {
    ...base,
    weight,
    chars: shown.length,
    masked: false,
    repeats: false,
    storedId,
    storedChars: trailer?.id ? trailer.chars : null,
    birth: birth && ((id, stored) => bornOf(birth, id, stored)),
    gain: gainOnce,
    stub: stubOfStored,
    repeat: (id, of) =>
      shown === content && isStorable() && gainOf(content, tokens, () => repeatOf(PLACEHOLDER_ID, of)) > 0
        ? repeatOf(id, of)
        : null,
  }
}

/** The condensed form of a text over the policy's size, by the result and its call alone; null where there is none. */
function filteredAtBirth(
  content: string,
  tokens: number,
  { result, scale }: PlacedResult,
  reading: Reading,
): CondensedPlan | null {
  const limit = reading.policy.filterAtBirth
  if (limit === null || tokens * scale <= limit) return null
  const { tool, exitCode } = result
  const command = commandOf(result.input)
  const about = JSON.stringify([tool, command, exitCode, reading.trailerHint])
  let plan = reading.memo.births.get(content, about)
  if (plan === undefined) {
    const made = planFilter(content, {
      hint: reading.trailerHint,
      ...(tool !== '' && { tool }),
      ...(command !== null && { command }),
      ...(exitCode !== null && { exitCode }),
    })
    // In a history what is filtered must not grow in characters either: requests are billed and bounded by bytes, too.
    plan = made.changed && renderFilter(made, PLACEHOLDER_ID).length < content.length ? made : null
    reading.memo.births.set(content, about, plan)
  }
  return plan
}

/** No result under this many tokens can be longer than its stub. */
const SMALLEST_STUB_TOKENS = 40

function gainOf(content: string, tokens: number, stubOf: (id: string) => string): number {
  if (tokens < SMALLEST_STUB_TOKENS) return 0
  const stub = measured(stubOf(PLACEHOLDER_ID))
  return isSmaller(stub, content, tokens) ? tokens - stub.tokens : 0
}

function isSmaller({ text, tokens: cost }: Written, content: string, tokens: number): boolean {
  // As JSON it must not be longer either: a stub has quotes and line ends to escape.
  return cost < tokens && (6 * text.length < content.length || JSON.stringify(text).length < content.length)
}

/** What a preview depends on besides the content. */
function aboutCall({ tool, input, exitCode, isError }: ToolResult): readonly unknown[] {
  return [tool, commandOf(input), exitCode, isError]
}

function previewOf(content: string, result: ToolResult, memo: Memo): string {
  const about = JSON.stringify(aboutCall(result))
  const known = memo.previews.get(content, about)
  if (known !== undefined) return known
  const { tool, exitCode, isError } = result
  const command = commandOf(result.input)
  const made = preview(content, { tool, command, exitCode, isError }, tokensOf(content, memo))
  memo.previews.set(content, about, made)
  return made
}
