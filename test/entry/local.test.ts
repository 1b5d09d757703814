import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSecret } from '../../src/entry/secret.ts'
import { ROOT } from '../runtime/bundle.ts'
import { DENO_COMMAND, NODE_COMMAND, type Spawned, spawnServer } from '../runtime/servers.ts'
import { GO_TEST } from '../runtime/suite.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spillway-entry-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const filter = (server: Spawned, text: string) =>
  server.fetch('/v1/filter?command=go%20test', {
    method: 'POST',
    body: text,
    headers: { 'content-type': 'text/plain' },
  })

describe.each([
  ['node', NODE_COMMAND],
  ['deno', DENO_COMMAND],
] as const)('the %s entry', (name, [command, args]) => {
  it('prints its address and a line that can be pasted, which works', async () => {
    const server = await spawnServer(command, args, {})
    const line =
      server
        .printed()
        .split('\n')
        .find((each) => each.startsWith('Try: '))
        ?.slice(5) ?? ''
    expect(line).toContain(`${server.url}/v1/filter`)
    const pasted = line.replace(/^[^|]*\|[^|]*\|/, 'printf "one\\ntwo\\n" |')
    const { stdout } = await promisify(execFile)('sh', ['-c', pasted])
    expect(stdout).toBe('one\ntwo\n')
    await server.stop()
  })

  it('keeps its outputs and its secret over a restart', async () => {
    const variables = { SPILLWAY_DATA: join(folder, name) }
    const first = await spawnServer(command, args, variables)
    const id = (await filter(first, GO_TEST)).headers.get('spillway-output-id')
    expect(await first.end()).toBe(0)
    const { mode } = await stat(join(folder, name, 'secret'))
    expect(mode & 0o777).toBe(0o600)
    const second = await spawnServer(command, args, variables)
    const recalled = await second.fetch(`/v1/outputs/${id}`, {})
    expect(new TextDecoder().decode(await recalled.arrayBuffer())).toBe(GO_TEST)
    expect((await filter(second, GO_TEST)).headers.get('spillway-output-id')).toBe(id)
    await second.stop()
  })

  it('counts, and records one line of JSON an operation, without content or command', async () => {
    const server = await spawnServer(command, args, {})
    await filter(server, GO_TEST)
    const metrics = await server.fetch('/metrics', {})
    expect(new TextDecoder().decode(await metrics.arrayBuffer())).toContain(
      'spillway_operations_total{operation="filter",outcome="ok",family="go-test"} 1\n',
    )
    await server.end()
    const lines = server
      .printed()
      .split('\n')
      .filter((line) => line.startsWith('{'))
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        operation: 'filter',
        route: 'POST /v1/filter',
        outcome: 'ok',
        family: 'go-test',
        tenant: 'default',
        runtime: name,
        spills: 1,
      }),
    ])
    expect(server.printed()).not.toContain('parse_test.go')
    await server.stop()
  })

  it('finishes what it has begun after SIGTERM, takes nothing new, and leaves with 0', async () => {
    const server = await spawnServer(command, args, {})
    const { port } = new URL(server.url)
    // A request whose body is still on its way when the signal comes.
    const socket = connect(Number(port), '127.0.0.1')
    let answer = ''
    socket.setEncoding('latin1').on('data', (text: string) => {
      answer += text
    })
    const head = 'POST /v1/filter HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: 6\r\n\r\n'
    await new Promise<void>((resolve) => socket.write(`${head}abc`, () => resolve()))
    // An answer to a later request says that the earlier one has arrived.
    await server.fetch('/healthz', { headers: { connection: 'close' } })
    const left = server.end()
    await expect.poll(() => isTurnedAway(server.url), { timeout: 10_000 }).toBe(true)
    socket.write('def')
    expect(await left).toBe(0)
    expect(answer).toMatch(/^HTTP\/1\.1 200 /)
    expect(answer).toContain('abcdef')
    await server.stop()
  })

  it('gives up a body that is too slow', async () => {
    const config = join(folder, `${name}.yaml`)
    await writeFile(config, 'limits: { body_timeout_ms: 200 }')
    const server = await spawnServer(command, args, { SPILLWAY_CONFIG: config })
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    let answer = ''
    socket.setEncoding('latin1').on('data', (text: string) => {
      answer += text
    })
    const closed = once(socket, 'close')
    socket.write(
      'POST /v1/filter HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: 60\r\n\r\nabc',
    )
    await expect.poll(() => answer, { timeout: 10_000 }).toContain('urn:problem:spillway:request-timeout')
    expect(answer).toMatch(/^HTTP\/1\.1 408 /)
    // Deno drops what has come of the body, but leaves it to the client to close.
    if (name === 'deno') socket.destroy()
    await closed
    await server.stop()
  })

  it('says that its port is taken', async () => {
    const server = await spawnServer(command, args, {})
    const { port } = new URL(server.url)
    const failure: unknown = await spawnServer(command, args, { PORT: port }).catch((error: unknown) => error)
    expect(String(failure)).toMatch(/left with 1: .*\n?PORT is in use/s)
    await server.stop()
  })

  it.each([
    [{ HOST: '0.0.0.0' }, 'set SPILLWAY_API_KEYS'],
    [{ SPILLWAY_CORS_ORIGINS: 'https://a.example' }, 'without which other sites are refused'],
    [{ PORT: 'eighty' }, 'PORT is "eighty"'],
    [{ SPILLWAY_DATA: 'data' }, 'SPILLWAY_DATA is "data"; it has to be an absolute path'],
    [{ SPILLWAY_DATA: join(ROOT, 'package.json/data') }, 'file store'],
    [{ HOST: 'nowhere.invalid', SPILLWAY_API_KEYS: '0f'.repeat(32) }, 'HOST is no address of this machine'],
    [{ HOST: '203.0.113.7', SPILLWAY_API_KEYS: '0f'.repeat(32) }, 'HOST is no address of this machine'],
  ])('does not start with %o, and says why', async (variables, says) => {
    const failure: unknown = await spawnServer(command, args, variables).catch((error: unknown) => error)
    expect(String(failure)).toContain('left with 1')
    expect(String(failure)).toContain(says)
  })
})

/** Whether a new request finds no server, or one that says that it is leaving. */
async function isTurnedAway(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/healthz`, { headers: { connection: 'close' } }).catch(() => null)
  return answer === null || answer.status === 503
}

describe('openSecret', () => {
  it('makes one secret, however many processes start at once', async () => {
    const data = join(folder, 'together')
    const secrets = await Promise.all(Array.from({ length: 8 }, () => openSecret(data)))
    expect(new Set(secrets).size).toBe(1)
    expect(await readFile(join(data, 'secret'), 'utf8')).toBe(`${secrets[0]}\n`)
    expect(secrets[0]).toMatch(/^[0-9a-f]{64}$/)
  })
})
