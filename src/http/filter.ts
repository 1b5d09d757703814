import type { FilterReply, FilterRequest, Spillway, Streams } from '../service/types.ts'
import { headerValue } from './header-value.ts'
import { Problem } from './problem.ts'
import { defineRoute, type Input, jsonResponse, type Route } from './route.ts'
import { filterAnswer, filterBody, filterQuery } from './schemas.ts'

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const lenient = new TextDecoder('utf-8', { ignoreBOM: true })

/** Names of the text/plain answer's headers, with what each says. */
const HEADERS = {
  'spillway-filtered': '"true" or "false"',
  'spillway-reason': 'why the output is unchanged',
  'spillway-family': 'family of commands that the output is of',
  'spillway-strategy': 'how it was condensed',
  'spillway-lines-in': 'lines in',
  'spillway-lines-kept': 'lines that stand as they were',
  'spillway-lines-restated': 'lines whose facts stand in other words',
  'spillway-lines-elided': 'lines gone, each counted in a marker',
  'spillway-tokens-before': 'estimated tokens of the output',
  'spillway-tokens-after': 'estimated tokens of the answer',
  'spillway-output-id': 'where the full output is: /v1/outputs/{id}',
  'spillway-warning': 'warnings, percent-encoded outside printable ASCII',
} as const

/** `POST /v1/filter`: one tool output in, its condensed form out; as JSON or as plain text. */
export function filterRoute(spillway: Spillway): Route {
  return defineRoute({
    method: 'POST',
    path: '/v1/filter',
    operationId: 'filterOutput',
    summary: 'Condense one tool output. Safe to retry: ids derive from the content.',
    scope: 'filter',
    query: filterQuery,
    json: filterBody,
    text: true,
    answers: {
      200: {
        description: 'The condensed output, or the output as it came with the reason. Text in, text out.',
        media: 'application/json',
        schema: filterAnswer,
        headers: HEADERS,
      },
    },
    async handle(input, query, { caller }) {
      if (input.kind === 'text') {
        const { output, raw } = decodeText(input.bytes)
        const request: FilterRequest = { streams: { output }, ...(raw ? { raw } : {}), ...defined(query) }
        return textAnswer(await spillway.filter(request, caller), output, input)
      }
      if (input.kind === 'none') throw new Problem('invalid-request', 'A body is needed.')
      if (Object.keys(query).length > 0) {
        throw new Problem(
          'invalid-request',
          'Query parameters go with text/plain bodies; in JSON they are keys of the body.',
        )
      }
      const { output, stdout, stderr, ...context } = input.value
      const streams: Streams = output === undefined ? { stdout: stdout ?? '', stderr: stderr ?? '' } : { output }
      const reply = await spillway.filter({ streams, ...defined(context) }, caller)
      return jsonResponse(jsonAnswer(reply, input.warnings))
    },
  })
}

/** A plain text as it came, and what of the request was ignored. */
type TextInput = Extract<Input<unknown>, { kind: 'text' }>

/** Bytes as text, every one of them where they are UTF-8 (a byte order mark stays); else with the bytes beside it. */
function decodeText(bytes: Uint8Array): { output: string; raw: Uint8Array | null } {
  try {
    return { output: strict.decode(bytes), raw: null }
  } catch {
    return { output: lenient.decode(bytes), raw: bytes }
  }
}

type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> }

/** The same object without keys that are undefined. */
function defined<T extends object>(object: T): Partial<Defined<T>> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as Partial<Defined<T>>
}

function jsonAnswer(reply: FilterReply, warnings: readonly string[]) {
  const { streams, filtered, reason, family, strategy, lines, tokens, spill } = reply
  return {
    ...streams,
    filtered,
    reason,
    family,
    strategy,
    lines,
    tokens,
    spill: spill && { id: spill.id, url: `/v1/outputs/${spill.id}`, bytes: spill.bytes },
    warnings: [...warnings, ...reply.warnings],
  }
}

function textAnswer(reply: FilterReply, output: string, received: TextInput): Response {
  const { streams, lines, tokens } = reply
  const warnings = [...received.warnings, ...reply.warnings]
  const text = 'output' in streams ? streams.output : streams.stdout + streams.stderr
  const values: Record<keyof typeof HEADERS, string | number | null> = {
    'spillway-filtered': String(reply.filtered),
    'spillway-reason': reply.reason,
    'spillway-family': reply.family,
    'spillway-strategy': reply.strategy,
    'spillway-lines-in': lines.in,
    'spillway-lines-kept': lines.kept,
    'spillway-lines-restated': lines.restated,
    'spillway-lines-elided': lines.elided,
    'spillway-tokens-before': tokens.before,
    'spillway-tokens-after': tokens.after,
    'spillway-output-id': reply.spill?.id ?? null,
    'spillway-warning': warnings.length > 0 ? warnings.join('; ') : null,
  }
  const headers = new Headers({ 'content-type': 'text/plain; charset=utf-8' })
  for (const [name, value] of Object.entries(values)) if (value !== null) headers.set(name, headerValue(String(value)))
  // An unchanged output goes back as the bytes received: decoding may have lost some. A guard's words are no such output.
  return new Response(text === output ? new Uint8Array(received.bytes) : text, { headers })
}
