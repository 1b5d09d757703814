import type { Hono } from 'hono'
import { EnvironmentError, parseEnvironment } from '../config/environment.ts'
import { ConfigError } from '../config/fault.ts'
import { parseConfig } from '../config/settings.ts'
import { Problem, problemResponse } from '../http/problem.ts'
import { createKvBlobs, type KvBinding } from '../store/kv.ts'
import type { Tier } from '../store/output-store.ts'
import { createR2Blobs, type R2Binding } from '../store/r2.ts'
import { createAnalyticsEngineSink, type Dataset } from '../telemetry/analytics-engine.ts'
import { createBindingLimiter, type RateLimitBinding } from './rate-binding.ts'
import { VERSION } from './version.ts'
import { wire } from './wire.ts'

/** Bindings of wrangler.toml; the variables of config/environment.ts come beside them. */
export interface Bindings {
  readonly OUTPUTS_KV?: KvBinding
  readonly OUTPUTS_R2?: R2Binding
  readonly TELEMETRY?: Dataset
  readonly RATE_LIMIT?: RateLimitBinding
}

/** Workers' own: breaks off where it is not given so many bytes. */
declare const FixedLengthStream: new (length: number) => ReadableWritablePair<Uint8Array, Uint8Array>

const MAX_BODY = 4 * 1024 * 1024
/** Of an isolate's 128 MB. */
const CACHE_BYTES = 4 * 1024 * 1024
/** Outputs up to this size go to KV where R2 is bound too: quick to read, but a fresh write may be seen late. */
const KV_MAX_BYTES = 16 * 1024

/** One app an isolate: its bindings don't change while it lives. */
const apps = new WeakMap<Bindings, Promise<Hono>>()

/**
 * The worker.
 * @param config the text of the operator's configuration, where it is too large for the variable SPILLWAY_CONFIG
 */
export function createWorker(config: string | null = null) {
  return {
    async fetch(request: Request, bindings: Bindings): Promise<Response> {
      try {
        const app = apps.get(bindings) ?? open(bindings, config)
        apps.set(bindings, app)
        return await (await app).fetch(request)
      } catch (error) {
        if (error instanceof ConfigError) {
          // What the configuration says is the operator's to see, not every caller's.
          console.error(error.message)
          return problemResponse(new Problem('not-configured', 'The configuration is not valid: the log says where.'))
        }
        if (!(error instanceof EnvironmentError)) throw error
        return problemResponse(new Problem('not-configured', error.faults.join(' ')))
      }
    },
  }
}

export default createWorker()

/** @throws EnvironmentError that says what to set, ConfigError that says where the configuration is wrong */
async function open(bindings: Bindings, module: string | null): Promise<Hono> {
  const environment = parseEnvironment({ ...bindings })
  const { secret, keys } = environment
  const tiers = tiersOf(bindings)
  const faults = []
  if (keys.length === 0) faults.push('Set SPILLWAY_API_KEYS: wrangler secret put SPILLWAY_API_KEYS.')
  if (secret === null) faults.push('Set SPILLWAY_SECRET: openssl rand -hex 32 | wrangler secret put SPILLWAY_SECRET.')
  if (tiers.length === 0) faults.push('Bind OUTPUTS_R2 or OUTPUTS_KV in wrangler.toml.')
  if (module !== null && environment.config !== null) {
    faults.push('SPILLWAY_CONFIG is set, and a configuration is built in: keep one of them.')
  }
  if (faults.length > 0 || secret === null) throw new EnvironmentError(faults)
  const text = module ?? environment.config
  const config = text === null ? null : await parseConfig(text, module === null ? 'SPILLWAY_CONFIG' : 'configuration')
  if (config?.settings.limits.rate) {
    throw new EnvironmentError([
      'limits.rate counts in memory, which on Workers no two requests surely share: leave it out, and bind RATE_LIMIT in wrangler.toml.',
    ])
  }
  return wire({
    environment,
    variables: { ...bindings },
    settings: config?.settings,
    secret,
    tiers,
    ...(bindings.RATE_LIMIT && { rate: createBindingLimiter(bindings.RATE_LIMIT) }),
    cacheBytes: CACHE_BYTES,
    telemetry: bindings.TELEMETRY
      ? createAnalyticsEngineSink(bindings.TELEMETRY, { runtime: 'workers', version: VERSION })
      : { record() {} },
    maxBody: MAX_BODY,
    // Without it a stream goes out in chunks, and its length is not told.
    sized: (body, length) => body.pipeThrough(new FixedLengthStream(length)),
  })
}

function tiersOf({ OUTPUTS_KV, OUTPUTS_R2 }: Bindings): Tier[] {
  const kv = OUTPUTS_KV && createKvBlobs(OUTPUTS_KV)
  const r2 = OUTPUTS_R2 && createR2Blobs(OUTPUTS_R2)
  if (kv && r2) return [{ blobs: kv, maxBytes: KV_MAX_BYTES }, { blobs: r2 }]
  return [kv, r2].flatMap((blobs) => (blobs ? [{ blobs }] : []))
}
