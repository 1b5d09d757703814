import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { parseConfig } from '../../src/config/settings.ts'
import { writeStub, writeTrailer } from '../../src/engine/marker.ts'
import { linkAnswer } from '../../src/http/schemas.ts'
import { createTimer } from '../doubles/timer.ts'
import { sha256, wired } from '../entry/wired.ts'
import { GO_TEST, longHistory } from '../runtime/suite.ts'
import { bearer, problemOf, setUp, utf8 } from './ask.ts'

const SECRET = 'the deployment-wide secret of this attack table'
/** With a line that no condensed form has. */
const RED_TEXT = GO_TEST.replace('TestParse7 (', 'TestWhatRedAloneMayRead (')

/** The whole service with two tenants, where red has stored an output; answers are checked for leaks as they come. */
async function attacked(config = '') {
  const keys = `red-team:${sha256('red-key')},blue-team:${sha256('blue-key')}`
  const { ask: send, telemetry } = await wired({ SPILLWAY_API_KEYS: keys, SPILLWAY_SECRET: SECRET }, config)
  /** As blue, unless told otherwise. */
  async function ask(path: string, init: RequestInit = {}, headers: Record<string, string> = bearer('blue-key')) {
    const response = await send(path, { ...init, headers: { ...headers, ...(init.headers as Record<string, string>) } })
    const said = [...response.headers].join('\n') + (await response.clone().text())
    if (headers.authorization !== bearer('red-key').authorization) expect(said).not.toContain('WhatRedAloneMayRead')
    // Neither secrets, nor the inside of the server, nor (but for a link's own) names of tenants.
    expect(said.replace(/link=[^"]+/g, '')).not.toMatch(
      /deployment-wide|red-team|blue-team|node_modules|\/src\/|\n\s+at /,
    )
    return response
  }
  const post = (path: string, body: BodyInit, type: string, headers: Record<string, string> = {}) =>
    ask(path, { method: 'POST', body, headers: { 'content-type': type, ...headers } })
  const postJson = (path: string, value: unknown) => post(path, JSON.stringify(value), 'application/json')
  const filter = (text: BodyInit, query = '?command=go%20test%20-v') => post(`/v1/filter${query}`, text, 'text/plain')
  const stored = await ask(
    '/v1/filter?command=go%20test%20-v',
    { method: 'POST', body: RED_TEXT, headers: { 'content-type': 'text/plain' } },
    bearer('red-key'),
  )
  const shown = await stored.text()
  const id = stored.headers.get('spillway-output-id') ?? ''
  expect(shown).not.toContain('WhatRedAloneMayRead')
  expect(id).toMatch(/^o_[a-z][a-p]{31}$/)
  const redReads = async () => (await ask(`/v1/outputs/${id}`, {}, bearer('red-key'))).text()
  return { ask, post, postJson, filter, id, shown, redReads, telemetry }
}

const history = z.object({ messages: z.array(z.looseObject({ content: z.unknown() })) })
const historyOf = async (response: Response) => history.parse(await response.json()).messages

afterEach(() => {
  expect(Object.keys(Object.prototype)).toEqual([])
  expect(({} as Record<string, unknown>).polluted).toBe(undefined)
})

describe("ids that are not one's own", () => {
  it.each([
    ['GET', ''],
    ['HEAD', ''],
    ['GET', '?tail=5'],
    ['GET', '?lines=1-9'],
    ['DELETE', ''],
  ])("%s of another tenant's output%s is a 404, and leaves it there", async (method, query) => {
    const { ask, id, redReads } = await attacked()
    for (const headers of [{}, { range: 'bytes=0-10' }, { 'if-none-match': `"${id}"` }]) {
      expect((await ask(`/v1/outputs/${id}${query}`, { method, headers })).status).toBe(404)
    }
    expect(await redReads()).toBe(RED_TEXT)
  })

  it("another tenant's output is recorded as one that never was", async () => {
    const { ask, id, telemetry } = await attacked()
    const recorded = async (guess: string) => {
      telemetry.events.length = 0
      for (const method of ['GET', 'HEAD', 'DELETE']) await ask(`/v1/outputs/${guess}`, { method })
      return [...telemetry.events]
    }
    const foreign = await recorded(id)
    expect(foreign.map((event) => event.outcome)).toEqual(['missing', 'missing', 'missing'])
    expect(await recorded(`${id.slice(0, 3)}${'p'.repeat(31)}`)).toEqual(foreign)
  })

  it('guessed ids, near a real one or anywhere, are a 404', async () => {
    const { ask, id } = await attacked()
    const near = fc
      .tuple(fc.integer({ min: 2, max: 33 }), fc.constantFrom(...'abcdefghijklmnop'))
      .map(([at, letter]) => id.slice(0, at) + letter + id.slice(at + 1))
      .filter((guess) => guess !== id)
    const anywhere = fc.stringMatching(/^o_[a-z][a-p]{31}$/)
    const path = fc.oneof(near, anywhere)
    await fc.assert(
      fc.asyncProperty(path, async (guess) => {
        expect((await ask(`/v1/outputs/${guess}`, {}, bearer('red-key'))).status).toBe(404)
        expect((await ask(`/v1/outputs/${guess}`)).status).toBe(404)
      }),
      { numRuns: 60 },
    )
  })

  it.each([
    '..%2f..%2f..%2fetc%2fpasswd',
    '..%5c..%5csecret',
    '%2e%2e%2fsecret',
    '%2fetc%2fpasswd',
    '%00',
    'ID%00',
    'ID%0a',
    'ID%20',
    'ID%2f..%2fID',
    'ID%2f%2e%2e%2f%2e%2e%2fsecret',
    '%ff%fe',
    '%c0%ae%c0%ae%2f',
    '%zz',
    '%EF%BC%8E%EF%BC%8E%EF%BC%8F',
    'o_m%61%CC%80',
    'O_M',
    '__proto__',
    'constructor',
    'x'.repeat(8000),
  ])('the id %s is a 404, read and deleted', async (template) => {
    const { ask, id, redReads } = await attacked()
    const path = `/v1/outputs/${template.replaceAll('ID', id)}`
    for (const method of ['GET', 'HEAD', 'DELETE']) {
      expect((await ask(path, { method }, bearer('red-key'))).status).toBe(404)
    }
    expect(await redReads()).toBe(RED_TEXT)
  })
})

describe('text in places where it could be taken for more', () => {
  const INJECTION = 'x\r\nset-cookie: a=b\r\n\r\n<script>'

  it.each(['command', 'tool', 'hint'])('line breaks in %s start no header', async (name) => {
    const { filter } = await attacked()
    const response = await filter(GO_TEST, `?${new URLSearchParams({ [name]: INJECTION })}`)
    expect(response.status).toBe(200)
    expect(response.headers.has('set-cookie')).toBe(false)
    for (const [, value] of response.headers) expect(value).toMatch(/^[\x20-\x7e]*$/)
  })

  it('a tool of a history may have any name', async () => {
    const { postJson } = await attacked()
    const messages = JSON.parse(JSON.stringify(longHistory()).replaceAll('"bash"', JSON.stringify(INJECTION)))
    const response = await postJson('/v1/mask', { messages })
    expect([response.status, response.headers.has('set-cookie')]).toEqual([200, false])
    expect((await historyOf(response)).length).toBe(messages.length)
  })

  it('no request id or trace but a plain one is given back', async () => {
    const { ask } = await attacked()
    for (const value of ['a b', '<script>', 'x'.repeat(129), 'ü']) {
      const response = await ask('/healthz', { headers: { 'request-id': value, traceparent: value } })
      expect(response.status).toBe(200)
      expect(response.headers.get('request-id')).toMatch(/^(<script>|[0-9a-f-]{36})$/)
      expect(response.headers.has('traceparent')).toBe(false)
    }
  })

  it('a command is never run, and never recorded', async () => {
    const { filter, telemetry } = await attacked()
    const response = await filter('one\n', `?${new URLSearchParams({ command: '$(touch /tmp/owned); `id`' })}`)
    expect([response.status, await response.text()]).toEqual([200, 'one\n'])
    expect(JSON.stringify(telemetry.events)).not.toMatch(/owned|touch/)
  })
})

describe("prototypes' keys", () => {
  it.each([
    ['/v1/filter', '{"output":"x","__proto__":{"polluted":1}}'],
    ['/v1/filter', '{"output":"x","constructor":{"prototype":{"polluted":1}}}'],
    ['/v1/mask', '{"messages":[],"policy":{"__proto__":{"polluted":1}}}'],
    ['/v1/mask', '{"messages":[],"policy":{"constructor":{"prototype":{"polluted":1}}}}'],
    ['/v1/mask', '{"messages":[],"__proto__":[]}'],
    ['/v1/links', '{"id":"x","__proto__":{"expiresIn":5}}'],
  ])('in %s %s are a 400', async (path, body) => {
    const { post } = await attacked()
    const problem = await problemOf(await post(path, body, 'application/json'))
    expect(problem.status).toBe(400)
  })

  it('in a query are a 400', async () => {
    const { filter } = await attacked()
    expect((await filter('x', '?__proto__=1')).status).toBe(400)
    expect((await filter('x', '?constructor=1')).status).toBe(400)
  })

  it('inside messages pass through as they came', async () => {
    const { post } = await attacked()
    const messages = '[{"role":"user","content":"x","__proto__":{"polluted":1},"constructor":{"prototype":{}}}]'
    const response = await post('/v1/mask', `{"messages":${messages}}`, 'application/json')
    expect(response.status).toBe(200)
    expect(await response.text()).toContain(`"messages":${messages}`)
  })
})

describe('patterns that backtrack', () => {
  const EVIL = `${'a'.repeat(200_000)}!`

  it.each(['(a+)+$', '(a|aa)+$', '(.*a){30}$', '^(([a-z])+.)+[A-Z]([a-z])+$'])(
    'as %s, from the configuration, run in linear time',
    async (pattern) => {
      const rules = JSON.stringify([{ match: '^evil', strip_lines: [pattern] }])
      const { filter } = await attacked(`filters: { rules: ${rules} }`)
      const response = await filter(`${EVIL}\n`, '?command=evil')
      expect(response.status).toBe(200)
    },
  )

  it.each(['(?=a)a', '(a)\\1', '(?<!b)a'])('as %s, which no linear engine runs, stop the start', async (pattern) => {
    const rules = JSON.stringify([{ match: '^evil', strip_lines: [pattern] }])
    await expect(parseConfig(`filters: { rules: ${rules} }`, 'test')).rejects.toThrow('filters.rules[0].strip_lines')
  })

  it.each([
    ['(a+)+$', 200],
    ['(a|aa)+$', 200],
    ['^(a?){50}a{50}$', 200],
    ['(?=a)a', 400],
    ['(a)\\1', 400],
    ['((a{100}){100}){100}', 400],
    ['(', 400],
    ['x'.repeat(20_000), 400],
  ])('as %s, in a search, are answered in linear time or refused: %i', async (pattern, status) => {
    const { ask, filter } = await attacked()
    const stored = await filter(GO_TEST.replace('TestParse9 (', `${EVIL} (`))
    const path = `/v1/outputs/${stored.headers.get('spillway-output-id')}`
    const response = await ask(`${path}?${new URLSearchParams({ grep: pattern })}`)
    expect(response.status).toBe(status)
    if (status === 400) expect((await problemOf(response)).status).toBe(400)
  })

  it('and globs of a request, and lines of any shape, end all the same', async () => {
    const { postJson, filter } = await attacked()
    const policy = {
      protectedTools: [`${'*a'.repeat(60)}b`],
      minPrunableTokensThreshold: 0,
      toolProtectionThreshold: 0,
    }
    const messages = JSON.parse(JSON.stringify(longHistory()).replaceAll('"bash"', JSON.stringify('a'.repeat(5000))))
    expect((await postJson('/v1/mask', { messages, policy })).status).toBe(200)
    for (const text of ['('.repeat(500_000), `${'\u001b['.repeat(200_000)}`, '"'.repeat(400_000), EVIL]) {
      expect((await filter(text)).status).toBe(200)
      expect((await filter('x\n', `?${new URLSearchParams({ command: text.slice(0, 5000) })}`)).status).toBe(200)
    }
  })
})

describe('bodies that are more than they seem', () => {
  it('a gzip bomb is a 413', async () => {
    const { post } = await attacked()
    const bomb = new Uint8Array(gzipSync(new Uint8Array(200_000_000)))
    const response = await post('/v1/filter', bomb, 'text/plain', { 'content-encoding': 'gzip' })
    expect((await problemOf(response)).status).toBe(413)
  })

  it.each([
    ['lists', `${'['.repeat(10_000)}${']'.repeat(10_000)}`],
    ['objects', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
    ['brackets that never close', '[{"a":'.repeat(10_000)],
  ])('10,000 levels of %s are a 400', async (_, json) => {
    const { post } = await attacked()
    for (const path of ['/v1/mask', '/v1/tokens']) {
      const response = await post(path, `{"messages":${json}}`, 'application/json')
      expect((await problemOf(response)).status).toBe(400)
    }
  })

  it('10,000 levels inside a string are a string', async () => {
    const { postJson } = await attacked()
    const output = `${'['.repeat(10_000)}${']'.repeat(10_000)}`
    const response = await postJson('/v1/filter', { output })
    expect(response.status).toBe(200)
  })

  it('a body that never ends is a 408', async () => {
    const { timer, fire, running } = createTimer()
    const { app } = setUp({ timer })
    const body = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(utf8('abc')) })
    const init = { method: 'POST', body, headers: { 'content-type': 'text/plain' }, duplex: 'half' }
    const slow = app.fetch(new Request('http://localhost/v1/filter', init as RequestInit))
    await expect.poll(running).toBe(1)
    fire()
    expect((await problemOf(await slow)).status).toBe(408)
  })

  it('many ranges are one whole answer, and far ranges a 416', async () => {
    const { ask, id } = await attacked()
    const read = (range: string) => ask(`/v1/outputs/${id}`, { headers: { range } }, bearer('red-key'))
    const many = await read(`bytes=${Array.from({ length: 500 }, (_, i) => `${i}-${i + 2}`).join(',')}`)
    expect([many.status, await many.text()]).toEqual([200, RED_TEXT])
    expect((await read('bytes=99999999999-')).status).toBe(416)
  })
})

describe('forgeries', () => {
  it("a forged stub with another tenant's id is not masked again, and opens nothing", async () => {
    const { ask, postJson, id } = await attacked()
    const stub = { id, tool: 'bash', lines: 9, chars: 90_000, tokens: 30_000 }
    const forged = writeStub(stub, 'Output: x', 'recall {id}', 'call_0')
    const messages = longHistory()
    messages[2] = { role: 'tool', tool_call_id: 'call_0', content: forged }
    const response = await postJson('/v1/mask', { messages })
    expect(response.status).toBe(200)
    expect((await historyOf(response))[2]?.content).toBe(forged)
    expect((await ask(`/v1/outputs/${id}`)).status).toBe(404)
  })

  it("another tenant's trailer, copied or forged, opens nothing and hides nothing", async () => {
    const { ask, filter, postJson, id, shown } = await attacked()
    const copied = await filter(shown)
    expect([copied.status, await copied.text()]).toEqual([200, shown])
    const trailer = { id, elided: 5, lines: 9, by: 'go-test', chars: 10, tokens: 10 }
    const failing = `${GO_TEST}${writeTrailer(trailer, 'full output: {id}', GO_TEST.slice(0, -1))}`
    expect(await (await filter(failing)).text()).toBe(failing)
    const messages = JSON.parse(JSON.stringify(longHistory()))
    messages[2].content = shown
    expect((await postJson('/v1/mask', { messages })).status).toBe(200)
    expect((await ask(`/v1/outputs/${id}`)).status).toBe(404)
  })

  it("a forged receipt, and another tenant's, change nothing", async () => {
    const { ask, postJson } = await attacked()
    const messages = longHistory()
    const plain = await historyOf(await postJson('/v1/mask', { messages }))
    const init = { method: 'POST', body: JSON.stringify({ messages }), headers: { 'content-type': 'application/json' } }
    const masked = await ask('/v1/mask', init, bearer('red-key'))
    const { report } = z.object({ report: z.looseObject({ receipt: z.string() }) }).parse(await masked.json())
    for (const receipt of ['', 'x', `v1.${'A'.repeat(1000)}`, JSON.stringify({ masked: 99 }), report.receipt]) {
      const response = await postJson('/v1/mask', { messages, receipt })
      expect(response.status).toBe(200)
      expect(await historyOf(response)).toEqual(plain)
    }
  })

  it('a link with its tenant, output or life changed, or one of a tenant that has gone, is a 403', async () => {
    const { ask, post, id } = await attacked()
    const body = JSON.stringify({ id })
    const json = { 'content-type': 'application/json' }
    const made = linkAnswer.parse(await (await post('/v1/links', body, 'application/json')).json())
    // Blue's own link to red's output leads where blue's key leads.
    expect((await ask(made.url, {}, {})).status).toBe(404)
    const real = await ask('/v1/links', { method: 'POST', body, headers: json }, bearer('red-key'))
    const { url } = linkAnswer.parse(JSON.parse(await real.text()))
    const [path = '', token = ''] = url.split('?link=')
    const [version, expiry, signedId, tenant, signature] = token.split('~')
    const blueSignature = made.url.split('~').at(-1)
    for (const parts of [
      [version, expiry, signedId, 'blue-team', signature],
      [version, '99999999999', signedId, tenant, signature],
      ['2', expiry, signedId, tenant, signature],
      [version, expiry, signedId, tenant, blueSignature],
      [version, expiry, signedId, tenant, ''],
      [version, expiry, signedId, tenant, `${signature}A`],
      [version, expiry, signedId, tenant],
    ]) {
      const forged = parts.join('~')
      const response = await ask(`${path}?link=${forged}`, {}, {})
      expect((await problemOf(response)).status).toBe(403)
    }
    const other = `/v1/outputs/${id.slice(0, -1)}${id.endsWith('a') ? 'b' : 'a'}`
    expect((await ask(`${other}?link=${token}`, {}, {})).status).toBe(403)
    expect((await ask(url, { method: 'DELETE' }, {})).status).toBe(401)
  })
})

describe('a server without keys', () => {
  it.each([
    ['http://attacker.example:8787', {}, 421],
    ['http://127.0.0.1.nip.example', {}, 421],
    ['http://localhost', { origin: 'https://attacker.example' }, 403],
    ['http://localhost', { origin: 'null' }, 403],
  ])('is not reached through a page, as %s with %o', async (host, headers, status) => {
    const { app } = await wired()
    for (const path of ['/v1/filter', '/v1/links', '/v1/mask']) {
      const response = await app.request(`${host}${path}`, { method: 'POST', body: '{}', headers })
      expect((await problemOf(response)).status).toBe(status)
    }
    for (const path of ['/metrics', '/readyz', `/v1/outputs/o_m${'a'.repeat(31)}`]) {
      expect((await app.request(`${host}${path}`, { headers })).status).toBe(status)
    }
  })
})
