import { describe, expect, it } from 'vitest'
import { bearer } from '../http/ask.ts'
import { GO_TEST } from '../runtime/suite.ts'
import { sha256, wired } from './wired.ts'

describe('keys', () => {
  it('rotate, and what was stored stays where it was', async () => {
    const old = await wired({ SPILLWAY_API_KEYS: `red:${sha256('old')}` })
    const id = (await old.filter(GO_TEST, bearer('old'))).headers.get('spillway-output-id')
    const both = `red:${sha256('old')},red:${sha256('new')}`
    const stages: [keys: string, valid: string[]][] = [
      [both, ['old', 'new']],
      [`red:${sha256('new')}`, ['new']],
    ]
    for (const [keys, valid] of stages) {
      const { ask, filter } = await wired({ SPILLWAY_API_KEYS: keys }, '', old.blobs)
      for (const key of valid) {
        expect(await (await ask(`/v1/outputs/${id}`, { headers: bearer(key) })).text()).toBe(GO_TEST)
        expect((await filter(GO_TEST, bearer(key))).headers.get('spillway-output-id')).toBe(id)
      }
      if (!valid.includes('old')) {
        expect((await ask(`/v1/outputs/${id}`, { headers: bearer('old') })).status).toBe(401)
      }
    }
  })

  it('give each tenant ids of its own for one output', async () => {
    const { filter } = await wired({ SPILLWAY_API_KEYS: `red:${sha256('r')},blue:${sha256('b')}` })
    const idFor = async (key: string) => (await filter(GO_TEST, bearer(key))).headers.get('spillway-output-id')
    expect(await idFor('r')).not.toBe(await idFor('b'))
    expect(await idFor('r')).toBe(await idFor('r'))
  })
})
