import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createTestHarness } from 'wrangler'
import { type MiniflareBindings, startMiniflare } from '../miniflare.ts'
import { bundle, ROOT } from './bundle.ts'

/** As much of a response as the suite reads: each runtime's client has a Response class of its own. */
export interface Answer {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  arrayBuffer(): Promise<ArrayBuffer>
}

export interface Ask {
  readonly method?: string
  readonly body?: string | Uint8Array<ArrayBuffer>
  readonly headers?: Readonly<Record<string, string>>
}

export interface Server {
  fetch(path: string, ask: Ask): Promise<Answer>
  stop(): Promise<void>
}

export const KEY = 'a-key-for-tests'
export const OTHER_KEY = 'the-key-of-another-tenant'
export const MAX_BODY = 1_000_000

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** The same on every runtime, so that ids and answers are the same too. */
export const VARIABLES = {
  SPILLWAY_SECRET: 'the same secret on every runtime, of some length',
  SPILLWAY_API_KEYS: `tests:${sha256(KEY)},${sha256(OTHER_KEY)}`,
  SPILLWAY_SEAL_KEYS: `suite:${btoa('k'.repeat(32))}`,
  SPILLWAY_MAX_BODY: String(MAX_BODY),
}

const TYPES = { type: 'text' } as const

export interface Spawned extends Server {
  readonly url: string
  /** The data folder. */
  readonly data: string
  readonly child: ChildProcess
  /** What was printed so far. */
  readonly printed: () => string
  /** Sends SIGTERM and gives the exit code. */
  end(): Promise<number | null>
}

/** Starts a server process on a free port, with a data folder of its own and no other environment. */
export async function spawnServer(
  command: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>>,
): Promise<Spawned> {
  const home = await mkdtemp(join(tmpdir(), 'spillway-'))
  const env = { PATH: process.env.PATH ?? '', HOME: home, SPILLWAY_DATA: join(home, 'data'), PORT: '0', ...variables }
  const child = spawn(command, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const exited = once(child, 'exit')
  let out = ''
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text
      const found = /listens on (http:\/\/\S+)/.exec(out)?.[1]
      if (found !== undefined) resolve(found)
    })
    exited.then(([code]) => reject(new Error(`${command} left with ${code}: ${errors}`)), reject)
  })
  async function end(): Promise<number | null> {
    child.kill('SIGTERM')
    const [code] = await exited
    return code
  }
  return {
    url,
    data: env.SPILLWAY_DATA,
    child,
    printed: () => out + errors,
    end,
    fetch: (path, ask) => fetch(`${url}${path}`, ask),
    async stop() {
      if (child.exitCode === null) await end()
      await rm(home, { recursive: true, force: true })
    },
  }
}

/** The binary itself: the wrapper script beside it would outlive a kill. */
const DENO = join(dirname(createRequire(import.meta.url).resolve('deno/package.json')), 'deno')
const DENO_FLAGS = ['--allow-net', '--allow-env', '--allow-read', '--allow-write', '--no-prompt', '--cached-only']

export const NODE_COMMAND = [process.execPath, ['src/entry/node.ts']] as const
export const DENO_COMMAND = [DENO, ['run', ...DENO_FLAGS, 'src/entry/deno.ts']] as const

export const startNode = () => spawnServer(...NODE_COMMAND, VARIABLES)
export const startDeno = () => spawnServer(...DENO_COMMAND, VARIABLES)

/** The bundled worker in workerd, with real local KV, R2 and Analytics Engine. */
export async function startWorkerd(
  variables: Readonly<Record<string, string>> = VARIABLES,
  more: MiniflareBindings = {},
): Promise<Server> {
  const { text } = await bundle('src/entry/worker.ts')
  const vars = Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, { ...TYPES, value }]))
  const worker = await startMiniflare({
    script: text,
    bindings: {
      OUTPUTS_KV: { type: 'kv' },
      OUTPUTS_R2: { type: 'r2' },
      TELEMETRY: { type: 'analytics-engine-dataset', name: 'spillway' },
      ...vars,
      ...more,
    },
  })
  return {
    fetch: (path, { method = 'GET', body, headers = {} }) =>
      worker.fetch(`http://spillway.test${path}`, { method, headers, ...(body === undefined ? {} : { body }) }),
    stop: () => worker.dispose(),
  }
}

/** The worker as wrangler.toml says, built by wrangler. */
export async function startWrangler(): Promise<Server> {
  const { SPILLWAY_MAX_BODY, ...secrets } = VARIABLES
  const harness = createTestHarness({
    root: ROOT,
    workers: [{ configPath: join(ROOT, 'wrangler.toml'), secrets, vars: { SPILLWAY_MAX_BODY } }],
  })
  await harness.listen()
  return {
    fetch: (path, { method = 'GET', body, headers = {} }) =>
      harness.fetch(path, { method, headers, ...(body === undefined ? {} : { body }) }),
    stop: () => harness.close(),
  }
}
