import * as z from 'zod'
import type { Scope } from '../service/scopes.ts'
import type { Caller } from '../service/types.ts'
import { type BodyLimits, readBytes } from './body.ts'
import { type JsonBody, parseJsonBody, pointerTo } from './json-body.ts'
import { type Fault, Problem } from './problem.ts'
import { readQuery } from './query.ts'

/** One documented answer of a route. `media` null: no body. */
export interface Answer {
  readonly description: string
  readonly media?: 'application/json' | 'text/plain' | 'application/problem+json'
  readonly schema?: z.ZodType
  readonly headers?: Readonly<Record<string, string>>
}

/** One request on its way through a route. */
export interface Exchange {
  readonly request: Request
  readonly params: Readonly<Record<string, string>>
  readonly caller: Caller
  /** Told of a failure that comes after the answer has begun. */
  readonly report: (error: unknown) => void
  /** How the body is read, how much of it, and how many messages it may hold. */
  readonly limits: BodyLimits & { readonly maxMessages: number }
}

/** A body as its route's handler gets it. */
export type Input<Body> =
  | { readonly kind: 'none' }
  | { readonly kind: 'text'; readonly bytes: Uint8Array; readonly warnings: readonly string[] }
  | { readonly kind: 'json'; readonly value: Body; readonly json: JsonBody; readonly warnings: readonly string[] }

/** One row of the route table: what Hono serves, OpenAPI documents and the tests walk through. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** With parameters in braces, as OpenAPI writes them: `/v1/outputs/{id}`. */
  readonly path: string
  readonly operationId: string
  readonly summary: string
  /** What an API key has to be good for; `key`: any key will do; `open`: answers without one. */
  readonly scope: Scope | 'key' | 'open'
  /** May be asked with `?link=` in an API key's place. */
  readonly linked: boolean
  readonly params: Readonly<Record<string, string>>
  readonly query: z.ZodType
  readonly json: z.ZodType | null
  readonly text: boolean
  readonly answers: Readonly<Record<number, Answer>>
  run(exchange: Exchange): Promise<Response>
}

type Spec<Query extends z.ZodType, Body extends z.ZodType> = Omit<
  Route,
  'run' | 'params' | 'query' | 'json' | 'text' | 'linked'
> & {
  readonly linked?: boolean
  readonly params?: Readonly<Record<string, string>>
  readonly query: Query
  readonly json?: Body
  /** Takes a text/plain body too. */
  readonly text?: boolean
  handle(input: Input<z.output<Body>>, query: z.output<Query>, exchange: Exchange): Promise<Response> | Response
}

/** For routes that take no query: any parameter is an error. */
export const noQuery = z.strictObject({})

/** Rules are the operator's alone: these keys are ignored in a request, and the answer says so. */
const OPERATOR_KEYS = ['rules', 'filters']

/** Makes a row of the table: query and body are checked against the schemas that the documentation shows. */
export function defineRoute<Query extends z.ZodType, Body extends z.ZodType = z.ZodNever>(
  spec: Spec<Query, Body>,
): Route {
  const { handle, params = {}, json = null, text = false, linked = false, query, ...rest } = spec
  async function run(exchange: Exchange): Promise<Response> {
    const apart = [...(linked ? ['link'] : []), ...(json === null ? [] : OPERATOR_KEYS)]
    const asked = readQuery(query, exchange.request, apart)
    const input: Input<z.output<Body>> = json === null ? { kind: 'none' } : await readInput(json, text, exchange)
    return handle(input, asked, exchange)
  }
  return { ...rest, linked, params, query, json, text, run }
}

async function readInput<Body extends z.ZodType>(
  schema: Body,
  text: boolean,
  exchange: Exchange,
): Promise<Input<z.output<Body>>> {
  const { request, limits } = exchange
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
  const given = new URL(request.url).searchParams
  const warnings = OPERATOR_KEYS.filter((key) => given.has(key)).map(ignored)
  if (text && type === 'text/plain') return { kind: 'text', bytes: await readBytes(request, limits), warnings }
  if (type !== 'application/json' && !/^application\/[a-z0-9.-]+\+json$/.test(type)) {
    const wanted = text ? 'application/json or text/plain' : 'application/json'
    throw new Problem('unsupported-media-type', `Send the body with content-type: ${wanted}.`, {
      headers: { accept: wanted },
    })
  }
  const json = parseJsonBody(await readBytes(request, limits))
  const own: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(json.value)) {
    if (OPERATOR_KEYS.includes(key)) warnings.push(ignored(key))
    else Object.defineProperty(own, key, { value, enumerable: true })
  }
  const result = schema.safeParse(own)
  if (result.success) return { kind: 'json', value: result.data, json, warnings }
  const faults = result.error.issues.flatMap(bodyFaults)
  throw new Problem('invalid-request', `The body is not valid: ${sentence(faults)}.`, { faults })
}

function ignored(key: string): string {
  return `"${key}" is ignored: rules are set by the operator alone`
}

function bodyFaults(issue: z.core.$ZodIssue): Fault[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ pointer: pointerTo(...issue.path, key), detail: 'is no known key' }))
  }
  return [{ pointer: pointerTo(...issue.path), detail: issue.message }]
}

function sentence(faults: readonly Fault[]): string {
  return faults
    .map((fault) => `${'pointer' in fault ? fault.pointer : fault.parameter}: ${fault.detail}`)
    .join('; ')
    .slice(0, 500)
}

/** A JSON answer. */
export function jsonResponse(value: unknown, status = 200): Response {
  return textResponse(JSON.stringify(value), 'application/json', status)
}

export function textResponse(body: string | Uint8Array<ArrayBuffer>, type: string, status = 200): Response {
  return new Response(body, { status, headers: { 'content-type': type } })
}
