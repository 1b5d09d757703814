import type { Spillway } from '../service/types.ts'
import { filterRoute } from './filter.ts'
import { healthRoute, readyRoute } from './health.ts'
import { maskRoute } from './mask.ts'
import { openApiRoute } from './openapi.ts'
import { deleteOutputRoute, readOutputRoute } from './outputs.ts'
import { deleteOutputsRoute, deleteSessionRoute } from './purge.ts'
import type { Route } from './route.ts'
import { tokensRoute } from './tokens.ts'

/** The route table. The app, the OpenAPI document and the tests all read this one list. */
export function createRoutes(spillway: Spillway, version: string): readonly Route[] {
  const routes = [
    filterRoute(spillway),
    maskRoute(spillway),
    tokensRoute(spillway),
    readOutputRoute(spillway),
    deleteOutputRoute(spillway),
    deleteOutputsRoute(spillway),
    deleteSessionRoute(spillway),
    healthRoute,
    readyRoute(spillway),
  ]
  return [...routes, openApiRoute(routes, version)]
}
