import { gzipSync } from 'node:zlib'
import { expect } from 'vitest'
import * as z from 'zod'
import { filterAnswer } from '../../src/http/schemas.ts'
import { type Answer, type Ask, KEY, MAX_BODY, OTHER_KEY, type Server } from './servers.ts'

/** One case: what is asked, and what is asserted. Every answer is recorded, and compared between runtimes. */
export interface RuntimeCase {
  readonly name: string
  run(ask: (path: string, ask?: Ask) => Promise<Heard>): Promise<void>
}

/** An answer, read. */
export interface Heard {
  readonly status: number
  readonly header: (name: string) => string | null
  readonly bytes: Uint8Array
  readonly text: string
}

const utf8 = (text: string) => new TextEncoder().encode(text)

/** 600 passing tests and one that fails: noise with a needle. */
export const GO_TEST = [
  ...Array.from({ length: 300 }, (_, i) => `=== RUN   TestParse${i}\n--- PASS: TestParse${i} (0.00s)`),
  '=== RUN   TestBroken',
  '    parse_test.go:41: got 3, want 4 – naïve',
  '--- FAIL: TestBroken (0.01s)',
  ...Array.from({ length: 300 }, (_, i) => `=== RUN   TestPrint${i}\n--- PASS: TestPrint${i} (0.00s)`),
  'FAIL',
  'FAIL\texample.com/parse\t0.512s',
  'FAIL',
  '',
].join('\n')

/** The same line over and over, with bytes that are not UTF-8 in between. */
const NOISE = new Uint8Array([
  ...utf8('copying the same file again and again\r\n'.repeat(800)),
  0xff,
  0xc3,
  0x0a,
  ...utf8('copying the same file again and again\r\n'.repeat(800)),
])

const json = (value: unknown): Ask => ({
  method: 'POST',
  body: JSON.stringify(value),
  headers: { 'content-type': 'application/json' },
})
const text = (body: string | Uint8Array<ArrayBuffer>): Ask => ({
  method: 'POST',
  body,
  headers: { 'content-type': 'text/plain' },
})

const idOf = (heard: Heard) => heard.header('spillway-output-id') ?? 'none'
const spillGoTest = (ask: Parameters<RuntimeCase['run']>[0]) => ask('/v1/filter?command=go%20test%20-v', text(GO_TEST))

/** Old results of a terminal, enough of them for masking by the default policy. */
export function longHistory() {
  const messages: unknown[] = [{ role: 'user', content: 'Fix the build.' }]
  for (let turn = 0; turn < 20; turn += 1) {
    const id = `call_${turn}`
    const call = { id, type: 'function', function: { name: 'bash', arguments: '{"command":"make"}' } }
    messages.push({ role: 'assistant', content: null, tool_calls: [call] })
    const rows = Array.from({ length: 420 }, (_, row) => `gcc -O2 -c src/module_${turn}_${row}.c -o build/${row}.o`)
    messages.push({ role: 'tool', tool_call_id: id, content: rows.join('\n') })
  }
  return [...messages, { role: 'assistant', content: 'Done.' }, { role: 'user', content: 'And now?' }]
}

const filterReply = z.object({ spill: z.object({ url: z.string() }).nullable() })

const maskReply = z.object({
  messages: z.array(z.looseObject({ content: z.unknown() })),
  report: z.looseObject({
    masked: z.number(),
    receipt: z.string().optional(),
    warnings: z.array(z.string()).optional(),
  }),
})

export const CASES: readonly RuntimeCase[] = [
  {
    name: 'filters JSON, keeps what failed, and gives the whole back',
    async run(ask) {
      const heard = await ask('/v1/filter', json({ output: GO_TEST, command: 'go test -v ./...', exitCode: 1 }))
      expect(heard.status).toBe(200)
      const answer = filterAnswer.parse(JSON.parse(heard.text))
      expect(answer).toMatchObject({ filtered: true, family: 'go-test' })
      expect(answer.output).toContain('parse_test.go:41: got 3, want 4 – naïve')
      expect(answer.tokens.after * 4).toBeLessThan(answer.tokens.before)
      const { in: all, kept, restated, elided } = answer.lines
      expect(kept + restated + elided).toBe(all)
      expect((await ask(answer.spill?.url ?? '/none')).text).toBe(GO_TEST)
    },
  },
  {
    name: 'filters text, and gives back bytes that are not UTF-8',
    async run(ask) {
      const heard = await ask('/v1/filter?command=make', text(NOISE))
      expect([heard.status, heard.header('spillway-filtered')]).toEqual([200, 'true'])
      expect(heard.header('content-type')).toBe('text/plain; charset=utf-8')
      expect((await ask(`/v1/outputs/${idOf(heard)}`)).bytes).toEqual(NOISE)
    },
  },
  {
    name: 'gives back small outputs, and odd ones, as the bytes they are',
    async run(ask) {
      for (const bytes of [[], [0xef, 0xbb, 0xbf, 0x61], [0x61, 0xff, 0x0d, 0x0a], [0, 27, 7]]) {
        const heard = await ask('/v1/filter', text(new Uint8Array(bytes)))
        expect([heard.status, heard.header('spillway-filtered'), ...heard.bytes]).toEqual([200, 'false', ...bytes])
      }
    },
  },
  {
    name: 'unpacks gzip, and refuses what unpacks to too much or is none',
    async run(ask) {
      const send = (bytes: Uint8Array, command = '') => {
        const { headers, ...rest } = text(new Uint8Array(bytes))
        return ask(`/v1/filter${command}`, { ...rest, headers: { ...headers, 'content-encoding': 'gzip' } })
      }
      const heard = await send(gzipSync(GO_TEST), '?command=go%20test%20-v')
      expect(heard.header('spillway-filtered')).toBe('true')
      expect((await ask(`/v1/outputs/${idOf(heard)}`)).text).toBe(GO_TEST)
      expect((await send(gzipSync(new Uint8Array(60 * MAX_BODY)))).status).toBe(413)
      expect((await send(utf8('plain'))).status).toBe(400)
      expect((await send(gzipSync(GO_TEST).subarray(0, 500))).status).toBe(400)
    },
  },
  {
    name: 'gives back lone surrogates as the escapes they are',
    async run(ask) {
      const heard = await ask('/v1/filter', { ...json(null), body: '{"output":"a\\ud800b"}' })
      expect(heard.text).toContain('"output":"a\\ud800b"')
    },
  },
  {
    name: 'gives stored outputs in parts',
    async run(ask) {
      const path = `/v1/outputs/${idOf(await spillGoTest(ask))}`
      const rows = GO_TEST.split('\n')
      const part = async (query: string) => (await ask(path + query)).text
      expect(await part('?lines=2-3')).toBe(`${rows.slice(1, 3).join('\n')}\n`)
      expect(await part('?lines=1205-')).toBe(rows.slice(1204).join('\n'))
      expect(await part('?head=1')).toBe(`${rows[0]}\n`)
      expect(await part('?tail=2')).toBe(rows.slice(-3).join('\n'))
      const range = async (value: string) => {
        const { status, header, text: body } = await ask(path, { headers: { range: value } })
        return [status, header('content-range'), body]
      }
      const size = utf8(GO_TEST).length
      expect(await range('bytes=4-9')).toEqual([206, `bytes 4-9/${size}`, GO_TEST.slice(4, 10)])
      expect(await range('bytes=-5')).toEqual([206, `bytes ${size - 5}-${size - 1}/${size}`, GO_TEST.slice(-5)])
      expect((await range(`bytes=${size}-`)).slice(0, 2)).toEqual([416, `bytes */${size}`])
      expect((await ask(`${path}?lines=9999`)).status).toBe(400)
    },
  },
  {
    name: 'searches stored outputs line by line',
    async run(ask) {
      const path = `/v1/outputs/${idOf(await spillGoTest(ask))}`
      const rows = GO_TEST.trimEnd().split('\n')
      const last = rows.length
      const found = await ask(`${path}?grep=${encodeURIComponent(`^${rows[last - 1]?.slice(0, 4)}`)}&context=1&max=3`)
      expect(found.status).toBe(200)
      expect(found.text).toContain(':')
      const none = await ask(`${path}?grep=nowhere+to+be+found`)
      expect([none.status, none.text, none.header('spillway-matches')]).toEqual([200, '', '0'])
      expect(none.header('spillway-searched-to')).toBe(String(last))
      expect((await ask(`${path}?lines=${last}&numbers=true`)).text).toBe(`${last}:${rows[last - 1]}\n`)
      const bad = await ask(`${path}?grep=${encodeURIComponent('(')}`)
      expect([bad.status, JSON.parse(bad.text).errors[0].parameter]).toEqual([400, 'grep'])
    },
  },
  {
    name: 'deletes what a session has stored, and nothing else',
    async run(ask) {
      const store = async (output: string, session?: string) =>
        filterReply.parse(JSON.parse((await ask('/v1/filter', json({ output, command: 'go test -v', session }))).text))
          .spill?.url ?? '/none'
      const mine = await store(GO_TEST, 'run-1')
      const shared = await store(`${GO_TEST}${GO_TEST}`, 'run-1')
      await store(`${GO_TEST}${GO_TEST}`, 'run-2')
      const free = await store(GO_TEST)
      expect(new Set([mine, shared, free]).size).toBe(3)
      const gone = await ask('/v1/sessions/run-1', { method: 'DELETE' })
      expect(JSON.parse(gone.text)).toEqual({ deleted: 1, cursor: null })
      expect((await ask(mine)).status).toBe(404)
      expect((await ask(shared)).text).toBe(`${GO_TEST}${GO_TEST}`)
      expect((await ask(free)).text).toBe(GO_TEST)
      const rest = await ask('/v1/sessions/run-2', { method: 'DELETE' })
      expect(JSON.parse(rest.text)).toEqual({ deleted: 1, cursor: null })
    },
  },
  {
    name: 'says how large a stored output is, without it',
    async run(ask) {
      const id = idOf(await spillGoTest(ask))
      const heard = await ask(`/v1/outputs/${id}`, { method: 'HEAD' })
      expect([heard.status, heard.bytes.length]).toEqual([200, 0])
      expect(heard.header('spillway-lines')).toBe(String(GO_TEST.split('\n').length - 1))
      expect(heard.header('spillway-bytes')).toBe(String(utf8(GO_TEST).length))
      expect(heard.header('etag')).toBe(`"${id}"`)
      expect(heard.header('cache-control')).toBe('private, no-transform')
      const again = await ask(`/v1/outputs/${id}`, { headers: { 'if-none-match': `"${id}"` } })
      expect(again.status).toBe(304)
    },
  },
  {
    name: 'gives back a large output byte for byte, with its length',
    async run(ask) {
      const large = GO_TEST.repeat(Math.floor(MAX_BODY / GO_TEST.length))
      const path = `/v1/outputs/${idOf(await ask('/v1/filter?command=go%20test%20-v', text(large)))}`
      const size = utf8(large).length
      const heard = await ask(path)
      expect([heard.status, heard.header('content-length'), heard.text === large]).toEqual([200, String(size), true])
      const part = await ask(path, { headers: { range: 'bytes=1-' } })
      expect([part.status, part.header('content-length')]).toEqual([206, String(size - 1)])
      expect(part.text === large.slice(1)).toBe(true)
      expect((await ask(`${path}?lines=2-`)).text === large.slice(large.indexOf('\n') + 1)).toBe(true)
    },
  },
  {
    name: 'never encodes a stored output',
    async run(ask) {
      const id = idOf(await spillGoTest(ask))
      const heard = await ask(`/v1/outputs/${id}`)
      expect(heard.header('content-encoding')).toBe(null)
    },
  },
  {
    name: 'masks a history, and gives the masked back',
    async run(ask) {
      const messages = longHistory()
      const body = JSON.stringify({ messages }).replace('"And now?"', '"And now?","big":12345678901234567890,"n":1.0')
      const heard = await ask('/v1/mask', { ...json(null), body })
      expect(heard.status).toBe(200)
      expect(heard.text).toContain('"And now?","big":12345678901234567890,"n":1.0')
      const reply = maskReply.parse(JSON.parse(heard.text))
      expect(reply.report.masked).toBeGreaterThan(0)
      const stub = String(reply.messages[2]?.content)
      const id = /o_[a-z][a-p]{31}/.exec(stub)?.[0]
      expect((await ask(`/v1/outputs/${id}`)).text).toBe(maskReply.shape.messages.parse(messages)[2]?.content)
      // What came back is already masked: nothing changes any more.
      const again = await ask('/v1/mask', json({ messages: reply.messages }))
      expect(maskReply.parse(JSON.parse(again.text)).messages).toEqual(reply.messages)
      const edits = await ask('/v1/mask?return=edits', { ...json(null), body })
      const [first] = z.looseObject({ edits: z.array(z.unknown()) }).parse(JSON.parse(edits.text)).edits
      expect(first).toEqual({ op: 'replace', path: '/messages/2/content', value: stub })
    },
  },
  {
    name: 'gives a receipt of what is stored, and takes its own alone',
    async run(ask) {
      const messages = longHistory()
      const mask = async (receipt?: string) =>
        maskReply.parse(JSON.parse((await ask('/v1/mask', json({ messages, receipt }))).text))
      const first = await mask()
      const receipt = first.report.receipt ?? ''
      expect(receipt).toMatch(/^r1~[a-p]{31}\./)
      expect(await mask(receipt)).toEqual(first)
      const forged = await mask(`${receipt.slice(0, -1)}${receipt.endsWith('A') ? 'E' : 'A'}`)
      expect(forged.messages).toEqual(first.messages)
      expect(forged.report.warnings).toEqual([expect.stringMatching(/^receipt ignored: /)])
    },
  },
  {
    name: 'estimates tokens',
    async run(ask) {
      const heard = await ask('/v1/tokens', json({ text: GO_TEST }))
      expect(JSON.parse(heard.text)).toEqual({ tokens: expect.any(Number) })
    },
  },
  {
    name: 'deletes',
    async run(ask) {
      const heard = await ask('/v1/filter?command=make', text(`${GO_TEST}to be deleted\n`))
      const path = `/v1/outputs/${idOf(heard)}`
      expect((await ask(path, { method: 'DELETE' })).status).toBe(204)
      expect((await ask(path)).status).toBe(404)
      expect((await ask(path, { method: 'DELETE' })).status).toBe(404)
    },
  },
  {
    name: "keeps a tenant's outputs from another",
    async run(ask) {
      const id = idOf(await spillGoTest(ask))
      const path = `/v1/outputs/${id}`
      const other = { authorization: `Bearer ${OTHER_KEY}` }
      expect((await ask(path, { headers: other })).status).toBe(404)
      expect((await ask(path, { headers: other, method: 'DELETE' })).status).toBe(404)
      expect((await ask(path)).status).toBe(200)
    },
  },
  {
    name: 'answers what it refuses with problems',
    async run(ask) {
      const large = 'x'.repeat(MAX_BODY + 1)
      const refused: readonly (readonly [number, string, Ask])[] = [
        [400, '/v1/filter', { ...json(null), body: '{"output": nope}' }],
        [400, '/v1/filter', { ...json(null), body: '' }],
        [400, '/v1/filter', json({ output: 5 })],
        [400, '/v1/filter', { ...json(null), body: '{"output":"a","output":"b"}' }],
        [400, '/v1/filter', { ...json(null), body: new Uint8Array([0x7b, 0xff, 0x7d]) }],
        [400, '/v1/mask', json({ messages: [], format: 'no such format' })],
        [400, '/v1/mask', { ...json(null), body: `{"messages":${'['.repeat(10_000)}${']'.repeat(10_000)}}` }],
        [413, '/v1/filter', text(large)],
        [413, '/v1/mask', json({ messages: [large] })],
        [
          415,
          '/v1/filter',
          { method: 'POST', body: 'x=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
        ],
        [401, '/v1/filter', { ...text('x'), headers: { authorization: 'Bearer wrong', 'content-type': 'text/plain' } }],
        [404, `/v1/outputs/o_z${'p'.repeat(31)}`, {}],
        [404, '/v1/nothing', {}],
        [405, '/v1/filter', {}],
      ]
      for (const [status, path, init] of refused) {
        const heard = await ask(path, init)
        expect([path, heard.status, heard.header('content-type')]).toEqual([path, status, 'application/problem+json'])
        expect(JSON.parse(heard.text)).toMatchObject({ status, detail: expect.any(String) })
      }
    },
  },
  {
    name: 'tells of itself',
    async run(ask) {
      expect((await ask('/healthz')).status).toBe(200)
      expect((await ask('/readyz')).status).toBe(200)
      expect(JSON.parse((await ask('/openapi.json')).text)).toMatchObject({ openapi: '3.1.0' })
      const trace = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
      const heard = await ask('/healthz', { headers: { traceparent: trace, 'request-id': 'r-1' } })
      expect([heard.header('traceparent'), heard.header('request-id')]).toEqual([trace, 'r-1'])
    },
  },
]

/** Headers whose values have to be the same everywhere. */
const COMPARED = ['content-type', 'cache-control', 'etag', 'content-range', 'allow', 'retry-after', 'www-authenticate']

/**
 * Runs one case; gives what every answer said, without what differs: the store's letter, and what is made of it or of the
 * time (checksums, receipts).
 */
export async function record(server: Server, each: RuntimeCase): Promise<string[]> {
  const heard: string[] = []
  await each.run(async (path, ask = {}) => {
    const headers = { authorization: `Bearer ${KEY}`, 'accept-encoding': 'identity', ...ask.headers }
    const answer = await server.fetch(path, { ...ask, headers })
    const read = await readAnswer(answer)
    const named = [...COMPARED, ...SPILLWAY_HEADERS].flatMap((name) => {
      const value = read.header(name)
      return value === null ? [] : [`${name}: ${value}`]
    })
    const latin = Array.from(read.bytes, (byte) => String.fromCharCode(byte)).join('')
    const bytes = path === '/openapi.json' ? withoutMetrics(read.text) : latin
    heard.push(
      [`${ask.method ?? 'GET'} ${path}`, read.status, ...named, '', bytes]
        .join('\n')
        .replace(ID, 'o_?')
        .replace(SUM, 'sum ?')
        .replace(RECEIPT, 'r1~?'),
    )
    return read
  })
  return heard
}

/** A worker has no memory of its own to count in: `/metrics` is there on Node and Deno alone. */
function withoutMetrics(openApi: string): string {
  const document = JSON.parse(openApi)
  delete document.paths['/metrics']
  return JSON.stringify(document)
}

const ID = /\bo_[a-z](?=[a-p]{31}\b)/g
const SUM = /\bsum(?: |=\\?")[a-p]{8}\b/g
const RECEIPT = /r1~[\w.~-]+/g
const SPILLWAY_HEADERS = [
  'filtered',
  'reason',
  'family',
  'strategy',
  'lines-in',
  'lines-kept',
  'lines-elided',
  'output-id',
  'lines',
  'bytes',
  'matches',
  'searched-to',
  'truncated',
  'warning',
].map((name) => `spillway-${name}`)

async function readAnswer(answer: Answer): Promise<Heard> {
  const bytes = new Uint8Array(await answer.arrayBuffer())
  const decoded = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  return { status: answer.status, header: (name) => answer.headers.get(name), bytes, text: decoded }
}
