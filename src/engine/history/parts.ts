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
