import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { createGate } from '../../src/http/body.ts'
import { createRoutes } from '../../src/http/routes.ts'
import { createSpillwayDouble } from '../doubles/spillway.ts'
import { keyOf, LINKS, problemOf, setUp, utf8 } from './ask.ts'

const KEYS = [keyOf('red', 'red-key'), keyOf('blue', 'blue-key'), keyOf('red', 'red-key-2')]
/** As much of OpenAPI 3.1 as is asked about here. */
const openApi = z.object({
  openapi: z.literal('3.1.0'),
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        operationId: z.string(),
        parameters: z.array(z.object({ name: z.string(), in: z.enum(['path', 'query']), schema: z.looseObject({}) })),
        requestBody: z.object({ content: z.record(z.string(), z.object({ schema: z.looseObject({}) })) }).optional(),
        responses: z.record(z.string(), z.looseObject({ description: z.string() })),
      }),
    ),
  ),
})

const ROUTES = createRoutes(createSpillwayDouble(), { version: '0.0.0', links: LINKS })

describe('the route table', () => {
  it.each(ROUTES.filter((route) => route.scope !== 'open').map((route) => [route.method, route.path]))(
    '%s %s needs a key where keys are set',
    async (method, path) => {
      const { ask, spillway } = setUp({ keys: KEYS })
      for (const authorization of ['', 'Bearer', 'Bearer wrong', 'Basic red-key', 'Bearer red-key x']) {
        const response = await ask(path, { method, headers: authorization === '' ? {} : { authorization } })
        expect(response.status).toBe(401)
        expect(response.headers.get('www-authenticate')).toMatch(/^Bearer /)
        expect(await response.json()).toMatchObject({ status: 401 })
      }
      expect(spillway.callers).toEqual([])
    },
  )

  it.each(ROUTES.filter((route) => route.scope === 'open').map((route) => route.path))(
    'GET %s needs none',
    async (path) => {
      const { ask } = setUp({ keys: KEYS })
      expect((await ask(path)).status).toBe(200)
    },
  )

  it.each([...new Set(ROUTES.map((route) => route.path))])('%s says which methods it takes', async (path) => {
    const { ask } = setUp()
    const methods = ROUTES.filter((route) => route.path === path).map((route) => route.method)
    const response = await ask(path, { method: 'PATCH' })
    expect(response.status).toBe(405)
    for (const method of methods) expect(response.headers.get('allow')).toContain(method)
    expect(await response.json()).toMatchObject({ status: 405 })
  })

  it('is documented whole at /openapi.json', async () => {
    const { ask } = setUp()
    const document = openApi.parse(await (await ask('/openapi.json')).json())
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const served = ROUTES.flatMap(({ method, path }) =>
      (method === 'GET' ? [method, 'HEAD'] : [method]).map((each) => `${each} ${path}`),
    )
    expect(operations.sort()).toEqual(served.sort())
    const ids = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map((each) => each.operationId),
    )
    expect(new Set(ids).size).toBe(ids.length)
    const post = document.paths['/v1/filter']?.post
    expect(Object.keys(post?.requestBody?.content ?? {})).toEqual(['application/json', 'text/plain'])
    expect(post?.requestBody?.content['application/json']?.schema).toMatchObject({
      type: 'object',
      additionalProperties: false,
    })
    expect(post?.parameters.map((each) => each.name)).toEqual([
      'command',
      'tool',
      'exitCode',
      'maxTokens',
      'hint',
      'session',
    ])
    const read = document.paths['/v1/outputs/{id}']?.get
    const slices = ['lines', 'head', 'tail', 'numbers', 'grep', 'context', 'ignoreCase', 'max']
    expect(read?.parameters.map((each) => each.name)).toEqual(['id', ...slices])
    expect(read?.responses['404']).toHaveProperty('headers.retry-after')
    expect(read?.responses['304']).toHaveProperty('headers.etag')
    const head = document.paths['/v1/outputs/{id}']?.head
    expect(head?.responses['200']).toHaveProperty('headers.spillway-lines')
    expect(Object.keys(head?.responses ?? {})).toEqual(['200', '304', '404', 'default'])
    expect(JSON.stringify(head?.responses)).not.toContain('"content":')
    const mask = document.paths['/v1/mask']?.post?.requestBody?.content['application/json']?.schema
    expect(mask).toHaveProperty('properties.format.enum', expect.arrayContaining(['auto', 'anthropic']))
    expect(JSON.stringify(document)).not.toContain('$schema')
  })
})

describe('the app', () => {
  it('gives each key the outputs of its own tenant alone', async () => {
    const { ask, spillway } = setUp({ keys: KEYS })
    const id = spillway.keep('red', utf8('mine'))
    const read = (key: string) => ask(`/v1/outputs/${id}`, { headers: { authorization: `Bearer ${key}` } })
    expect((await read('red-key')).status).toBe(200)
    expect((await read('red-key-2')).status).toBe(200)
    expect((await read('blue-key')).status).toBe(404)
    expect(spillway.callers.map((caller) => caller.tenant)).toEqual(['red', 'red', 'blue'])
    expect(spillway.callers[0]?.route).toBe('GET /v1/outputs/{id}')
  })

  it('answers a path that is not there with a problem', async () => {
    const { ask } = setUp()
    const response = await ask('/v2/filter')
    expect([response.status, response.headers.get('content-type')]).toEqual([404, 'application/problem+json'])
  })

  it('passes on a request id and a trace, and makes an id where none fits', async () => {
    const { ask } = setUp()
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    const given = await ask('/healthz', { headers: { 'request-id': 'abc-1', traceparent } })
    expect(given.headers.get('request-id')).toBe('abc-1')
    expect(given.headers.get('traceparent')).toBe(traceparent)
    const made = await ask('/nowhere', { headers: { 'request-id': 'a b', traceparent: 'x' } })
    expect(made.headers.get('request-id')).toMatch(/^[0-9a-f-]{36}$/)
    expect(made.headers.has('traceparent')).toBe(false)
  })

  it('answers without keys to this machine alone', async () => {
    const { app } = setUp()
    const status = async (url: string, headers: Record<string, string> = {}) =>
      (await app.request(url, { headers })).status
    expect(await status('http://127.0.0.1:8787/readyz')).toBe(200)
    expect(await status('http://[::1]:8787/readyz')).toBe(200)
    expect(await status('http://attacker.example:8787/readyz')).toBe(421)
    expect(await status('http://127.0.0.1.attacker.example/readyz')).toBe(421)
    expect(await status('http://localhost/readyz', { origin: 'https://attacker.example' })).toBe(403)
    expect(await status('http://localhost/readyz', { origin: 'null' })).toBe(403)
    expect(await status('http://localhost/readyz', { origin: 'http://localhost:3000' })).toBe(200)
  })

  it('says at /readyz what the store fails at', async () => {
    const { ask, spillway } = setUp()
    expect(await (await ask('/readyz')).json()).toEqual({ status: 'ok', detail: 'stored and read back' })
    spillway.broken = true
    const response = await ask('/readyz')
    expect(await problemOf(response)).toMatchObject({ status: 503, detail: 'double: the probe was not kept' })
  })

  it('holds no more bytes of bodies than the gate lets in, and lets in again when they are done', async () => {
    const { post, spillway } = setUp({ gate: createGate(100) })
    const { filter } = spillway
    const waiting: (() => void)[] = []
    spillway.filter = async (...args) => {
      await new Promise<void>((resolve) => waiting.push(resolve))
      return filter(...args)
    }
    const send = () => post('/v1/filter', 'x'.repeat(60), 'text/plain', { 'content-length': '60' })
    const first = send()
    await expect.poll(() => waiting.length).toBe(1)
    const second = await send()
    expect([second.status, second.headers.get('retry-after')]).toEqual([503, '1'])
    waiting[0]?.()
    expect((await first).status).toBe(200)
    const third = send()
    await expect.poll(() => waiting.length).toBe(2)
    waiting[1]?.()
    expect((await third).status).toBe(200)
  })
})
