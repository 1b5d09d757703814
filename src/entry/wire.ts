import type { Hono } from 'hono'
import type { Environment } from '../config/environment.ts'
import { createApp } from '../http/app.ts'
import { createGate } from '../http/body.ts'
import { createLinks } from '../http/link-token.ts'
import { createRateLimiter, type RateLimiter } from '../http/rate-limit.ts'
import { createSpillway } from '../service/index.ts'
import type { TelemetrySink } from '../service/ports.ts'
import { defaultSettings, type Settings } from '../service/settings.ts'
import { outputKey } from '../store/key.ts'
import { createOutputStore, type Tier } from '../store/output-store.ts'
import { createSigner } from '../store/sign.ts'
import type { Counted } from '../telemetry/counted.ts'
import { createSeveralSinks } from '../telemetry/several.ts'
import { openGuard } from './guard.ts'
import { VERSION } from './version.ts'

/** What a runtime brings; the rest is the same everywhere. */
export interface Parts {
  readonly environment: Environment
  /** The operator's; the defaults where there is no configuration. */
  readonly settings?: Settings | undefined
  readonly secret: string
  /** The environment as it is, for the variables that the configuration names. */
  readonly variables: Readonly<Record<string, unknown>>
  readonly tiers: readonly Tier[]
  readonly telemetry: TelemetrySink
  /** What is counted for `/metrics`; without it there is none. */
  readonly counted?: Counted
  /** Bytes that one body may have, unless the environment says so. */
  readonly maxBody: number
  /** In the place of the one in memory. */
  readonly rate?: RateLimiter
  /** Milliseconds of a steady clock; left out where CPU time can't be seen. */
  readonly clock?: () => number
}

const DAY_MS = 86_400_000

/**
 * Puts the service together behind its HTTP face. Does no I/O.
 * @throws EnvironmentError for a variable that the configuration names and that is not set
 */
export function wire({ environment, secret, tiers, telemetry, counted, clock, ...parts }: Parts): Hono {
  const bytes = new TextEncoder().encode(secret)
  const given = parts.settings ?? defaultSettings
  // The environment's switches turn off what the configuration turns on, never the reverse.
  const settings: Settings = {
    ...given,
    filters: { ...given.filters, enabled: given.filters.enabled && environment.filters },
    mask: { ...given.mask, enabled: given.mask.enabled && environment.masking },
  }
  const { ttlMs } = settings.store
  const guard = openGuard(settings.guard, parts.variables)
  const spillway = createSpillway({
    settings,
    store: createOutputStore(tiers, { now: Date.now, ttlMs, ttlClass: `${Math.round(ttlMs / DAY_MS)}d` }),
    keyOf: (tenant, content, meta) => outputKey(bytes, tenant, content, meta),
    signer: createSigner(bytes, 'receipt'),
    telemetry: counted ? createSeveralSinks([counted, telemetry]) : telemetry,
    now: Date.now,
    ...(guard && { guard }),
    ...(clock ? { clock } : {}),
  })
  const rate = parts.rate ?? (settings.limits.rate ? createRateLimiter(settings.limits.rate, Date.now) : null)
  const maxBody = environment.maxBody ?? parts.maxBody
  return createApp(spillway, {
    version: VERSION,
    keys: environment.keys,
    corsOrigins: environment.corsOrigins,
    links: createLinks(createSigner(bytes, 'link'), Date.now),
    maxBody,
    // A body costs up to nine times its size while it is worked on: two full ones at a time are what a Worker holds.
    gate: createGate(2 * maxBody),
    limits: settings.limits,
    ...(counted && { metrics: counted.text, onAnswer: counted.answered }),
    ...(rate && { rate }),
    onError: (error) => console.error(error),
  })
}
