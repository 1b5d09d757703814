import { describe, expect, it, vi } from 'vitest'
import worker, { type Bindings, createWorker } from '../../src/entry/worker.ts'
import type { R2Binding } from '../../src/store/r2.ts'
import { problemOf } from '../http/ask.ts'
import { KEY, VARIABLES } from '../runtime/servers.ts'

/** A bucket that nothing is asked of. */
const OUTPUTS_R2: R2Binding = {
  head: async () => null,
  get: async () => null,
  put: async () => {},
  delete: async () => {},
  list: async () => ({ delimitedPrefixes: [], objects: [], truncated: false }),
}

const ask = (bindings: Bindings & Partial<typeof VARIABLES & { SPILLWAY_CONFIG: string }>, path = '/healthz') =>
  worker.fetch(new Request(`https://spillway.example${path}`), bindings)

describe('the worker entry', () => {
  it.each(['SPILLWAY_API_KEYS', 'SPILLWAY_SECRET'] as const)('says how to set %s where it is missing', async (name) => {
    const { [name]: _, ...rest } = VARIABLES
    const problem = await problemOf(await ask({ OUTPUTS_R2, ...rest }))
    expect(problem).toMatchObject({ status: 503, detail: expect.stringContaining(`wrangler secret put ${name}`) })
  })

  it('says what to bind where there is no store', async () => {
    const problem = await problemOf(await ask(VARIABLES))
    expect(problem).toMatchObject({ status: 503, detail: expect.stringContaining('OUTPUTS_R2 or OUTPUTS_KV') })
  })

  it('says which variable is wrong', async () => {
    const problem = await problemOf(await ask({ OUTPUTS_R2, ...VARIABLES, SPILLWAY_MAX_BODY: '4 MB' }))
    expect(problem).toMatchObject({ status: 503, detail: expect.stringContaining('SPILLWAY_MAX_BODY is "4 MB"') })
  })

  it('keeps to itself what is wrong with its configuration, and logs it', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
    const problem = await problemOf(await ask({ OUTPUTS_R2, ...VARIABLES, SPILLWAY_CONFIG: 'filters: { secret: 1 }' }))
    expect(problem).toMatchObject({ status: 503, detail: 'The configuration is not valid: the log says where.' })
    expect(logged).toHaveBeenCalledWith(expect.stringContaining('SPILLWAY_CONFIG:1:12: filters.secret: unknown key'))
    logged.mockRestore()
  })

  it('filters by the rules of its configuration', async () => {
    const SPILLWAY_CONFIG = 'filters: { rules: [{ match: "^seq", strategy: none }] }'
    const bindings = { OUTPUTS_R2, ...VARIABLES, SPILLWAY_CONFIG }
    const answer = await worker.fetch(
      new Request('https://spillway.example/v1/filter?command=seq%20900', {
        method: 'POST',
        body: 'same\n'.repeat(900),
        headers: { 'content-type': 'text/plain', authorization: `Bearer ${KEY}` },
      }),
      bindings,
    )
    expect(answer.headers.get('spillway-reason')).toBe('rule')
  })

  it('takes a configuration of any size that is built in, and then none beside it', async () => {
    const rules = Array.from({ length: 500 }, (_, i) => `{ match: "^no-such-command-${i}", strategy: none }`)
    const config = `filters: { rules: [${rules.join(', ')}, { match: "^seq", strategy: none }] }`
    const ask = (bindings: Bindings) =>
      createWorker(config).fetch(
        new Request('https://spillway.example/v1/filter?command=seq%20900', {
          method: 'POST',
          body: 'same\n'.repeat(900),
          headers: { 'content-type': 'text/plain', authorization: `Bearer ${KEY}` },
        }),
        bindings,
      )
    expect((await ask({ OUTPUTS_R2, ...VARIABLES })).headers.get('spillway-reason')).toBe('rule')
    const both = { OUTPUTS_R2, ...VARIABLES, SPILLWAY_CONFIG: 'hint: x' }
    expect(await problemOf(await ask(both))).toMatchObject({ status: 503, detail: expect.stringContaining('keep one') })
  })

  it('counts requests by its binding, and not in memory', async () => {
    const asked: string[] = []
    const RATE_LIMIT = {
      async limit({ key }: { key: string }) {
        asked.push(key)
        return { success: asked.length < 2 }
      },
    }
    const bindings = { OUTPUTS_R2, ...VARIABLES, RATE_LIMIT }
    const read = () =>
      worker.fetch(
        new Request('https://spillway.example/v1/outputs/none', { headers: { authorization: `Bearer ${KEY}` } }),
        bindings,
      )
    expect((await read()).status).toBe(404)
    const refused = await read()
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
    expect(refused.headers.has('ratelimit')).toBe(false)
    expect(asked).toEqual(['tenant:tests', 'tenant:tests'])
    const broken = { limit: () => Promise.reject(new Error('away')) }
    const open = { OUTPUTS_R2, ...VARIABLES, RATE_LIMIT: broken }
    expect((await ask(open, '/v1/outputs/none')).status).toBe(401)
    const SPILLWAY_CONFIG = 'limits: { rate: { requests: 1, per_seconds: 1 } }'
    const problem = await problemOf(await ask({ OUTPUTS_R2, ...VARIABLES, SPILLWAY_CONFIG }))
    expect(problem).toMatchObject({ status: 503, detail: expect.stringContaining('bind RATE_LIMIT') })
  })

  it('answers under any host name once it is configured', async () => {
    expect((await ask({ OUTPUTS_R2, ...VARIABLES })).status).toBe(200)
    expect((await ask({ OUTPUTS_R2, ...VARIABLES }, '/readyz')).status).toBe(401)
  })
})
