import { describe, expect, it } from 'vitest'
import worker, { type Bindings } from '../../src/entry/worker.ts'
import type { R2Binding } from '../../src/store/r2.ts'
import { problemOf } from '../http/ask.ts'
import { VARIABLES } from '../runtime/servers.ts'

/** A bucket that nothing is asked of. */
const OUTPUTS_R2: R2Binding = {
  head: async () => null,
  get: async () => null,
  put: async () => {},
  delete: async () => {},
}

const ask = (bindings: Bindings & Partial<typeof VARIABLES>, path = '/healthz') =>
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

  it('answers under any host name once it is configured', async () => {
    expect((await ask({ OUTPUTS_R2, ...VARIABLES })).status).toBe(200)
    expect((await ask({ OUTPUTS_R2, ...VARIABLES }, '/readyz')).status).toBe(401)
  })
})
