import type * as z from 'zod'
import { ID_PATTERN } from '../engine/marker.ts'
import { firstLineOf, numberLines } from '../service/numbered.ts'
import type { Missing, Slice, StoredOutput } from '../service/ports.ts'
import { type Caller, RequestError, type SearchQuery, type Spillway } from '../service/types.ts'
import { beginBody, type Sized } from './body-out.ts'
import { Problem } from './problem.ts'
import { parseLines, parseRange, satisfy } from './range.ts'
import { type Answer, defineRoute, type Exchange, noQuery, type Route } from './route.ts'
import { outputQuery } from './schemas.ts'

const ID = { id: 'An output id, o_ and 32 letters' }

const HEADERS = {
  etag: 'the id: what it names never changes',
  'spillway-lines': 'lines of the whole output',
  'spillway-bytes': 'bytes of the whole output',
  'spillway-expires': 'until when it is kept, unless it is used; an HTTP date',
  'spillway-stdout-bytes': 'for two streams stored as one: how many of the bytes are standard output',
}

/** Only with `?grep=`. */
const SEARCH_HEADERS = {
  'spillway-matches': 'lines that match and are shown',
  'spillway-searched-to': 'the last line that was searched',
  'spillway-truncated': '"true" where a limit ended the search there: go on with lines=',
  'spillway-cut-lines': 'lines shown of which a part is left out, and says so',
}

const ANSWERS: Readonly<Record<number, Answer>> = {
  200: {
    description: 'The output, or the lines asked for',
    media: 'text/plain',
    headers: { ...HEADERS, ...SEARCH_HEADERS },
  },
  206: {
    description: 'The bytes asked for',
    media: 'text/plain',
    headers: { ...HEADERS, 'content-range': 'which bytes' },
  },
  304: { description: 'You have it already', headers: HEADERS },
  404: {
    description: 'No such output. Final, unless retry-after says when to ask again.',
    media: 'application/problem+json',
    headers: { 'retry-after': 'seconds, where the store is not sure yet' },
  },
  416: {
    description: 'The range lies outside the output',
    media: 'application/problem+json',
    headers: { 'content-range': 'how long the output is' },
  },
}

/**
 * `GET` (and `HEAD`) of a stored output: whole, by lines, by a search, or by one range of bytes. Never encoded, so ranges
 * hold; large ones are never held whole.
 */
export function readOutputRoute(spillway: Spillway, sized: Sized = (body) => body): Route {
  return defineRoute({
    method: 'GET',
    path: '/v1/outputs/{id}',
    operationId: 'readOutput',
    summary: 'Read a stored output: whole, by lines (lines, head, tail), by a search (grep) or by one Range of bytes.',
    scope: 'recall',
    linked: true,
    params: ID,
    query: outputQuery,
    answers: ANSWERS,
    async handle(_input, query, exchange) {
      const { request, params, caller } = exchange
      const id = checkedId(params.id)
      // The framework answers HEAD by this handler and drops the body: so nothing is read that would be dropped.
      if (request.method === 'HEAD') {
        const stored = present(id, await spillway.describe(id, caller))
        const whole = Object.values(query).every((each) => each === undefined)
        return answer(null, 200, {
          ...describe(stored),
          ...(whole ? { 'content-length': String(stored.bytes) } : {}),
        })
      }
      if (isKnown(request.headers.get('if-none-match'), id)) {
        return answer(null, 304, describe(present(id, await spillway.describe(id, caller))))
      }
      const slice = sliceOf(query)
      if (query.grep !== undefined) return readMatches(spillway, id, { ...query, grep: query.grep }, caller)
      const read: Read = { spillway, id, caller, report: exchange.report, sized }
      if (slice !== undefined || query.numbers) return readRows(read, slice, query.numbers)
      // With If-Range a range holds only for the very output that the client has a part of.
      const ifRange = request.headers.get('if-range')
      const range = ifRange === null || ifRange === `"${id}"` ? parseRange(request.headers.get('range')) : null
      return range === null ? readRows(read, undefined) : readRange(read, range)
    },
  })
}

/** `DELETE` of a stored output. */
export function deleteOutputRoute(spillway: Spillway): Route {
  return defineRoute({
    method: 'DELETE',
    path: '/v1/outputs/{id}',
    operationId: 'deleteOutput',
    summary: 'Delete a stored output.',
    scope: 'delete',
    params: ID,
    query: noQuery,
    answers: {
      204: { description: 'It is gone' },
      404: { description: 'It was not there. Final.', media: 'application/problem+json' },
    },
    async handle(_input, _query, { params, caller }) {
      const id = checkedId(params.id)
      if (!(await spillway.remove(id, caller))) throw notFound(id, 'final')
      return new Response(null, { status: 204 })
    },
  })
}

type Query = z.output<typeof outputQuery>

function sliceOf({ lines, head, tail }: Query): Slice | undefined {
  if (lines !== undefined) return parseLines(lines)
  if (head !== undefined) return { head }
  return tail === undefined ? undefined : { tail }
}

/** One reading of an output. */
interface Read extends Pick<Exchange, 'caller' | 'report'> {
  readonly spillway: Spillway
  readonly id: string
  readonly sized: Sized
}

async function readRows(read: Read, slice: Slice | undefined, numbered = false): Promise<Response> {
  checkOrder(slice)
  const { parts, ...stored } = present(read.id, await read.spillway.stream(read.id, slice, read.caller))
  const rows = numbered ? numberLines(parts, firstLineOf(slice, stored.lines)) : parts
  const length = slice === undefined && !numbered ? stored.bytes : null
  const response = await send(read, rows, 200, length, describe(stored))
  checkLines(slice, stored)
  return response
}

/** @param length of the parts in bytes, where it is known */
async function send(
  { report, sized }: Read,
  parts: AsyncIterable<Uint8Array>,
  status: number,
  length: number | null,
  headers: Record<string, string>,
): Promise<Response> {
  const body = await beginBody(parts, report)
  if ('whole' in body) {
    return answer(body.whole, status, { ...headers, 'content-length': String(body.whole.length) })
  }
  if (length === null) return answer(body.rest, status, headers)
  return answer(sized(body.rest, length), status, { ...headers, 'content-length': String(length) })
}

async function readMatches(
  spillway: Spillway,
  id: string,
  { grep: pattern, context, ignoreCase, max, lines }: Query & { readonly grep: string },
  caller: Caller,
): Promise<Response> {
  const slice = lines === undefined ? undefined : parseLines(lines)
  checkOrder(slice)
  const query: SearchQuery = {
    pattern,
    ...(context !== undefined && { context }),
    ...(ignoreCase !== undefined && { ignoreCase }),
    ...(max !== undefined && { max }),
    ...(slice !== undefined && { lines: slice.lines }),
  }
  const found = present(id, await spillway.search(id, query, caller).catch(asGrepFault))
  checkLines(slice, found)
  return answer(new TextEncoder().encode(found.text), 200, {
    ...describe(found),
    'spillway-matches': String(found.matches),
    'spillway-searched-to': String(found.searchedTo),
    'spillway-truncated': String(found.truncated),
    'spillway-cut-lines': String(found.cut),
  })
}

/** What is wrong with a pattern, under the name that it has here. */
function asGrepFault(error: unknown): never {
  if (error instanceof RequestError && error.pointer === '/pattern') throw parameterFault('grep', error.message)
  throw error
}

function checkOrder(slice: Slice | undefined): void {
  if (slice !== undefined && 'lines' in slice && slice.lines[0] > slice.lines[1])
    throw parameterFault('lines', 'ends before it starts')
}

function checkLines(slice: Slice | undefined, { lines }: StoredOutput): void {
  if (slice !== undefined && 'lines' in slice && slice.lines[0] > lines)
    throw parameterFault('lines', `the output has ${lines} lines`)
}

function parameterFault(parameter: string, detail: string): Problem {
  return new Problem('invalid-request', `${parameter}: ${detail}.`, { faults: [{ parameter, detail }] })
}

async function readRange(read: Read, range: NonNullable<ReturnType<typeof parseRange>>): Promise<Response> {
  const { spillway, id, caller } = read
  const stored = present(id, await spillway.describe(id, caller))
  const bytes = satisfy(range, stored.bytes)
  if (bytes === null) {
    throw new Problem('range-not-satisfiable', `The output has ${stored.bytes} bytes.`, {
      headers: { 'content-range': `bytes */${stored.bytes}` },
    })
  }
  const { parts, ...part } = present(id, await spillway.stream(id, { bytes }, caller))
  const [from, to] = bytes
  const headers = { ...describe(part), 'content-range': `bytes ${from}-${to}/${part.bytes}` }
  return send(read, parts, 206, to - from + 1, headers)
}

function checkedId(id: string | undefined): string {
  if (id === undefined || !ID_PATTERN.test(id)) throw notFound(id ?? '', 'final')
  return id
}

function present<T extends StoredOutput>(id: string, found: T | Missing): T {
  if ('missing' in found) throw notFound(id, found.missing)
  return found
}

function notFound(id: string, missing: Missing['missing']): Problem {
  const name = ID_PATTERN.test(id) ? id : 'by this id'
  if (missing === 'unsure') {
    return new Problem('not-found', `No output ${name} is visible yet; one written just now may be in a minute.`, {
      headers: { 'retry-after': '60' },
    })
  }
  return new Problem(
    'not-found',
    `No output ${name} is stored: it has expired, was deleted, or never was. This is final: do not retry.`,
  )
}

/** Whether `If-None-Match` names the output (weak comparison, RFC 9110 section 13.1.2). */
function isKnown(header: string | null, id: string): boolean {
  if (header === null) return false
  return header.split(',').some((tag) => ['*', `"${id}"`, `W/"${id}"`].includes(tag.trim()))
}

function describe(stored: StoredOutput): Record<string, string> {
  return {
    etag: `"${stored.id}"`,
    'spillway-lines': String(stored.lines),
    'spillway-bytes': String(stored.bytes),
    'spillway-expires': new Date(stored.expiresAt).toUTCString(),
    ...(stored.stdoutBytes === undefined ? {} : { 'spillway-stdout-bytes': String(stored.stdoutBytes) }),
  }
}

function answer(
  content: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null,
  status: number,
  headers: Record<string, string>,
): Response {
  return new Response(content, {
    status,
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'private, no-transform',
      'accept-ranges': 'bytes',
      ...headers,
    },
  })
}
