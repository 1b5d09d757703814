import { createMemo, type Memo, tokensOf } from '../memo.ts'
import { isObject } from './value.ts'

/** What an image costs a model, about: providers charge by area, up to some 1600 tokens for a full screenshot. */
export const IMAGE_TOKENS = 1600
/** A page of a document costs about as much as an image; 50 KB stand for one page. */
const DOCUMENT_PAGE_CHARS = 68_000
/** Role, separators and the like. */
const MESSAGE_TOKENS = 4

/** Long strings that no model reads: proofs of origin, in thinking blocks and calls. */
const UNREAD_KEYS = new Set(['signature', 'thinkingSignature', 'thoughtSignature', 'encrypted_content'])
/** Members that may hold the encoded text, where the type stands beside them: `{format, source: {bytes}}`. */
const HOLDERS = ['source', 'data']
const MEDIA_TYPE_KEYS = ['media_type', 'mimeType', 'mime_type', 'mediaType', 'format']
const IMAGE_ADDRESS = /^data:image\//
const MEDIA_ADDRESS = /^data:[a-z]{1,20}\/[a-z0-9.+-]{1,80}[;,]/

/**
 * Estimated tokens of a message, or of any parsed JSON: its strings and numbers, its keys, and a flat price for media.
 * Keeps its own stack, so that depth is no limit.
 */
export function measure(value: unknown, memo: Memo): number {
  let tokens = MESSAGE_TOKENS
  const stack: unknown[] = [value]
  while (stack.length > 0) {
    const item = stack.pop()
    if (typeof item === 'string') tokens += IMAGE_ADDRESS.test(item) ? IMAGE_TOKENS : textOrMedia(item, memo)
    else if (typeof item === 'number') tokens += Math.ceil(String(item).length / 3)
    else if (typeof item === 'boolean') tokens += 1
    else if (Array.isArray(item)) for (const inner of item) stack.push(inner)
    else if (isObject(item)) {
      const media = mediaTokens(item)
      for (const [key, inner] of Object.entries(item)) {
        if (UNREAD_KEYS.has(key) || (media > 0 && (typeof inner === 'string' || HOLDERS.includes(key)))) continue
        tokens += 1
        stack.push(inner)
      }
      tokens += media
    }
  }
  return tokens
}

function textOrMedia(text: string, memo: Memo): number {
  return MEDIA_ADDRESS.test(text) ? documentTokens(text.length) : tokensOf(text, memo)
}

function documentTokens(chars: number): number {
  return Math.ceil(chars / DOCUMENT_PAGE_CHARS) * IMAGE_TOKENS
}

/** The price of an object that holds encoded media beside its type (`{media_type, data}`); 0 for any other. */
export function mediaTokens(item: Readonly<Record<string, unknown>>): number {
  const data = encodedIn(item) ?? HOLDERS.map((key) => encodedIn(item[key])).find((text) => text !== null) ?? null
  if (data === null) return 0
  const type = MEDIA_TYPE_KEYS.map((key) => item[key]).find((one) => typeof one === 'string')
  if (typeof type !== 'string') return 0
  return type.startsWith('image/') || /^(?:png|jpe?g|gif|webp)$/.test(type) ? IMAGE_TOKENS : documentTokens(data.length)
}

/** Text of an encoded medium that the value holds itself. */
function encodedIn(value: unknown): string | null {
  if (!isObject(value)) return null
  const text = value.data ?? value.bytes ?? value.blob ?? value.image
  return typeof text === 'string' ? text : null
}

/** What a content block adds to its message's size. */
export function measureBlock(value: unknown, memo: Memo): number {
  return measure(value, memo) - MESSAGE_TOKENS
}

/**
 * Estimated tokens of a whole history: the sum over its messages, in the estimator's own tokens (o200k_base), whatever the
 * model. Any parsed JSON is taken; never throws.
 * @param list the message list, in any format
 */
export function measureHistory(list: readonly unknown[]): number {
  const memo = createMemo()
  let tokens = 0
  for (const message of list) tokens += measure(message, memo)
  return tokens
}
