import { expect, it } from 'vitest'
import { KEY, OTHER_KEY, startWorkerd, VARIABLES } from './servers.ts'

it('a worker in workerd counts the requests of each tenant by its binding', async () => {
  const RATE_LIMIT = { type: 'rate-limit', namespace: '1001', simple: { limit: 3, period: 60 } } as const
  const server = await startWorkerd(VARIABLES, { RATE_LIMIT })
  try {
    const statusOf = async (key: string) =>
      (await server.fetch('/v1/outputs/none', { headers: { authorization: `Bearer ${key}` } })).status
    const statuses: number[] = []
    for (let i = 0; i < 4; i += 1) statuses.push(await statusOf(KEY))
    expect(statuses).toEqual([404, 404, 404, 429])
    expect(await statusOf(OTHER_KEY)).toBe(404)
    for (let i = 0; i < 3; i += 1) expect(await statusOf('guess')).toBe(401)
    expect(await statusOf('guess')).toBe(429)
  } finally {
    await server.stop()
  }
})
