import type { MediaPart, ToolResult } from './history/codec.ts'
import { measureBlock } from './history/measure.ts'
import { isObject, type JsonObject } from './history/value.ts'
import { PLACEHOLDER_ID, writeStub } from './marker.ts'
import type { Memo } from './memo.ts'
import { measured, type OutputPart } from './output-part.ts'

/** Members that hold what a block says of its medium. */
const HOLDERS = ['source', 'image', 'document', 'video', 'resource', 'input_audio', 'file', 'image_url', 'data']
const TYPE_KEYS = ['media_type', 'mediaType', 'mimeType', 'mime_type', 'format']
const TYPE = /^[a-z]{1,20}(?:\/[a-z0-9.+-]{1,80})?$/
const ADDRESSED_TYPE = /^data:([a-z]{1,20}\/[a-z0-9.+-]{1,80})[;,]/

/**
 * A medium as a part of its result: where masked, a text block with a stub stands in its place, and its block is kept as
 * the exact JSON that came in.
 * @param content the block's JSON
 */
export function readMedia(part: MediaPart, content: string, result: ToolResult, hint: string, memo: Memo): OutputPart {
  const { pointer, value, block } = part
  const tokens = measureBlock(value, memo)
  // As of a stub, which records both: no part counts for more tokens than characters.
  const weight = Math.min(tokens, content.length)
  const size = { tool: result.tool, lines: content.split('\n').length, chars: content.length, tokens: weight }
  const stubOf = (id: string | null) => writeStub({ id, ...size }, `Media: ${describe(value)}`, hint, result.callId)
  const repeatOf = (id: string | null, of: string) => writeStub({ id, ...size, same: of }, '', hint, result.callId)
  const gainOf = (text: string): number => {
    const shown = { ...block, text }
    const gain = weight - measureBlock(shown, memo)
    return gain > 0 && JSON.stringify(shown).length < content.length ? gain : 0
  }
  let gain: number | null = null
  return {
    pointer,
    kind: 'json',
    content,
    block,
    tokens,
    weight,
    chars: content.length,
    masked: false,
    repeats: false,
    storedId: null,
    storedChars: null,
    birth: null,
    gain: () => (gain ??= gainOf(stubOf(PLACEHOLDER_ID))),
    stub: (id) => measured(stubOf(id)),
    repeat: (id, of) => (gainOf(repeatOf(PLACEHOLDER_ID, of)) > 0 ? repeatOf(id, of) : null),
  }
}

/** What kind of medium a block holds: `image/png`; `media` where nothing tells. */
function describe(block: JsonObject): string {
  const inner = [block, ...HOLDERS.map((key) => block[key]).filter(isObject)]
  const holders = [...inner, ...inner.flatMap(({ source }) => (isObject(source) ? [source] : []))]
  for (const holder of holders)
    for (const key of TYPE_KEYS) {
      const type = holder[key]
      if (typeof type === 'string' && TYPE.test(type)) return type
    }
  for (const holder of holders)
    for (const text of [holder.url, holder.image_url, holder.file_data, holder.data]) {
      const type = typeof text === 'string' ? ADDRESSED_TYPE.exec(text.slice(0, 120))?.[1] : undefined
      if (type !== undefined) return type
    }
  return 'media'
}
