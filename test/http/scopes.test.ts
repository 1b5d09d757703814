import { describe, expect, it } from 'vitest'
import { createRoutes } from '../../src/http/routes.ts'
import { SCOPES } from '../../src/service/scopes.ts'
import { createSpillwayDouble } from '../doubles/spillway.ts'
import { bearer, keyOf, LINKS, problemOf, setUp, utf8 } from './ask.ts'

const UNKNOWN = `o_m${'p'.repeat(31)}`
const SCOPED = createRoutes(createSpillwayDouble(), { version: '0.0.0', links: LINKS }).flatMap(
  ({ method, path, scope }) => (scope === 'open' || scope === 'key' ? [] : [{ method, path, scope }]),
)

describe('scopes', () => {
  it('are named by every route that reaches outputs', () => {
    const scopes = Object.fromEntries(SCOPED.map(({ method, path, scope }) => [`${method} ${path}`, scope]))
    expect(scopes).toMatchObject({
      'POST /v1/filter': 'filter',
      'POST /v1/mask': 'mask',
      'GET /v1/outputs/{id}': 'recall',
      'DELETE /v1/outputs/{id}': 'delete',
    })
  })

  it.each(SCOPED)('$method $path is refused to a key of every other scope, before anything is done', async (route) => {
    const others = SCOPES.filter((scope) => scope !== route.scope)
    const { ask, spillway } = setUp({ keys: [keyOf('red', 'narrow', others), keyOf('red', 'right', [route.scope])] })
    const id = spillway.keep('red', utf8('kept'))
    for (const each of [id, UNKNOWN, 'no-id']) {
      const path = route.path.replace('{id}', each)
      const response = await ask(path, { method: route.method, headers: bearer('narrow') })
      expect(response.headers.get('www-authenticate')).toBe(
        `Bearer realm="spillway", error="insufficient_scope", scope="${route.scope}"`,
      )
      expect(await problemOf(response)).toMatchObject({ status: 403, type: 'urn:problem:spillway:insufficient-scope' })
    }
    expect(spillway.callers).toEqual([])
    const right = await ask(route.path.replace('{id}', id), { method: route.method, headers: bearer('right') })
    expect([401, 403]).not.toContain(right.status)
  })

  it('need no naming: a key without any does all but admin', async () => {
    const { ask, spillway } = setUp({ keys: [keyOf('red', 'usual')] })
    const path = `/v1/outputs/${spillway.keep('red', utf8('kept'))}`
    expect((await ask(path, { headers: bearer('usual') })).status).toBe(200)
    expect((await ask(path, { method: 'DELETE', headers: bearer('usual') })).status).toBe(204)
  })

  it('let HEAD pass with recall alone', async () => {
    const { ask, spillway } = setUp({ keys: [keyOf('red', 'reader', ['recall']), keyOf('red', 'masker', ['mask'])] })
    const path = `/v1/outputs/${spillway.keep('red', utf8('kept'))}`
    expect((await ask(path, { method: 'HEAD', headers: bearer('reader') })).status).toBe(200)
    expect((await ask(path, { method: 'HEAD', headers: bearer('masker') })).status).toBe(403)
  })
})

describe("another tenant's id", () => {
  it.each(['GET', 'HEAD', 'DELETE'])('%s answers as an id that never was', async (method) => {
    const { ask, spillway } = setUp({ keys: [keyOf('red', 'red-key'), keyOf('blue', 'blue-key')] })
    const foreign = spillway.keep('red', utf8('kept'))
    const said = async (id: string) => {
      const response = await ask(`/v1/outputs/${id}`, { method, headers: bearer('blue-key') })
      const headers = [...response.headers].filter(([name]) => name !== 'request-id')
      return [response.status, headers, (await response.text()).replaceAll(id, 'ID')]
    }
    const answer = await said(foreign)
    expect(answer[0]).toBe(404)
    expect(await said(UNKNOWN)).toEqual(answer)
    expect((await said('no-id'))[0]).toBe(404)
    const read = await ask(`/v1/outputs/${foreign}`, { headers: bearer('red-key') })
    expect(await read.text()).toBe('kept')
  })
})
