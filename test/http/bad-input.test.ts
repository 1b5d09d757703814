import { describe, expect, it } from 'vitest'
import { bytesOf, filterAnswerOf, problemOf, setUp, utf8 } from './ask.ts'

interface Case {
  readonly name: string
  readonly path?: string
  readonly body: string | Uint8Array<ArrayBuffer>
  readonly type?: string
  readonly status: number
  /** What the problem's detail has to say. */
  readonly says: string
  /** The field that it has to name. */
  readonly pointer?: string
}

const deep = (depth: number) => `{"messages":${'['.repeat(depth)}${']'.repeat(depth)}}`

const CASES: readonly Case[] = [
  { name: 'no JSON', body: '{"output": nope}', status: 400, says: 'not JSON' },
  { name: 'cut off JSON', body: '{"output": "x', status: 400, says: 'not JSON' },
  { name: 'an empty body', body: '', status: 400, says: 'empty' },
  { name: 'a body of white space', body: ' \n', status: 400, says: 'empty' },
  { name: 'an array', body: '[]', status: 400, says: 'has to be a JSON object' },
  { name: 'null', body: 'null', status: 400, says: 'has to be a JSON object' },
  { name: 'a wrong type', body: '{"output": 5}', status: 400, says: '/output', pointer: '/output' },
  {
    name: 'a wrong exit code',
    body: '{"output": "x", "exitCode": 1.5}',
    status: 400,
    says: '/exitCode',
    pointer: '/exitCode',
  },
  {
    name: 'no budget at all',
    body: '{"output": "x", "maxTokens": 0}',
    status: 400,
    says: '/maxTokens',
    pointer: '/maxTokens',
  },
  {
    name: 'neither output nor streams',
    body: '{"command": "ls"}',
    status: 400,
    says: 'either output',
    pointer: '/output',
  },
  {
    name: 'output and streams',
    body: '{"output": "a", "stdout": "b"}',
    status: 400,
    says: 'either output',
    pointer: '/output',
  },
  {
    name: 'an unknown key',
    body: '{"output": "x", "a/b~c": 1}',
    status: 400,
    says: 'is no known key',
    pointer: '/a~1b~0c',
  },
  {
    name: 'a key given twice',
    body: '{"output": "a", "output": "b"}',
    status: 400,
    says: '"output" is given twice',
    pointer: '/output',
  },
  {
    name: 'a key given twice, once escaped',
    body: '{"output": "a", "\\u006futput": "b"}',
    status: 400,
    says: 'given twice',
    pointer: '/output',
  },
  {
    name: '__proto__ as a key',
    body: '{"output": "x", "__proto__": {"a": 1}}',
    status: 400,
    says: 'is no known key',
    pointer: '/__proto__',
  },
  {
    name: 'invalid UTF-8 in JSON',
    body: new Uint8Array([...utf8('{"output":"'), 0xff, 0xc3, ...utf8('"}')]),
    status: 400,
    says: 'UTF-8',
  },
  { name: 'UTF-16', body: new Uint8Array([0xff, 0xfe, 0x7b, 0]), status: 400, says: 'UTF-8' },
  { name: 'nesting without end', path: '/v1/mask', body: deep(10_000), status: 400, says: 'deeper than 1000' },
  { name: 'brackets that never close', body: '['.repeat(90_000), status: 400, says: 'deeper than 1000' },
  {
    name: 'more than the limit',
    body: JSON.stringify({ output: 'x'.repeat(100_000) }),
    status: 413,
    says: '100000 bytes',
  },
  {
    name: 'no content type',
    body: utf8('{"output": "x"}'),
    type: '',
    status: 415,
    says: 'application/json or text/plain',
  },
  {
    name: 'a form',
    body: 'output=x',
    type: 'application/x-www-form-urlencoded',
    status: 415,
    says: 'application/json',
  },
  {
    name: 'text where JSON is needed',
    path: '/v1/mask',
    body: 'x',
    type: 'text/plain',
    status: 415,
    says: 'application/json.',
  },
  {
    name: 'an unknown format',
    path: '/v1/mask',
    body: '{"format": "nonsense", "messages": []}',
    status: 400,
    says: 'no known format; known are auto, pi, ai-sdk-ui,',
    pointer: '/format',
  },
  {
    name: 'no list',
    path: '/v1/mask',
    body: '{"format": "auto"}',
    status: 400,
    says: 'exactly one',
    pointer: '/messages',
  },
  {
    name: 'two lists',
    path: '/v1/mask',
    body: '{"messages": [], "input": []}',
    status: 400,
    says: 'exactly one',
    pointer: '/messages',
  },
  {
    name: 'a list that is none',
    path: '/v1/mask',
    body: '{"messages": {}}',
    status: 400,
    says: '/messages',
    pointer: '/messages',
  },
  {
    name: 'a policy that is none',
    path: '/v1/mask',
    body: '{"messages": [], "policy": 3}',
    status: 400,
    says: '/policy',
    pointer: '/policy',
  },
  {
    name: 'a text that is none',
    path: '/v1/tokens',
    body: '{"text": []}',
    status: 400,
    says: '/text',
    pointer: '/text',
  },
]

const QUERIES = [
  { name: 'an unknown parameter', path: '/v1/filter?maxToken=5', parameter: 'maxToken', says: 'no known parameter' },
  { name: 'a number that is none', path: '/v1/filter?exitCode=one', parameter: 'exitCode', says: 'whole number' },
  { name: 'an empty number', path: '/v1/filter?maxTokens=', parameter: 'maxTokens', says: '100 or more' },
  { name: 'a parameter given twice', path: '/v1/filter?tool=a&tool=b', parameter: 'tool', says: 'given twice' },
]

describe('bad input', () => {
  it.each(CASES)('$name is a problem that says so', async (each) => {
    const { post, spillway } = setUp()
    const response = await post(each.path ?? '/v1/filter', each.body, each.type ?? 'application/json')
    const problem = await problemOf(response)
    expect(problem.status).toBe(each.status)
    expect(problem.detail).toContain(each.says)
    if (each.pointer !== undefined) expect(problem.errors?.[0]?.pointer).toBe(each.pointer)
    expect(spillway.filtered).toEqual([])
  })

  it.each(QUERIES)('$name is a problem that names it', async (each) => {
    const { post } = setUp()
    const response = await post(each.path, 'text', 'text/plain')
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      errors: [{ parameter: each.parameter, detail: expect.stringContaining(each.says) }],
    })
  })

  it('counts a chunked body while it arrives, and reads no further than the limit', async () => {
    const { app } = setUp()
    let sent = 0
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1
        controller.enqueue(new Uint8Array(40_000))
      },
    })
    const request = new Request('http://localhost/v1/filter', {
      method: 'POST',
      body,
      headers: { 'content-type': 'text/plain' },
      duplex: 'half',
    } as RequestInit)
    const response = await app.fetch(request)
    expect(response.status).toBe(413)
    expect(sent).toBeLessThan(6)
  })

  it('takes a body that breaks off for a fault of the client', async () => {
    const seen: unknown[] = []
    const { app } = setUp({ onError: (error) => seen.push(error) })
    const body = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error('reset')) })
    const headers = { 'content-type': 'text/plain' }
    const request = new Request('http://localhost/v1/filter', {
      method: 'POST',
      body,
      headers,
      duplex: 'half',
    } as RequestInit)
    expect((await app.fetch(request)).status).toBe(400)
    expect(seen).toEqual([])
  })

  it('says the position of a fault in JSON where the runtime knows it', async () => {
    const { post } = setUp()
    const response = await post('/v1/filter', `{"output": "${'x'.repeat(100)}", }`)
    expect((await problemOf(response)).detail).toBe('The body is not JSON: see character 115.')
  })

  it('keeps what an inner failure says to itself', async () => {
    const seen: unknown[] = []
    const { spillway, postJson } = setUp({ onError: (error) => seen.push(error) })
    spillway.tokens = () => {
      throw new Error('at /home/someone/secret.ts')
    }
    const response = await postJson('/v1/tokens', { text: 'x' })
    expect(response.status).toBe(500)
    expect(await response.text()).not.toContain('secret')
    expect(seen).toHaveLength(1)
  })
})

describe('odd input that is fine', () => {
  it('an output of 0 bytes', async () => {
    const { postJson, post } = setUp()
    expect(await (await postJson('/v1/filter', { output: '' })).json()).toMatchObject({ output: '', filtered: false })
    const text = await post('/v1/filter', '', 'text/plain')
    expect(text.status).toBe(200)
    expect(await text.text()).toBe('')
  })

  it('a byte order mark before JSON', async () => {
    const { post } = setUp()
    const response = await post('/v1/filter', '\uFEFF{"output": "x"}')
    expect(await response.json()).toMatchObject({ output: 'x' })
  })

  it.each([
    ['a byte order mark', new Uint8Array([0xef, 0xbb, 0xbf, 0x61])],
    ['invalid UTF-8', new Uint8Array([0x61, 0xff, 0xc3, 0x28, 0xed, 0xa0, 0x80])],
    ['NUL and controls', new Uint8Array([0, 1, 2, 13, 10, 27])],
    ['a cut sequence at the end', new Uint8Array([0x61, 0xe2, 0x82])],
  ])('%s in a text comes back as the bytes that came in', async (_, bytes) => {
    const { post } = setUp()
    const response = await post('/v1/filter', bytes, 'text/plain')
    expect(response.headers.get('spillway-filtered')).toBe('false')
    expect(await bytesOf(response)).toEqual(bytes)
  })

  it('gives the service the raw bytes where a text is not UTF-8, and recall gives them back', async () => {
    const { post, ask, spillway } = setUp()
    const bytes = new Uint8Array([0xff, 10, 98, 10, 99, 10, 100, 10])
    const response = await post('/v1/filter', bytes, 'text/plain')
    expect(spillway.filtered[0]?.raw).toEqual(bytes)
    expect(response.headers.get('spillway-filtered')).toBe('true')
    const recalled = await ask(`/v1/outputs/${response.headers.get('spillway-output-id')}`)
    expect(await bytesOf(recalled)).toEqual(bytes)
  })

  it('lone surrogates in escapes are the same JSON string in the answer', async () => {
    const { post } = setUp()
    const response = await post('/v1/filter', '{"output":"a\\ud800b\\udc00"}')
    expect((await response.text()).startsWith('{"output":"a\\ud800b\\udc00",')).toBe(true)
  })

  it('ignores rules in a query too, and says so', async () => {
    const { post, spillway } = setUp()
    const text = await post('/v1/filter?rules=x&tool=t', 'one', 'text/plain')
    expect(text.status).toBe(200)
    expect(text.headers.get('spillway-warning')).toBe('"rules" is ignored: rules are set by the operator alone')
    const answer = await filterAnswerOf(await post('/v1/filter?filters=x', '{"output":"x"}'))
    expect(answer.warnings).toEqual(['"filters" is ignored: rules are set by the operator alone'])
    expect(spillway.filtered).toEqual([{ streams: { output: 'one' }, tool: 't' }, { streams: { output: 'x' } }])
    const tokens = await post('/v1/tokens?rules=x', '{"text":"abc","filters":{}}')
    expect(await tokens.json()).toEqual({ tokens: 3, warnings: [expect.stringContaining('rules'), expect.anything()] })
  })

  it('ignores rules in a request, and says so', async () => {
    const { postJson, spillway } = setUp()
    const answer = await filterAnswerOf(
      await postJson('/v1/filter', { output: 'x', rules: [{ match: '.*' }], filters: {} }),
    )
    expect(answer.warnings).toEqual([
      '"rules" is ignored: rules are set by the operator alone',
      '"filters" is ignored: rules are set by the operator alone',
    ])
    expect(spillway.filtered).toEqual([{ streams: { output: 'x' } }])
  })
})
