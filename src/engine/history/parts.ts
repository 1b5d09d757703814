import { pointerKey } from '../json.ts'
import type { ResultPart } from './codec.ts'
import { asString, isArray, isObject, objectsIn } from './value.ts'

/**
 * The text parts of a result's content: a string, or a list of blocks of which those with `type` among `types` and a
 * string `text` are text. Blocks of other kinds (images) stay as they are. An empty text is no part: nothing to mask.
 */
export function textParts(content: unknown, pointer: string, types: readonly string[]): readonly ResultPart[] {
  if (typeof content === 'string') return content === '' ? [] : [{ kind: 'text', pointer, text: content }]
  const parts: ResultPart[] = []
  for (const [index, block] of objectsIn(content)) {
    if (typeof block.text !== 'string' || block.text === '' || !types.includes(asString(block.type))) continue
    parts.push({ kind: 'text', pointer: `${pointer}/${index}/text`, text: block.text })
  }
  return parts
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
