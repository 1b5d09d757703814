import { type Member, members, pointerKey } from '../engine/json.ts'
import { Problem } from './problem.ts'

/** Deeper bodies are refused: whatever walks them later may recurse. */
export const MAX_DEPTH = 1000

/** A request's JSON object, with its own text, so that values can be handed on as the exact bytes that came in. */
export interface JsonBody {
  readonly text: string
  readonly value: Readonly<Record<string, unknown>>
  readonly members: readonly Member[]
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Reads a JSON object. One byte order mark before it is accepted and ignored.
 * @throws Problem 400 for an empty body, invalid UTF-8, what is not JSON or no object, a key given twice, too deep nesting
 */
export function parseJsonBody(bytes: Uint8Array): JsonBody {
  const text = decode(bytes)
  if (/^[ \t\r\n]*$/.test(text)) throw invalid('The body is empty; a JSON object is needed.')
  if (nestsDeeper(text, MAX_DEPTH)) throw invalid(`The body nests deeper than ${MAX_DEPTH} levels.`)
  const value = parse(text)
  if (!isObject(value)) throw invalid('The body has to be a JSON object.')
  const found = members(text)
  const seen = new Set<string>()
  for (const { key } of found) {
    // JSON.parse takes the last, others take the first: two readers of one request must not disagree.
    if (seen.has(key)) throw invalid(`The key ${JSON.stringify(key)} is given twice.`, key)
    seen.add(key)
  }
  return { text, value, members: found }
}

/** The exact text of a top-level member's value; null where there is no such key. */
export function memberText(body: JsonBody, key: string): string | null {
  const member = body.members.find((each) => each.key === key)
  return member === undefined ? null : body.text.slice(member.start, member.end)
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A key as a reference token of RFC 6901. */
export function pointerTo(...path: readonly PropertyKey[]): string {
  return path.map((key) => `/${pointerKey(String(key))}`).join('')
}

function invalid(detail: string, key?: string): Problem {
  return new Problem(
    'invalid-request',
    detail,
    key === undefined ? {} : { faults: [{ pointer: pointerTo(key), detail }] },
  )
}

function decode(bytes: Uint8Array): string {
  try {
    const text = utf8.decode(bytes)
    return text.startsWith('\uFEFF') ? text.slice(1) : text
  } catch {
    throw invalid('The body is not valid UTF-8. Send bytes that are no text as text/plain: they are kept as they are.')
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    // Only the position is taken from the message: the rest quotes the body, and differs between runtimes.
    const position = error instanceof SyntaxError ? /position (\d+)/.exec(error.message)?.[1] : undefined
    throw invalid(`The body is not JSON${position === undefined ? '' : `: see character ${position}`}.`)
  }
}

/** Whether brackets outside strings open more than `limit` deep. Reads any text, JSON or not, in one pass. */
function nestsDeeper(text: string, limit: number): boolean {
  let depth = 0
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i)
    if (unit === 0x22) i = stringEnd(text, i)
    else if (unit === 0x5b || unit === 0x7b) {
      depth += 1
      if (depth > limit) return true
    } else if (unit === 0x5d || unit === 0x7d) depth -= 1
  }
  return false
}

/** Index of the quote that ends the string that starts at `start`; the text's end where none does. */
function stringEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end - 1
    while (text.charCodeAt(before) === 0x5c) before -= 1
    if ((end - before) % 2 === 1) return end
  }
  return text.length
}
