import { describe, expect, it } from 'vitest'
import { bearer, keyOf, setUp, utf8 } from './ask.ts'

const PAGE = 'https://app.example.com'
const KEYS = [keyOf('red', 'red-key')]
const cors = (response: Response) => [...response.headers.keys()].filter((name) => name.startsWith('access-control'))

describe('what browsers are told', () => {
  it.each([
    ['GET', '/healthz', 200],
    ['GET', '/openapi.json', 200],
    ['GET', '/nowhere', 404],
    ['PATCH', '/v1/filter', 405],
    ['GET', '/readyz', 401],
    ['POST', '/v1/tokens', 500],
    ['GET', '/v1/outputs/ID', 200],
  ])(
    'of %s %s: nothing of it runs, is sniffed, framed, embedded, referred to or kept',
    async (method, path, status) => {
      const { ask, spillway } = setUp({ keys: KEYS })
      const id = spillway.keep('red', utf8('<script>alert(1)</script>'))
      spillway.tokens = () => {
        throw new Error('inside')
      }
      const response = await ask(path.replace('ID', id), {
        method,
        headers: { ...(path === '/readyz' ? {} : bearer('red-key')), 'content-type': 'application/json' },
        ...(method === 'POST' ? { body: '{"text":"x"}' } : {}),
      })
      expect(response.status).toBe(status)
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
        'cross-origin-resource-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
        'cache-control': path.includes('outputs') ? 'private, no-transform' : 'no-store',
      })
      expect(cors(response)).toEqual([])
    },
  )
})

describe('other sites', () => {
  it('get no CORS header unless the operator names them', async () => {
    const { ask } = setUp({ keys: KEYS })
    const preflight = { origin: PAGE, 'access-control-request-method': 'POST' }
    const response = await ask('/v1/filter', { method: 'OPTIONS', headers: preflight })
    expect([response.status, cors(response)]).toEqual([405, []])
  })

  it('that are named may ask, and read what an answer says of itself', async () => {
    const { ask } = setUp({ keys: KEYS, corsOrigins: [PAGE] })
    const preflight = { origin: PAGE, 'access-control-request-method': 'POST' }
    const asked = await ask('/v1/filter', { method: 'OPTIONS', headers: preflight })
    expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([204, PAGE])
    expect(asked.headers.get('access-control-allow-headers')?.split(',')).toContain('authorization')
    expect(asked.headers.has('access-control-allow-credentials')).toBe(false)
    const response = await ask('/healthz', { headers: { origin: PAGE } })
    expect(response.headers.get('access-control-allow-origin')).toBe(PAGE)
    expect(response.headers.get('vary')).toBe('Origin')
    const exposed = response.headers.get('access-control-expose-headers')?.split(',')
    expect(exposed).toEqual(expect.arrayContaining(['spillway-output-id', 'spillway-lines', 'etag', 'ratelimit']))
  })

  it.each(['https://app.example.com.evil.example', 'http://app.example.com', 'https://evil.example', 'null', ''])(
    'that are not named, as %s, get none',
    async (origin) => {
      const { ask } = setUp({ keys: KEYS, corsOrigins: [PAGE] })
      const response = await ask('/healthz', { headers: { origin } })
      expect(response.headers.has('access-control-allow-origin')).toBe(false)
      const refused = await ask('/v1/filter', { method: 'POST', headers: { origin } })
      expect([refused.status, refused.headers.has('access-control-allow-origin')]).toEqual([401, false])
    },
  )

  it('get their errors too, to tell a refusal from a broken network', async () => {
    const { ask } = setUp({ keys: KEYS, corsOrigins: [PAGE] })
    const response = await ask('/v1/filter', { method: 'POST', headers: { origin: PAGE } })
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([401, PAGE])
  })
})
