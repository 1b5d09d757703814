import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { createLinks } from '../../src/http/link-token.ts'
import { linkAnswer } from '../../src/http/schemas.ts'
import { createSigner } from '../../src/store/sign.ts'
import { bearer, keyOf, LINKS, linkClock, problemOf, setUp, utf8 } from './ask.ts'

const START = Date.UTC(2030, 0, 1)
const HOUR = 3_600_000
beforeEach(() => {
  linkClock.ms = START
})

/** A server with two tenants, one of which has stored an output and made a link to it. */
async function withLink(expiresIn?: number) {
  const all = setUp({ keys: [keyOf('red', 'red-key'), keyOf('blue', 'blue-key'), keyOf('red', 'masker', ['mask'])] })
  const id = all.spillway.keep('red', utf8('one\ntwo\n'))
  const body = JSON.stringify({ id, ...(expiresIn === undefined ? {} : { expiresIn }) })
  const response = await all.post('/v1/links', body, 'application/json', bearer('red-key'))
  const link = linkAnswer.parse(await response.json())
  return { ...all, id, link, body, token: new URL(link.url, 'http://localhost').searchParams.get('link') ?? '' }
}

describe('a link', () => {
  it('reads its output without a key, whole or in part, until it expires', async () => {
    const { ask, id, link } = await withLink()
    expect(link).toEqual({
      url: expect.stringContaining(`/v1/outputs/${id}?link=`),
      expiresAt: '2030-01-01T01:00:00.000Z',
      warnings: [],
    })
    const response = await ask(link.url)
    expect([response.status, await response.text()]).toEqual([200, 'one\ntwo\n'])
    expect(response.headers.get('cache-control')).toBe('no-store, no-transform')
    expect(response.headers.get('referrer-policy')).toBe('no-referrer')
    expect((await ask(link.url, { method: 'HEAD' })).status).toBe(200)
    expect(await (await ask(`${link.url}&tail=1`)).text()).toBe('two\n')
    expect((await ask(link.url, { headers: { range: 'bytes=0-2' } })).status).toBe(206)
    linkClock.ms = START + HOUR - 1
    expect((await ask(link.url)).status).toBe(200)
    linkClock.ms = START + HOUR
    expect((await ask(link.url)).status).toBe(403)
  })

  it('lasts as long as was asked', async () => {
    const { ask, link } = await withLink(5)
    linkClock.ms = START + 4999
    expect((await ask(link.url)).status).toBe(200)
    linkClock.ms = START + 5000
    expect((await ask(link.url)).status).toBe(403)
  })

  it('opens no other output, and no other route or method', async () => {
    const { ask, spillway, token, link, id } = await withLink()
    const other = spillway.keep('red', utf8('another'))
    expect((await ask(`/v1/outputs/${other}?link=${token}`)).status).toBe(403)
    expect((await ask(link.url, { method: 'DELETE' })).status).toBe(401)
    expect((await ask(`/readyz?link=${token}`)).status).toBe(401)
    expect((await ask(`/v1/filter?link=${token}`, { method: 'POST', body: 'x' })).status).toBe(401)
    expect((await ask(`/v1/links?link=${token}`, { method: 'POST', body: '{}' })).status).toBe(401)
    expect((await ask(`/v1/outputs/${id}`, { headers: bearer(token) })).status).toBe(401)
    expect((await ask(link.url)).status).toBe(200)
  })

  it('is refused alike whether forged, expired, or for an output that is not there', async () => {
    const { ask, link, id, token } = await withLink()
    const said = async (path: string) => {
      const response = await ask(path)
      return [[...response.headers].filter(([name]) => name !== 'request-id'), await problemOf(response)]
    }
    const refusal = await said(`/v1/outputs/${id}?link=forged`)
    expect(refusal[1]).toMatchObject({ status: 403, type: 'urn:problem:spillway:link-refused' })
    expect(JSON.stringify(refusal)).not.toMatch(/expired|forged|signature/)
    const absent = `o_m${'p'.repeat(31)}`
    for (const path of [
      `/v1/outputs/${absent}?link=${token}`,
      `/v1/outputs/x?link=${token}`,
      `/v1/outputs/${id}?link=`,
    ]) {
      expect(await said(path)).toEqual(refusal)
    }
    linkClock.ms = START + HOUR
    expect(await said(link.url)).toEqual(refusal)
  })

  it('counts in the place of a key that is sent beside it: the lesser right wins', async () => {
    const { ask, id } = await withLink()
    expect((await ask(`/v1/outputs/${id}?link=forged`, { headers: bearer('red-key') })).status).toBe(403)
  })

  it('ends with its output, and with the last key of its tenant', async () => {
    const { ask, link, id, spillway } = await withLink()
    const later = setUp({ keys: [keyOf('blue', 'blue-key')] })
    later.spillway.keep('red', utf8('one\ntwo\n'))
    expect((await later.ask(link.url)).status).toBe(403)
    await ask(`/v1/outputs/${id}`, { method: 'DELETE', headers: bearer('red-key') })
    expect((await ask(link.url)).status).toBe(404)
    expect(spillway.callers.at(-1)).toEqual({ tenant: 'red', route: 'GET /v1/outputs/{id}' })
  })

  it("to another tenant's output leads nowhere", async () => {
    const { ask, post, body } = await withLink()
    const made = linkAnswer.parse(await (await post('/v1/links', body, 'application/json', bearer('blue-key'))).json())
    expect((await ask(made.url)).status).toBe(404)
  })

  it('is made by keys with recall alone, for ids and spans that can be meant', async () => {
    const { post, id, body } = await withLink()
    const status = async (value: string, key: string) =>
      (await post('/v1/links', value, 'application/json', bearer(key))).status
    expect(await status(body, 'masker')).toBe(403)
    for (const bad of [
      {},
      { id: 'x' },
      { id, expiresIn: 0 },
      { id, expiresIn: 604_801 },
      { id, session: 's' },
      { session: '' },
      { session: 'a~b' },
    ]) {
      expect(await status(JSON.stringify(bad), 'red-key')).toBe(400)
    }
  })

  it('makes a parameter of that name twice an error', async () => {
    const { ask, link, token } = await withLink()
    expect((await ask(`${link.url}&link=${token}`)).status).toBe(400)
  })
})

describe("a session's link", () => {
  it('reads what was stored with the label, and nothing else', async () => {
    const { ask, post, spillway } = setUp({ keys: [keyOf('red', 'red-key'), keyOf('blue', 'blue-key')] })
    const [one, other, none] = ['one:1', 'other', undefined].map((session, i) =>
      spillway.keep('red', utf8(`text ${i}`), { kind: 'text', ...(session !== undefined && { session }) }),
    )
    const foreign = spillway.keep('blue', utf8('blue'), { kind: 'text', session: 'one:1' })
    const made = await post('/v1/links', '{"session":"one:1"}', 'application/json', bearer('red-key'))
    const { url } = linkAnswer.parse(await made.json())
    expect(url.startsWith('/v1/outputs/{id}?link=')).toBe(true)
    const read = (id = '', method = 'GET') => ask(url.replace('{id}', id), { method })
    expect(await (await read(one)).text()).toBe('text 0')
    expect((await read(one, 'HEAD')).status).toBe(200)
    for (const id of [other, none, foreign, `o_m${'p'.repeat(31)}`, 'x']) expect((await read(id)).status).toBe(403)
    expect((await read(one, 'DELETE')).status).toBe(401)
    linkClock.ms = START + HOUR
    expect((await read(one)).status).toBe(403)
  })

  it('whose label looks like an id opens no output of that id', async () => {
    const { ask, postJson, spillway } = setUp()
    const id = spillway.keep('default', utf8('text'))
    const { url } = linkAnswer.parse(await (await postJson('/v1/links', { session: id })).json())
    expect((await ask(url.replace('{id}', id))).status).toBe(403)
  })
})

describe('a token', () => {
  const id = `o_m${'a'.repeat(31)}`
  const expires = START / 1000 + 60
  const any = () => true

  it('gives back its tenant, whatever the name, and needs no escaping in an address', async () => {
    await fc.assert(
      fc.asyncProperty(fc.stringMatching(/^[A-Za-z0-9_.-]{1,64}$/), async (tenant) => {
        const token = await LINKS.sign(tenant, { id }, expires)
        expect(encodeURIComponent(token)).toBe(token)
        expect(await LINKS.open(token, any)).toEqual({ tenant, subject: { id } })
      }),
      { numRuns: 50 },
    )
  })

  it('with any character changed opens nothing', async () => {
    const token = await LINKS.sign('red', { id }, expires)
    await fc.assert(
      fc.asyncProperty(fc.nat(token.length - 1), fc.constantFrom(...'AZapz09-_.~:=%'), async (at, character) => {
        fc.pre(token[at] !== character)
        expect(await LINKS.open(token.slice(0, at) + character + token.slice(at + 1), any)).toBe(null)
      }),
      { numRuns: 200 },
    )
  })

  it('of words that could be cut in two ways opens one of them alone', async () => {
    const token = await LINKS.sign(`red.${'A'.repeat(43)}`, { id }, expires)
    expect(await LINKS.open(token, (name) => name === 'red')).toBe(null)
    expect(await LINKS.open(token.slice(0, token.lastIndexOf('~')), any)).toBe(null)
  })

  it('under another secret, or signed for another purpose, opens nothing', async () => {
    const secret = utf8('another secret for these tests, long')
    const other = createLinks(createSigner(secret, 'link'), () => START)
    expect(await other.open(await LINKS.sign('red', { id }, expires), any)).toBe(null)
    const receipts = createLinks(createSigner(secret, 'receipt'), () => START)
    expect(await other.open(await receipts.sign('red', { id }, expires), any)).toBe(null)
  })

  it('makes no use of a secret for a name that is no tenant', async () => {
    const no = () => Promise.reject(new Error('asked'))
    const links = createLinks({ sign: no, verify: no }, () => START)
    expect(await links.open(await LINKS.sign('red', { id }, expires), () => false)).toBe(null)
  })

  it.each(['', '.', '1~2~3~4~5', 'x'.repeat(10_000), `1~1~${id}~${'a~'.repeat(4000)}`])(
    'as %s opens nothing',
    async (text) => {
      expect(await LINKS.open(text, any)).toBe(null)
    },
  )
})
