import { type Context, Hono } from 'hono'
import { runtimeTimer, type Timer } from '../service/deadline.ts'
import { defaultSettings, type LimitSettings } from '../service/settings.ts'
import type { Spillway } from '../service/types.ts'
import { admit } from './admit.ts'
import { type ApiKey, authenticate, requireLoopback } from './auth.ts'
import type { Gate } from './body.ts'
import { protectBrowsers } from './browser.ts'
import { concealLink, openLink } from './links.ts'
import { Problem, type ProblemKind, problemResponse, toProblem } from './problem.ts'
import type { RateLimiter } from './rate-limit.ts'
import type { Route } from './route.ts'
import { createRoutes, type RouteOptions } from './routes.ts'

export interface AppOptions extends RouteOptions {
  /** Without any, only requests to and from this machine are answered, as one tenant. */
  readonly keys: readonly ApiKey[]
  /** Origins of other sites whose scripts are answered; without any, no CORS header is sent. */
  readonly corsOrigins?: readonly string[]
  /** Bytes that one body may have. */
  readonly maxBody: number
  /** Bytes of bodies held at once, over all requests. */
  readonly gate?: Gate
  /** The defaults where left out. */
  readonly limits?: Pick<LimitSettings, 'maxMessages' | 'bodyTimeoutMs'>
  /** Without it, requests are not counted. */
  readonly rate?: RateLimiter
  readonly timer?: Timer
  /** Told of each answer: by which row of the route table, and with which status. */
  readonly onAnswer?: (route: string, status: number) => void
  /** Told what a caller is not: an unforeseen error, and the id of the request that met it. */
  readonly onError?: (error: unknown, requestId: string) => void
}

/** The HTTP face of the service, the same on every runtime: `app.fetch(request)`. */
export function createApp(spillway: Spillway, options: AppOptions): Hono {
  const app = new Hono()
  const routes = createRoutes(spillway, options)
  protectBrowsers(app, routes, options.corsOrigins ?? [])
  for (const route of routes) {
    app.on(route.method, honoPath(route.path), (context) =>
      answer(
        context,
        (requestId) => serve(route, context, spillway, options, requestId),
        options,
        `${route.method} ${route.path}`,
      ),
    )
  }
  for (const path of new Set(routes.map((route) => route.path))) {
    app.all(honoPath(path), (context) => answer(context, () => refuse(routes, path), options))
  }
  app.notFound((context) => {
    const problem = new Problem('not-found', 'There is no such path here. The paths are listed at /openapi.json.')
    options.onAnswer?.('none', problem.status)
    return finish(context.req.raw, problemResponse(problem), requestIdOf(context.req.raw))
  })
  app.onError((error, context) => {
    const requestId = requestIdOf(context.req.raw)
    return finish(context.req.raw, toResponse(error, options, requestId), requestId)
  })
  return app
}

function honoPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1')
}

async function answer(
  context: Context,
  work: (requestId: string) => Promise<Response>,
  options: AppOptions,
  route = 'none',
): Promise<Response> {
  const requestId = requestIdOf(context.req.raw)
  const response = await work(requestId).catch((error: unknown) => toResponse(error, options, requestId))
  options.onAnswer?.(route, response.status)
  return finish(context.req.raw, response, requestId)
}

/** Failures of the server's own, which its operator has to hear of. */
const REPORTED: ReadonlySet<ProblemKind> = new Set(['internal', 'store-failed', 'output-unreadable'])

function toResponse(error: unknown, options: AppOptions, requestId: string): Response {
  const problem = toProblem(error)
  if (REPORTED.has(problem.kind)) options.onError?.(error, requestId)
  return problemResponse(problem)
}

async function refuse(routes: readonly Route[], path: string): Promise<Response> {
  const methods = routes.filter((route) => route.path === path).map((route) => route.method)
  const allow = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ')
  throw new Problem('method-not-allowed', `This path takes ${allow}.`, { headers: { allow } })
}

async function serve(
  route: Route,
  context: Context,
  spillway: Spillway,
  options: AppOptions,
  requestId: string,
): Promise<Response> {
  const request = context.req.raw
  const params = context.req.param()
  if (options.keys.length === 0) requireLoopback(request)
  // Before the body is read: nobody without a key makes the server hold bytes.
  const link = route.linked ? new URL(request.url).searchParams.get('link') : null
  const { limits = defaultSettings.limits, links, keys, rate } = options
  const admitted = await admit(route.scope, rate, async () => {
    if (link === null) return authenticate(request, keys)
    return {
      tenant: await openLink(link, params.id, { links, keys, inSession: spillway.inSession }),
      scopes: ['recall'],
    }
  })
  const held = holdIn(options.gate)
  const exchange = {
    request,
    params,
    caller: { tenant: admitted.tenant, route: `${route.method} ${route.path}` },
    report: (error: unknown) => options.onError?.(error, requestId),
    limits: {
      maxBody: options.maxBody,
      maxMessages: limits.maxMessages,
      timeoutMs: limits.bodyTimeoutMs,
      timer: options.timer ?? runtimeTimer,
      hold: held.hold,
    },
  }
  const response = await route
    .run(exchange)
    .finally(held.release)
    .catch((error: unknown) => toResponse(error, options, requestId))
  for (const [name, value] of Object.entries(admitted.fields)) response.headers.set(name, value)
  return link === null ? response : concealLink(response)
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

/** The caller's own id of the request, or a new one. */
function requestIdOf(request: Request): string {
  const given = request.headers.get('request-id') ?? ''
  return REQUEST_ID.test(given) ? given : crypto.randomUUID()
}

/** Headers that every answer has: the request's id, its trace, and who may cache it. */
function finish(request: Request, response: Response, requestId: string): Response {
  response.headers.set('request-id', requestId)
  const trace = request.headers.get('traceparent') ?? ''
  if (TRACE_PARENT.test(trace)) response.headers.set('traceparent', trace)
  if (!response.headers.has('cache-control')) response.headers.set('cache-control', 'no-store')
  return response
}
