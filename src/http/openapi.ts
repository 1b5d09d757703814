import * as z from 'zod'
import { type Answer, defineRoute, jsonResponse, noQuery, type Route } from './route.ts'
import { problemAnswer } from './schemas.ts'

type Json = Readonly<Record<string, unknown>>

/** `GET /openapi.json`: the route table as OpenAPI 3.1. Made on first use: most servers are never asked. */
export function openApiRoute(routes: readonly Route[], version: string): Route {
  let document: Json | undefined
  const route: Route = defineRoute({
    method: 'GET',
    path: '/openapi.json',
    operationId: 'readOpenApi',
    summary: 'This interface as OpenAPI 3.1.',
    scope: 'open',
    query: noQuery,
    answers: { 200: { description: 'The document', media: 'application/json' } },
    handle() {
      document ??= describeRoutes([...routes, route], version)
      return jsonResponse(document)
    },
  })
  return route
}

/** The OpenAPI 3.1 document of a route table. */
export function describeRoutes(routes: readonly Route[], version: string): Json {
  const paths: Record<string, Record<string, Json>> = {}
  for (const route of routes) {
    const path = paths[route.path] ?? {}
    path[route.method.toLowerCase()] = operation(route)
    if (route.method === 'GET') path.head = headOperation(route)
    paths[route.path] = path
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Spillway', version, license: { name: 'MIT', identifier: 'MIT' } },
    paths,
    components: {
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer' },
        link: { type: 'apiKey', in: 'query', name: 'link' },
      },
      schemas: { Problem: jsonSchema(problemAnswer, 'output') },
    },
  }
}

function operation(route: Route): Json {
  const bodies = {
    ...(route.json === null ? {} : { 'application/json': { schema: jsonSchema(route.json, 'input') } }),
    ...(route.text ? { 'text/plain': { schema: { type: 'string' } } } : {}),
  }
  return {
    operationId: route.operationId,
    summary: route.summary,
    security: securityOf(route),
    parameters: [...pathParameters(route), ...queryParameters(route)],
    ...(Object.keys(bodies).length > 0 ? { requestBody: { required: true, content: bodies } } : {}),
    responses: {
      ...Object.fromEntries(Object.entries(route.answers).map(([status, each]) => [status, response(each, route)])),
      default: { description: 'What went wrong (RFC 9457)', content: problemContent },
    },
  }
}

/** Answers to a Range, which counts for GET alone (RFC 9110, 14.2). */
const OF_RANGES = ['206', '416']

/** HEAD is answered wherever GET is: the same, without the body. */
function headOperation(route: Route): Json {
  const answers = Object.entries(route.answers).filter(([status]) => !OF_RANGES.includes(status))
  const responses = answers.map(([status, { description, headers }]) => {
    return [status, response({ description, ...(headers && { headers }) }, route)]
  })
  const rest = operation(route)
  return {
    ...rest,
    operationId: `${route.operationId}Head`,
    summary: `${route.summary} Headers alone.`,
    responses: { ...Object.fromEntries(responses), default: { description: 'What went wrong, by its status' } },
  }
}

function securityOf({ scope, linked }: Route): Json[] {
  if (scope === 'open') return []
  return [{ key: scope === 'key' ? [] : [scope] }, ...(linked ? [{ link: [] }] : [])]
}

const problemContent = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } }

function response(answer: Answer, route: Route): Json {
  const { description, media, schema, headers } = answer
  const content =
    media === undefined
      ? null
      : media === 'application/problem+json'
        ? problemContent
        : {
            [media]: {
              schema: schema ? jsonSchema(schema, 'output') : { type: media === 'text/plain' ? 'string' : 'object' },
            },
            ...(route.text && media === 'application/json' ? { 'text/plain': { schema: { type: 'string' } } } : {}),
          }
  return {
    description,
    ...(headers
      ? { headers: Object.fromEntries(Object.entries(headers).map(([name, words]) => [name, header(words)])) }
      : {}),
    ...(content ? { content } : {}),
  }
}

function header(description: string): Json {
  return { description, schema: { type: 'string' } }
}

function pathParameters(route: Route): Json[] {
  return Object.entries(route.params).map(([name, description]) => ({
    name,
    in: 'path',
    required: true,
    description,
    schema: { type: 'string' },
  }))
}

function queryParameters(route: Route): Json[] {
  const { properties = {}, required = [] } = z.toJSONSchema(route.query, { io: 'input' })
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }))
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io })
  return rest
}
