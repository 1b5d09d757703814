import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRateLimiter } from '../../src/http/rate-limit.ts'
import { bearer, keyOf, problemOf, setUp } from './ask.ts'

/** Two tenants, three requests a minute each, and a clock that the test moves. */
function limited() {
  const clock = { ms: 0 }
  const rate = createRateLimiter({ requests: 3, perSeconds: 60 }, () => clock.ms)
  const keys = [keyOf('red', 'red-key'), keyOf('red', 'narrow', ['admin']), keyOf('blue', 'blue-key')]
  const all = setUp({ rate, keys })
  const read = (key: string) => all.ask('/readyz', { headers: bearer(key) })
  return { ...all, clock, read }
}

describe('the rate limit', () => {
  it('holds each tenant to its own quota, and says what is left of it', async () => {
    const { read, clock } = limited()
    const first = await read('red-key')
    expect([first.status, first.headers.get('ratelimit')]).toEqual([200, '"requests";r=2;t=60'])
    expect(first.headers.get('ratelimit-policy')).toBe('"requests";q=3;w=60')
    clock.ms = 20_500
    expect((await read('red-key')).headers.get('ratelimit')).toBe('"requests";r=1;t=40')
    expect((await read('red-key')).status).toBe(200)
    const over = await read('red-key')
    expect(over.headers.get('ratelimit')).toBe('"requests";r=0;t=40')
    expect(over.headers.get('retry-after')).toBe('40')
    expect((await problemOf(over)).status).toBe(429)
    expect((await read('blue-key')).status).toBe(200)
    clock.ms = 60_000
    expect((await read('red-key')).status).toBe(200)
  })

  it('says what is left beside faults, too', async () => {
    const { ask } = limited()
    const missing = await ask('/v1/outputs/none', { headers: bearer('red-key') })
    expect([missing.status, missing.headers.get('ratelimit')]).toEqual([404, '"requests";r=2;t=60'])
  })

  it('is the quota of a tenant, over all its keys and whatever they may do', async () => {
    const { ask, read } = limited()
    for (let i = 0; i < 3; i += 1) {
      const refused = await ask('/v1/filter', { method: 'POST', headers: bearer('narrow') })
      expect(refused.status).toBe(403)
    }
    expect((await read('red-key')).status).toBe(429)
  })

  it('holds back those without a valid key together, and nobody with one', async () => {
    const { ask, read } = limited()
    const guess = async (i: number) => (await ask('/readyz', { headers: bearer(`guess-${i}`) })).status
    expect([await guess(1), await guess(2), await guess(3), await guess(4)]).toEqual([401, 401, 401, 429])
    expect((await ask(`/v1/outputs/o_m${'a'.repeat(31)}?link=forged`)).status).toBe(429)
    expect((await read('red-key')).status).toBe(200)
  })

  it('counts no open routes, and reads no body of what it refuses', async () => {
    const { ask, post, spillway } = limited()
    for (let i = 0; i < 5; i += 1) expect((await ask('/healthz')).status).toBe(200)
    const send = () => post('/v1/filter', 'x', 'text/plain', bearer('red-key'))
    for (let i = 0; i < 3; i += 1) await send()
    expect((await send()).status).toBe(429)
    expect(spillway.filtered).toHaveLength(3)
  })

  it('never lets more pass in a window than it says, and always lets pass again', () => {
    const steps = fc.array(fc.integer({ min: -5000, max: 5000 }), { maxLength: 200 })
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 5 }), (moves, requests) => {
        let time = 1_000_000
        const { take } = createRateLimiter({ requests, perSeconds: 2 }, () => time)
        let left = requests
        for (const move of moves) {
          time += move
          const verdict = take('red')
          if (verdict instanceof Promise) throw new TypeError('it counts in memory')
          const reset = Number(/t=(\d+)/.exec(verdict.fields.ratelimit ?? '')?.[1])
          expect(reset).toBeGreaterThanOrEqual(1)
          expect(reset).toBeLessThanOrEqual(2)
          const remaining = Number(/r=(\d+)/.exec(verdict.fields.ratelimit ?? '')?.[1])
          // Either the window goes on, or a new one has begun.
          expect([Math.max(0, left - 1), requests - 1]).toContain(remaining)
          expect(verdict.allowed || remaining === 0).toBe(true)
          left = remaining
        }
        time += 2000
        expect(take('red')).toMatchObject({ allowed: true })
      }),
    )
  })
})
