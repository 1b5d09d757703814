import type { Spillway } from '../service/types.ts'
import { Problem } from './problem.ts'
import { type Answer, defineRoute, jsonResponse, noQuery, type Route, textResponse } from './route.ts'
import { statusAnswer } from './schemas.ts'

const OK: Answer = { description: 'It is', media: 'application/json', schema: statusAnswer }

/** `GET /healthz`: the process answers. */
export const healthRoute: Route = defineRoute({
  method: 'GET',
  path: '/healthz',
  operationId: 'isAlive',
  summary: 'Whether the server answers at all.',
  scope: 'open',
  query: noQuery,
  answers: { 200: OK },
  handle: () => jsonResponse({ status: 'ok' }),
})

/** `GET /readyz`: the store takes and gives back a probe. */
export function readyRoute(spillway: Spillway): Route {
  return defineRoute({
    method: 'GET',
    path: '/readyz',
    operationId: 'isReady',
    summary: 'Whether the output store takes and gives back a probe.',
    scope: 'key',
    query: noQuery,
    answers: {
      200: OK,
      503: { description: 'The store fails; the detail says how', media: 'application/problem+json' },
    },
    async handle() {
      const { ok, detail } = await spillway.ready()
      if (!ok) throw new Problem('not-ready', detail, { headers: { 'retry-after': '5' } })
      return jsonResponse({ status: 'ok', detail })
    },
  })
}

/** `GET /metrics`: sums over all tenants, so it is for the operator alone. */
export function metricsRoute(metrics: () => string): Route {
  return defineRoute({
    method: 'GET',
    path: '/metrics',
    operationId: 'readMetrics',
    summary: "Sums since the start, over all tenants, in Prometheus' text format.",
    scope: 'admin',
    query: noQuery,
    answers: { 200: { description: 'The sums', media: 'text/plain' } },
    handle: () => textResponse(metrics(), 'text/plain; version=0.0.4; charset=utf-8'),
  })
}
