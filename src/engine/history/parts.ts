import { pointerKey } from '../json.ts'
import type { MediaPart, ResultPart } from './codec.ts'
import { asString, isArray, isObject, type JsonObject, objectsIn } from './value.ts'

/**
 * The text parts of a result's content: a string, or a list of blocks of which those with `type` among `types` and a
 * string `text` are text, and those with one of the media's types are media. Other blocks stay as they are. An empty text
 * is no part: nothing to mask.
 */
export function textParts(
  content: unknown,
  pointer: string,
  types: readonly string[],
  media: MediaTypes = NO_MEDIA,
): readonly ResultPart[] {
  if (typeof content === 'string') return content === '' ? [] : [{ kind: 'text', pointer, text: content }]
  const parts: ResultPart[] = []
  for (const [index, block] of objectsIn(content)) {
    const type = asString(block.type)
    if (media.types.includes(type)) parts.push(mediaPart(block, `${pointer}/${index}`, media.text))
    if (typeof block.text !== 'string' || block.text === '' || !types.includes(type)) continue
    parts.push({ kind: 'text', pointer: `${pointer}/${index}/text`, text: block.text })
  }
  return parts
}

/** The types of a format's blocks that hold media, and the type of the text block that may stand in their place. */
export interface MediaTypes {
  readonly types: readonly string[]
  readonly text: string
}

const NO_MEDIA: MediaTypes = { types: [], text: 'text' }

/** What a block says besides what it holds, in whatever format: where a cache breakpoint is, notes to providers. */
const BESIDE = ['cache_control', 'providerOptions', 'annotations', '_meta']

/** @param type of a text block; null where blocks of the format have none */
export function mediaPart(value: JsonObject, pointer: string, type: string | null): MediaPart {
  const beside = BESIDE.filter((key) => value[key] !== undefined).map((key) => [key, value[key]])
  return { kind: 'media', pointer, value, block: { ...(type !== null && { type }), ...Object.fromEntries(beside) } }
}

/** What a human wrote: a string, or the texts of a list of blocks. */
export function plainText(content: unknown): string {
  if (typeof content === 'string') return content
  if (!isArray(content)) return ''
  return content.map((block) => (isObject(block) ? asString(block.text) : asString(block))).join('\n')
}

/**
 * The parts of a result that may be any JSON. A string is text. Of an object the members are the parts, so that the
 * object stays one: strings as text, lists and objects as JSON. A list is one part of JSON.
 */
export function valueParts(value: unknown, pointer: string): readonly ResultPart[] {
  if (!isObject(value)) return valuePart(value, pointer)
  return Object.entries(value).flatMap(([key, member]) => valuePart(member, `${pointer}/${pointerKey(key)}`))
}

function valuePart(value: unknown, pointer: string): readonly ResultPart[] {
  if (typeof value === 'string') return value === '' ? [] : [{ kind: 'text', pointer, text: value }]
  return isObject(value) || isArray(value) ? [{ kind: 'json', pointer, value }] : []
}
