import { join } from 'node:path'
import { setInterval } from 'node:timers'
import type { Hono } from 'hono'
import { type Environment, EnvironmentError, parseEnvironment } from '../config/environment.ts'
import { isLoopback } from '../http/auth.ts'
import { defaultSettings } from '../service/settings.ts'
import { openFileBlobs } from '../store/file.ts'
import { createCountedSink } from '../telemetry/counted.ts'
import { createJsonLinesSink } from '../telemetry/json-lines.ts'
import { openConfig, projectFileWarnings } from './config-file.ts'
import { openSecret } from './secret.ts'
import { VERSION } from './version.ts'
import { wire } from './wire.ts'

const MAX_BODY = 64 * 1024 * 1024
const CACHE_BYTES = 16 * 1024 * 1024
const SWEEP_EVERY_MS = 60 * 60 * 1000

/** How long requests may take to finish after a signal, in milliseconds. */
export const DRAIN_MS = 10_000

/** A server on one's own machine: what Node and Deno share. */
export interface Local {
  readonly app: Hono
  readonly environment: Environment
  /** What to print once the server listens. @param port the one in use: PORT may be 0 */
  greeting(port: number): string
}

/**
 * Reads the environment and the configuration, and opens the file store.
 * @throws EnvironmentError, ConfigError, StoreError
 */
export async function openLocal(
  runtime: 'node' | 'deno',
  variables: Record<string, string | undefined>,
): Promise<Local> {
  const environment = parseEnvironment(variables)
  const { host, keys, data, corsOrigins } = environment
  const hostname = host.includes(':') ? `[${host}]` : host
  if (keys.length === 0 && !isLoopback(hostname)) {
    throw new EnvironmentError([
      `HOST is ${JSON.stringify(host)}, which others reach: set SPILLWAY_API_KEYS, or HOST=127.0.0.1.`,
    ])
  }
  const foreign = corsOrigins.filter((origin) => !isLoopback(new URL(origin).hostname))
  if (keys.length === 0 && foreign.length > 0) {
    throw new EnvironmentError([
      `SPILLWAY_CORS_ORIGINS has ${foreign.join(', ')}: set SPILLWAY_API_KEYS, without which other sites are refused.`,
    ])
  }
  if (data === null) throw new EnvironmentError(['There is no home folder: set SPILLWAY_DATA to a folder for outputs.'])
  const config = await openConfig(environment)
  // npm runs scripts in the package's folder, and tells of the one it was called in.
  for (const folder of new Set([process.cwd(), process.env.INIT_CWD ?? process.cwd()]))
    for (const warning of await projectFileWarnings(folder)) console.error(warning)
  const blobs = await openFileBlobs(join(data, 'outputs'), Date.now, {
    maxBytes: (config?.settings ?? defaultSettings).store.maxBytes,
    warn: (words) => console.error(words),
  })
  // A sweep that fails is made again an hour later; a disk that fails is told by every put.
  setInterval(() => void blobs.sweep().catch(() => {}), SWEEP_EVERY_MS).unref()
  const app = wire({
    environment,
    variables,
    settings: config?.settings,
    secret: environment.secret ?? (await openSecret(data)),
    tiers: [{ blobs }],
    cacheBytes: CACHE_BYTES,
    telemetry: createJsonLinesSink((line) => console.error(line), { runtime, version: VERSION }, Date.now),
    counted: createCountedSink(),
    maxBody: MAX_BODY,
    clock: () => performance.now(),
  })
  const key = keys.length === 0 ? '' : ` -H "authorization: Bearer $SPILLWAY_API_KEY"`
  return {
    app,
    environment,
    greeting(port) {
      const url = `http://${hostname}:${port}`
      return [
        `Spillway ${VERSION} listens on ${url}`,
        `Try: git log -p | head -n 2000 | curl -sS --data-binary @- -H "content-type: text/plain"${key} "${url}/v1/filter?command=git%20log%20-p"`,
      ].join('\n')
    },
  }
}

/** Says what is wrong with a start, in words where they were written for that. */
export function startFailure(error: unknown): string {
  const known = error instanceof Error && /^(?:Environment|Config|Store)Error$/.test(error.name)
  const words = known ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error)
  return `Spillway does not start.\n${listenFailure(error) ?? words}`
}

/** What to set where an address can't be listened on; null for other errors. Deno names some without a code. */
function listenFailure(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  const code = 'code' in error ? error.code : error.name
  if (code === 'EADDRINUSE' || code === 'AddrInUse') {
    return 'PORT is in use by another process: set another one, or 0 for any that is free.'
  }
  if (code === 'EACCES' && error.message.startsWith('listen ')) {
    return 'PORT may not be used by this user: set one of 1024 or more.'
  }
  const unresolved = code === 'ENOTFOUND' || code === 'EAI_AGAIN' || /^failed to lookup address/.test(error.message)
  if (unresolved || code === 'EADDRNOTAVAIL') {
    return 'HOST is no address of this machine: set one that it has, 127.0.0.1 for itself alone, or 0.0.0.0 for all.'
  }
  return null
}
