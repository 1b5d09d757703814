import { expect, it } from 'vitest'
import { createMemoryBlobs } from '../../src/store/memory.ts'
import { GO_TEST } from '../runtime/suite.ts'
import { wired } from './wired.ts'

const key = (letter: string) => `${letter}:${btoa(letter.repeat(32))}`
const idOf = (response: Response) => response.headers.get('spillway-output-id') ?? ''

it('keys of the environment seal what is stored, and a new one takes over from the old', async () => {
  const blobs = createMemoryBlobs()
  const bodies: Uint8Array[] = []
  const watched = {
    ...blobs,
    async put(...args: Parameters<typeof blobs.put>) {
      bodies.push(args[1])
      await blobs.put(...args)
    },
  }
  const start = (keys: string) => wired({ SPILLWAY_SEAL_KEYS: keys }, '', watched)
  const gzipped = (bytes: Uint8Array = new Uint8Array()) => Buffer.from(bytes).includes(Buffer.from([0x1f, 0x8b, 8]))

  const open = await start('')
  const unsealed = idOf(await open.filter(`${GO_TEST}x`))
  expect(gzipped(bodies.at(-1))).toBe(true)

  const before = await start(key('a'))
  const old = idOf(await before.filter(GO_TEST))
  expect(gzipped(bodies.at(-1))).toBe(false)
  expect(await (await before.ask(`/v1/outputs/${old}`)).text()).toBe(GO_TEST)
  // Nothing can be slipped in that is not sealed. Asking again would not help, so nothing says to.
  const refused = await before.ask(`/v1/outputs/${unsealed}`)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([500, null])
  expect(await refused.json()).toMatchObject({ type: 'urn:problem:spillway:output-unreadable' })

  const after = await start(`${key('b')},${key('a')}`)
  expect(await (await after.ask(`/v1/outputs/${old}?tail=1`)).text()).toBe(
    GO_TEST.slice(GO_TEST.trimEnd().lastIndexOf('\n') + 1),
  )
  const young = idOf(await after.filter(`${GO_TEST}y`))
  // The old key is dropped: what it sealed is a failure and no garbage, what the new one sealed is there.
  const last = await start(key('b'))
  expect((await last.ask(`/v1/outputs/${old}`)).status).toBe(500)
  expect(await (await last.ask(`/v1/outputs/${young}`)).text()).toBe(`${GO_TEST}y`)
  // Filtered again, an output that no key opens any more is stored anew.
  expect(idOf(await last.filter(GO_TEST))).toBe(old)
  expect(await (await last.ask(`/v1/outputs/${old}`)).text()).toBe(GO_TEST)
})

it('a tenant has its own time to live, by the configuration', async () => {
  const config = 'store: { ttl_days: 30, tenants: { default: { ttl_days: 1 } } }'
  const { ask, filter } = await wired({}, config)
  const expires = (await ask(`/v1/outputs/${idOf(await filter(GO_TEST))}`)).headers.get('spillway-expires') ?? ''
  const days = (Date.parse(expires) - Date.now()) / 86_400_000
  expect(Math.round(days)).toBe(1)
})
