import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { parseConfig } from '../../src/config/settings.ts'
import { openGuard } from '../../src/entry/guard.ts'
import { createHttpGuard } from '../../src/guard/http.ts'
import { createSpillway } from '../../src/service/index.ts'

const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

interface Question {
  readonly path: string
  readonly method: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** A server on this machine; what it is asked is noted. */
async function serve(answer: (question: Question, response: ServerResponse) => void) {
  const asked: Question[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    const question = { path: request.url ?? '', method: request.method ?? '', headers: request.headers, body }
    asked.push(question)
    answer(question, response)
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`, asked }
}

const json = (value: unknown) => (_: Question, response: ServerResponse) => {
  response.setHeader('content-type', 'application/json').end(JSON.stringify(value))
}
const ask = (url: string, text = 'the text', timeoutMs = 5000) =>
  createHttpGuard({ url, headers: { authorization: 'Bearer of-the-operator' }, timeoutMs, fetch }).judge(text, 'raw', {
    tool: 'bash',
  })

describe('a guard behind HTTP', () => {
  it('is sent the text, its stage and its tool, with the headers of the operator', async () => {
    const { url, asked } = await serve(json({ action: 'allow', more: 1 }))
    expect(await ask(`${url}/judge?v=1`, 'ünï\ud800')).toEqual({ action: 'allow' })
    expect(asked).toEqual([
      {
        path: '/judge?v=1',
        method: 'POST',
        headers: expect.objectContaining({
          authorization: 'Bearer of-the-operator',
          'content-type': 'application/json',
        }),
        body: JSON.stringify({ text: 'ünï\ud800', stage: 'raw', tool: 'bash' }),
      },
    ])
  })

  it.each([
    [
      { action: 'redact', text: '', reason: 'all of it' },
      { action: 'redact', text: '', reason: 'all of it' },
    ],
    [
      { action: 'redact', text: 'a longer text than it was' },
      { action: 'redact', reason: 'by 127.0.0.1' },
    ],
    [
      { action: 'block', reason: ' no ' },
      { action: 'block', reason: 'no' },
    ],
    [
      { action: 'block', reason: 'x'.repeat(500) },
      { action: 'block', reason: 'x'.repeat(200) },
    ],
    [{ action: 'block' }, { action: 'block', reason: 'by 127.0.0.1' }],
  ])('may answer %o', async (answer, verdict) => {
    const { url } = await serve(json(answer))
    const given = await ask(url)
    const reason = 'reason' in given ? given.reason.replace(/:\d+$/, '') : undefined
    expect({ ...given, reason }).toMatchObject(verdict)
  })

  it.each<[string, (question: Question, response: ServerResponse) => void]>([
    ['no JSON', (_, response) => response.end('<html>all is well</html>')],
    ['nothing', (_, response) => response.end()],
    ['another JSON', json({ verdict: 'allow' })],
    ['a redaction without a text', json({ action: 'redact' })],
    ['no UTF-8', (_, response) => response.end(Buffer.from('7b22616374696f6e223a22616c6c6f77ff227d', 'hex'))],
    ['an allow with a status that says failure', (_, response) => response.writeHead(500).end('{"action":"allow"}')],
    ['an answer far longer than the question', json({ action: 'redact', text: 'x'.repeat(70_000) })],
    [
      'an answer without end',
      (_, response) => {
        const more = () => response.write('x'.repeat(10_000))
        response.on('drain', more)
        for (let i = 0; i < 30 && more(); i += 1);
      },
    ],
    ['a hang-up', (_, response) => response.destroy()],
    ['a redirect to itself', (_, response) => response.writeHead(307, { location: '/' }).end()],
    ['a redirect that loses the question', (_, response) => response.writeHead(303, { location: '/ok' }).end()],
    ['a redirect to nowhere', (_, response) => response.writeHead(308).end()],
  ])('that answers with %s gives no verdict', async (_, answer) => {
    const { url } = await serve(answer)
    await expect(ask(url)).rejects.toThrow()
  })

  it('that does not answer in time gives no verdict', async () => {
    const { url } = await serve(() => {})
    await expect(ask(url, 'text', 30)).rejects.toThrow(/timeout/)
  })

  it('may redirect within its own origin, and nowhere else', async () => {
    const moved = (to: string) =>
      serve((question, response) => {
        if (question.path === '/new') json({ action: 'allow' })(question, response)
        else response.writeHead(308, { location: to }).end()
      })
    const { url, asked } = await moved('/new')
    expect(await ask(url)).toEqual({ action: 'allow' })
    expect(asked.map(({ path, method, body }) => [path, method, body.length > 0])).toEqual([
      ['/', 'POST', true],
      ['/new', 'POST', true],
    ])
    const other = await moved('/new')
    await expect(ask((await moved(`${other.url}/new`)).url)).rejects.toThrow('another origin')
    expect(other.asked).toEqual([])
  })
})

describe('a guard of the configuration', () => {
  const caller = { tenant: 'acme', route: '/v1/filter' }
  const configured = async (yaml: string, variables: Record<string, unknown> = {}) => {
    const { settings } = await parseConfig(yaml, 'settings.yaml')
    const guard = openGuard(settings.guard, variables)
    return createSpillway({ settings, ...(guard && { guard }) })
  }

  it('is asked with the values of the variables that the headers name', async () => {
    const { url, asked } = await serve(json({ action: 'block', reason: 'no' }))
    const spillway = await configured(`guard: { http: { url: "${url}", headers: { x-key: GUARD_KEY } } }`, {
      GUARD_KEY: ' k1\n',
    })
    const reply = await spillway.filter({ streams: { output: 'a' }, tool: 'bash' }, caller)
    expect(reply.streams).toEqual({ output: '[blocked: no]' })
    expect(asked[0]?.headers['x-key']).toBe('k1')
  })

  it.each([
    [undefined, 'GUARD_KEY is not set; guard.http.headers has it for the value of x-key.'],
    ['two\nlines', "GUARD_KEY can't be the value of the header x-key"],
  ])('is no guard without them: %o', async (GUARD_KEY, message) => {
    const yaml = 'guard: { http: { url: "https://guard.internal", headers: { x-key: GUARD_KEY } } }'
    await expect(configured(yaml, { GUARD_KEY })).rejects.toThrow(message)
  })

  it.each(['open', 'closed'])('that is not there fails %s, while secrets are redacted all the same', async (mode) => {
    const yaml = `guard: { secrets: redact, http: { url: "http://127.0.0.1:1", fail_mode: ${mode} } }`
    const password = 'hunter2'
    const reply = await (await configured(yaml)).filter({ streams: { output: `ftp://me:${password}@host/` } }, caller)
    if (mode === 'closed') expect(reply.streams).toEqual({ output: '[blocked: the guard failed: 127.0.0.1:1]' })
    else {
      expect(reply.streams).toEqual({ output: 'ftp://me:[redacted: url-password]@host/' })
      expect(reply.warnings).toEqual([
        'guard-failed: the result was not judged by 127.0.0.1:1',
        'redacted: url-password',
      ])
    }
  })

  it('may block what has a secret in it; without one of the keys nothing is judged', async () => {
    const output = 'ftp://me:hunter2@host/'
    const blocking = await configured('guard: { secrets: block }')
    expect((await blocking.filter({ streams: { output } }, caller)).streams).toEqual({
      output: '[blocked: secrets: url-password]',
    })
    const plain = await configured('guard: { fail_mode: closed }')
    expect((await plain.filter({ streams: { output } }, caller)).streams).toEqual({ output })
  })
})
