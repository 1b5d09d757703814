import { StoreError } from '../service/ports.ts'
import { RequestError } from '../service/types.ts'

/** One thing to mend: a field of the body (RFC 6901 pointer) or a parameter of the query, and what is wrong with it. */
export type Fault =
  | { readonly pointer: string; readonly detail: string }
  | { readonly parameter: string; readonly detail: string }

const KINDS = {
  'invalid-request': [400, 'The request is not valid'],
  unauthorized: [401, 'An API key is needed'],
  'insufficient-scope': [403, 'The API key is not good for this'],
  'link-refused': [403, 'The link is not good for this'],
  'foreign-origin': [403, 'Requests from other sites are refused'],
  'not-found': [404, 'There is nothing here'],
  'method-not-allowed': [405, 'The method is not allowed'],
  'request-timeout': [408, 'The body took too long'],
  'body-too-large': [413, 'The body is too large'],
  'unsupported-media-type': [415, 'The content type is not supported'],
  'range-not-satisfiable': [416, 'The range lies outside the output'],
  'too-many-messages': [413, 'The history has too many messages'],
  'misdirected-request': [421, 'The host name is not this server'],
  'too-many-requests': [429, 'Too many requests'],
  internal: [500, 'The server failed'],
  'output-unreadable': [500, 'The stored output cannot be read'],
  'not-ready': [503, 'The server is not ready'],
  'not-configured': [503, 'The server is not configured'],
  busy: [503, 'Too many bytes are in flight'],
  'store-failed': [503, 'The output store failed'],
} as const satisfies Record<string, readonly [status: number, title: string]>

export type ProblemKind = keyof typeof KINDS

/** Every failure that a caller sees, as RFC 9457 has it. Thrown anywhere below the app, answered in one place. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly kind: ProblemKind
  readonly faults: readonly Fault[]
  readonly headers: Readonly<Record<string, string>>

  /** @param detail a sentence that says what was wrong and what to do; no internals */
  constructor(
    kind: ProblemKind,
    detail: string,
    more: { faults?: readonly Fault[]; headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(detail)
    this.kind = kind
    this.faults = more.faults ?? []
    this.headers = more.headers ?? {}
  }

  get status(): number {
    return KINDS[this.kind][0]
  }
}

/** What a thrown value means to the caller. Whatever is unknown becomes a 500 that tells nothing of the inside. */
export function toProblem(thrown: unknown): Problem {
  if (thrown instanceof Problem) return thrown
  if (thrown instanceof RequestError) {
    return new Problem('invalid-request', thrown.message, {
      faults: [{ pointer: thrown.pointer, detail: thrown.message }],
    })
  }
  if (thrown instanceof StoreError && thrown.unreadable) {
    return new Problem(
      'output-unreadable',
      'It is damaged, or this server does not have the key that it is sealed with. Asking again does not help; filtering the output again stores it anew.',
    )
  }
  if (thrown instanceof StoreError) {
    return new Problem('store-failed', 'The output store did not answer as it should. Try again later.', {
      headers: { 'retry-after': '5' },
    })
  }
  return new Problem('internal', 'Something went wrong inside. The request may be repeated: it changes nothing twice.')
}

/** `application/problem+json` of RFC 9457: type, title, status, detail, and `errors` where fields are known. */
export function problemResponse(problem: Problem): Response {
  const [status, title] = KINDS[problem.kind]
  const body = {
    type: `urn:problem:spillway:${problem.kind}`,
    title,
    status,
    detail: problem.message,
    ...(problem.faults.length > 0 ? { errors: problem.faults } : {}),
  }
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store', ...problem.headers },
  })
}
