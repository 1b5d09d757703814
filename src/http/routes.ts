import type { Spillway } from '../service/types.ts'
import type { Sized } from './body-out.ts'
import { filterRoute } from './filter.ts'
import { healthRoute, metricsRoute, readyRoute } from './health.ts'
import type { Links } from './link-token.ts'
import { linkRoute } from './links.ts'
import { maskRoute } from './mask.ts'
import { openApiRoute } from './openapi.ts'
import { deleteOutputRoute, readOutputRoute } from './outputs.ts'
import { deleteOutputsRoute, deleteSessionRoute } from './purge.ts'
import type { Route } from './route.ts'
import { tokensRoute } from './tokens.ts'

/** What the table depends on besides the service. */
export interface RouteOptions {
  readonly version: string
  /** Without it there are no links. */
  readonly links?: Links
  /** Sums in Prometheus' text format; without it there is no `/metrics`. */
  readonly metrics?: () => string
  /** How a body of known length is sent, where that is not simply the stream. */
  readonly sized?: Sized
}

/** The route table. The app, the OpenAPI document and the tests all read this one list. */
export function createRoutes(spillway: Spillway, { version, links, metrics, sized }: RouteOptions): readonly Route[] {
  const routes = [
    filterRoute(spillway),
    maskRoute(spillway),
    tokensRoute(spillway),
    readOutputRoute(spillway, sized),
    deleteOutputRoute(spillway),
    ...(links ? [linkRoute(links)] : []),
    deleteOutputsRoute(spillway),
    deleteSessionRoute(spillway),
    healthRoute,
    readyRoute(spillway),
    ...(metrics ? [metricsRoute(metrics)] : []),
  ]
  return [...routes, openApiRoute(routes, version)]
}
