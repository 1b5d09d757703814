import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { bearer } from '../http/ask.ts'
import { GO_TEST } from '../runtime/suite.ts'
import { applyOperations } from '../support/json-patch.ts'
import { sha256, wired } from './wired.ts'

describe("a session's link", () => {
  it('reads what the session stored, also where another stored the same', async () => {
    const { ask, filter } = await wired({ SPILLWAY_API_KEYS: `red:${sha256('r')}` })
    const json = { 'content-type': 'application/json', ...bearer('r') }
    const filterIn = async (session: string, name: string) => {
      const body = JSON.stringify({ output: GO_TEST.replaceAll('Parse', name), command: 'go test -v', session })
      const response = await ask('/v1/filter', { method: 'POST', body, headers: json })
      return /o_[a-z]{32}/.exec(await response.text())?.[0] ?? ''
    }
    const own = await filterIn('one', 'Own')
    const shared = await filterIn('one', 'Shared')
    expect(await filterIn('two', 'Shared')).toBe(shared)
    const others = await filterIn('two', 'Two')
    const unlabelled = (await filter(GO_TEST, bearer('r'))).headers.get('spillway-output-id') ?? ''
    const made = await ask('/v1/links', { method: 'POST', body: '{"session":"one"}', headers: json })
    const url = /"url":"([^"]+)"/.exec(await made.text())?.[1] ?? ''
    const statusOf = async (id: string) => (await ask(url.replace('{id}', id))).status
    expect([await statusOf(own), await statusOf(shared)]).toEqual([200, 200])
    expect([await statusOf(others), await statusOf(unlabelled)]).toEqual([403, 403])
    expect((await ask('/v1/sessions/one', { method: 'DELETE', headers: bearer('r') })).status).toBe(200)
    expect([await statusOf(own), await statusOf(shared)]).toEqual([403, 403])
  })
})

describe('/metrics', () => {
  it('sums operations and answers over all tenants, for keys of the operator alone', async () => {
    const keys = `red:${sha256('red')},blue:${sha256('blue')},ops:admin:${sha256('ops')}`
    const { ask, filter, telemetry } = await wired({ SPILLWAY_API_KEYS: keys })
    await filter(GO_TEST, bearer('red'))
    await filter(GO_TEST, bearer('blue'))
    await ask('/v1/outputs/o_none', { headers: bearer('red') })
    await ask('/no/such/path')
    expect((await ask('/metrics')).status).toBe(401)
    expect((await ask('/metrics', { headers: bearer('red') })).status).toBe(403)
    const response = await ask('/metrics', { headers: bearer('ops') })
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    const rows = (await response.text()).split('\n')
    expect(rows).toContain('spillway_operations_total{operation="filter",outcome="ok",family="go-test"} 2')
    expect(rows).toContain('spillway_http_answers_total{route="POST /v1/filter",status="200"} 2')
    expect(rows).toContain('spillway_http_answers_total{route="GET /v1/outputs/{id}",status="404"} 1')
    expect(rows).toContain('spillway_http_answers_total{route="GET /metrics",status="403"} 1')
    expect(rows).toContain('spillway_http_answers_total{route="none",status="404"} 1')
    expect(rows.join('\n')).not.toMatch(/red|blue|such/)
    expect(telemetry.events.map((event) => event.tenant)).toEqual(['red', 'blue'])
  })

  it('is there without a key where there are none', async () => {
    const { ask } = await wired()
    expect((await ask('/metrics')).status).toBe(200)
  })
})

const History = z.object({ messages: z.array(z.unknown()), report: z.record(z.string(), z.unknown()) })
const TextBlock = z.object({ type: z.string(), text: z.string() })
const Edits = z.object({ edits: z.array(z.object({ op: z.literal('replace'), path: z.string(), value: TextBlock })) })

describe('masking', () => {
  const image = (data: string) => ({
    type: 'image',
    source: { type: 'base64', media_type: 'image/png', data: data.repeat(2000) },
  })
  const look = (id: string, data: string) => [
    { role: 'assistant', content: [{ type: 'tool_use', id, name: 'screenshot', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: [image(data)] }] },
  ]
  const messages = [
    { role: 'user', content: 'Look.' },
    ...look('a', 'AAAA'),
    ...look('b', 'BBBB'),
    { role: 'assistant', content: 'Done.' },
  ]
  const policy = { maskMedia: true, toolProtectionThreshold: 0, minPrunableTokensThreshold: 1 }
  const post = (body: object) => ({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

  it('of an old image leaves a text, in the history and as an operation, and recall gives the image’s exact JSON', async () => {
    const { ask } = await wired()
    const whole = History.parse(await (await ask('/v1/mask', post({ messages, policy }))).json())
    const { edits } = Edits.parse(await (await ask('/v1/mask?return=edits', post({ messages, policy }))).json())
    expect(edits).toMatchObject([{ op: 'replace', path: '/messages/2/content/0/content/0', value: { type: 'text' } }])
    expect(applyOperations({ messages }, edits)).toEqual({ messages: whole.messages })
    const text = edits[0]?.value.text ?? ''
    expect(text).toMatch(/^<tool_output_masked /)
    const id = /o_[a-z]{32}/.exec(text)?.[0]
    expect(await (await ask(`/v1/outputs/${id}`)).text()).toBe(JSON.stringify(image('AAAA')))
  })

  it('is off where the environment says so, whatever the configuration and a request say', async () => {
    const { ask, telemetry } = await wired({ SPILLWAY_MASKING: 'off' }, 'mask: { enabled: true }')
    const reply = await ask('/v1/mask', post({ messages, policy: { ...policy, enabled: true } }))
    const { messages: back, report } = History.parse(await reply.json())
    expect(back).toEqual(messages)
    expect(report).toMatchObject({ reason: 'disabled', tokensSaved: 0 })
    expect(telemetry.events).toMatchObject([{ operation: 'mask', spills: 0 }])
  })
})

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
