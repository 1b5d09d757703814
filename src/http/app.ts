import { type Context, Hono } from 'hono'
import type { Scope } from '../service/scopes.ts'
import type { Spillway } from '../service/types.ts'
import { type ApiKey, authenticate, requireLoopback, requireScope } from './auth.ts'
import type { Gate } from './body.ts'
import { Problem, problemResponse, toProblem } from './problem.ts'
import type { Route } from './route.ts'
import { createRoutes } from './routes.ts'

export interface AppOptions {
  readonly version: string
  /** Without any, only requests to and from this machine are answered, as one tenant. */
  readonly keys: readonly ApiKey[]
  /** Bytes that one body may have. */
  readonly maxBody: number
  /** Bytes of bodies held at once, over all requests. */
  readonly gate?: Gate
  /** Told what a caller is not: an unforeseen error. */
  readonly onError?: (error: unknown) => void
}

/** The HTTP face of the service, the same on every runtime: `app.fetch(request)`. */
export function createApp(spillway: Spillway, options: AppOptions): Hono {
  const app = new Hono()
  const routes = createRoutes(spillway, options.version)
  for (const route of routes) {
    app.on(route.method, honoPath(route.path), (context) =>
      answer(context, () => serve(route, context, options), options),
    )
  }
  for (const path of new Set(routes.map((route) => route.path))) {
    app.all(honoPath(path), (context) => answer(context, () => refuse(routes, path), options))
  }
  app.notFound((context) => {
    const problem = new Problem('not-found', 'There is no such path here. The paths are listed at /openapi.json.')
    return finish(context.req.raw, problemResponse(problem))
  })
  app.onError((error, context) => finish(context.req.raw, toResponse(error, options)))
  return app
}

function honoPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1')
}

async function answer(context: Context, work: () => Promise<Response>, options: AppOptions): Promise<Response> {
  const response = await work().catch((error: unknown) => toResponse(error, options))
  return finish(context.req.raw, response)
}

function toResponse(error: unknown, options: AppOptions): Response {
  const problem = toProblem(error)
  if (problem.kind === 'internal' || problem.kind === 'store-failed') options.onError?.(error)
  return problemResponse(problem)
}

async function refuse(routes: readonly Route[], path: string): Promise<Response> {
  const methods = routes.filter((route) => route.path === path).map((route) => route.method)
  const allow = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ')
  throw new Problem('method-not-allowed', `This path takes ${allow}.`, { headers: { allow } })
}

async function serve(route: Route, context: Context, options: AppOptions): Promise<Response> {
  const request = context.req.raw
  if (options.keys.length === 0) requireLoopback(request)
  // Before the body is read: nobody without a key makes the server hold bytes.
  const tenant = route.scope === 'open' ? '' : await admit(request, route.scope, options)
  const held = holdIn(options.gate)
  const exchange = {
    request,
    params: context.req.param(),
    caller: { tenant, route: `${route.method} ${route.path}` },
    limits: { maxBody: options.maxBody, hold: held.hold },
  }
  try {
    return await route.run(exchange)
  } finally {
    held.release()
  }
}

/** The tenant that a request is answered for. @throws Problem 401, 403 */
async function admit(request: Request, scope: Scope | 'key', { keys }: AppOptions): Promise<string> {
  const identity = await authenticate(request, keys)
  requireScope(scope, identity)
  return identity.tenant
}

/** What one request holds of the gate. */
function holdIn(gate: Gate | undefined) {
  let held = 0
  return {
    hold(bytes: number): void {
      if (gate?.enter(bytes) === false) {
        throw new Problem('busy', 'Other requests hold the memory that this body needs.', {
          headers: { 'retry-after': '1' },
        })
      }
      held += bytes
    },
    release(): void {
      gate?.leave(held)
    },
  }
}

const REQUEST_ID = /^[\x21-\x7e]{1,128}$/
const TRACE_PARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/

/** Headers that every answer has: who asked (the caller's own id, or a new one), its trace, and no sniffing. */
function finish(request: Request, response: Response): Response {
  const given = request.headers.get('request-id') ?? ''
  response.headers.set('request-id', REQUEST_ID.test(given) ? given : crypto.randomUUID())
  const trace = request.headers.get('traceparent') ?? ''
  if (TRACE_PARENT.test(trace)) response.headers.set('traceparent', trace)
  response.headers.set('x-content-type-options', 'nosniff')
  return response
}
