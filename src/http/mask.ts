import type { Edit, ListKey, MaskReply, MaskRequest, Spillway } from '../service/types.ts'
import { type JsonBody, memberText } from './json-body.ts'
import { Problem } from './problem.ts'
import { defineRoute, type Route, textResponse } from './route.ts'
import { LIST_KEYS, maskAnswer, maskBody, maskQuery } from './schemas.ts'

/** A message list of a request: its key, its exact text, and its values. */
export interface ListInBody {
  readonly key: ListKey
  readonly json: string
  readonly list: readonly unknown[]
}

/**
 * The one message list of a checked body; null where it has none.
 * @throws Problem 413 for more messages than a history may have
 */
export function listOf(
  body: JsonBody,
  value: { readonly [key in ListKey]?: unknown[] | undefined },
  maxMessages: number,
): ListInBody | null {
  for (const key of LIST_KEYS) {
    const list = value[key]
    const json = memberText(body, key)
    if (list === undefined || json === null) continue
    if (list.length > maxMessages) {
      const detail = `has ${list.length} messages; at most ${maxMessages} are taken (limits.max_messages)`
      throw new Problem('too-many-messages', `/${key} ${detail}.`, { faults: [{ pointer: `/${key}`, detail }] })
    }
    return { key, json, list }
  }
  return null
}

/** `POST /v1/mask`: a message history in, the same with old bulky tool results masked out. */
export function maskRoute(spillway: Spillway): Route {
  return defineRoute({
    method: 'POST',
    path: '/v1/mask',
    operationId: 'maskHistory',
    summary: 'Mask old bulky tool results of a message history. Safe to retry: ids derive from the content.',
    scope: 'mask',
    query: maskQuery,
    json: maskBody,
    answers: {
      200: {
        description: 'The history, masked where it pays, and a report',
        media: 'application/json',
        schema: maskAnswer,
      },
    },
    async handle(input, query, { caller, limits }) {
      const found = input.kind === 'json' ? listOf(input.json, input.value, limits.maxMessages) : null
      if (input.kind !== 'json' || found === null) throw new Problem('invalid-request', 'A message list is needed.')
      const { format, hint, model, receipt, session } = input.value
      // As it was parsed: a schema passes over a key named __proto__ in silence, and the policy's own reader refuses it.
      const { policy } = input.json.value
      const request: MaskRequest = {
        ...found,
        format,
        ...(policy === undefined ? {} : { policy }),
        ...(hint === undefined ? {} : { hint }),
        ...(model === undefined ? {} : { model }),
        ...(receipt === undefined ? {} : { receipt }),
        ...(session === undefined ? {} : { session }),
      }
      const reply = await spillway.mask(request, caller)
      const body = query.return === 'edits' ? editsMember(found.key, reply) : `"${found.key}":${reply.json}`
      // Built by concatenation: the list's own text must not go through a parser and back.
      const rest = `"report":${JSON.stringify(reply.report)},"warnings":${JSON.stringify(input.warnings)}`
      return textResponse(`{${body},${rest}}`, 'application/json')
    },
  })
}

function editsMember(key: ListKey, reply: MaskReply): string {
  const edits = inOrder(reply.edits).map((edit) => {
    const path = `/${key}${edit.pointer}`
    return 'remove' in edit ? { op: 'remove', path } : { op: 'replace', path, value: edit.value }
  })
  return `"edits":${JSON.stringify(edits)}`
}

/**
 * Edits point into the list as it came in, but RFC 6902 applies them one after the other. So what replaces comes first,
 * and elements are removed from the end to the start: no removal moves what a later operation points at.
 */
function inOrder(edits: readonly Edit[]): Edit[] {
  const removals = edits.filter((edit) => 'remove' in edit)
  return [...edits.filter((edit) => !('remove' in edit)), ...removals.sort((a, b) => byPlace(b.pointer, a.pointer))]
}

/** Compares two places of a document by reading order; array indexes are compared as numbers. */
function byPlace(left: string, right: string): number {
  const a = left.split('/')
  const b = right.split('/')
  for (let i = 0; i < Math.min(a.length, b.length); i += 1) {
    const difference = Number(a[i]) - Number(b[i])
    if (difference !== 0 && !Number.isNaN(difference)) return difference
  }
  return a.length - b.length
}
