import type { Hono } from 'hono'
import type { Environment } from '../config/environment.ts'
import { createApp } from '../http/app.ts'
import { createGate } from '../http/body.ts'
import type { Sized } from '../http/body-out.ts'
import { createLinks } from '../http/link-token.ts'
import { createRateLimiter, type RateLimiter } from '../http/rate-limit.ts'
import { createSpillway } from '../service/index.ts'
import { StoreError, type TelemetrySink } from '../service/ports.ts'
import { defaultSettings, type Settings, type StoreSettings } from '../service/settings.ts'
import { createCachedBlobs } from '../store/cached.ts'
import { outputKey } from '../store/key.ts'
import { createOutputStore, type Lifetime, type Tier } from '../store/output-store.ts'
import { createSealer } from '../store/seal.ts'
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
  /** Stored bytes held in memory before the tiers, unless the settings say so; none where it is left out. */
  readonly cacheBytes?: number
  readonly telemetry: TelemetrySink
  /** What is counted for `/metrics`; without it there is none. */
  readonly counted?: Counted
  /** Bytes that one body may have, unless the environment says so. */
  readonly maxBody: number
  /** In the place of the one in memory. */
  readonly rate?: RateLimiter
  /** How a body of known length is sent, where that is not simply the stream. */
  readonly sized?: Sized
  /** Milliseconds of a steady clock; left out where CPU time can't be seen. */
  readonly clock?: () => number
}

const DAY_MS = 86_400_000

/** The store of outputs: sealed where there are keys for it, behind a cache where there is room for one. */
function openStore({ sealKeys }: Environment, tiers: readonly Tier[], cacheBytes: number, settings: StoreSettings) {
  const maxBytes = Math.floor((settings.cacheBytes ?? cacheBytes) / tiers.length)
  const cached = tiers.map((tier) => ({ ...tier, blobs: createCachedBlobs(tier.blobs, { maxBytes, now: Date.now }) }))
  return createOutputStore(maxBytes === 0 ? tiers : cached, {
    ...lifetimeOf(settings.ttlMs),
    lifetimes: new Map(Array.from(settings.ttlMsByTenant, ([tenant, ttlMs]) => [tenant, lifetimeOf(ttlMs)])),
    now: Date.now,
    sealer: sealKeys.length === 0 ? null : createSealer(sealKeys),
  })
}

/** Each class of keys has one time to live: R2 expires by prefix. */
function lifetimeOf(ttlMs: number): Lifetime {
  return { ttlMs, ttlClass: `${Math.round(ttlMs / DAY_MS)}d` }
}

/**
 * Puts the service together behind its HTTP face. Does no I/O.
 * @throws EnvironmentError for a variable that the configuration names and that is not set
 */
export function wire({ environment, secret, telemetry, counted, clock, ...parts }: Parts): Hono {
  const bytes = new TextEncoder().encode(secret)
  const given = parts.settings ?? defaultSettings
  // The environment's switches turn off what the configuration turns on, never the reverse.
  const settings: Settings = {
    ...given,
    filters: { ...given.filters, enabled: given.filters.enabled && environment.filters },
    mask: { ...given.mask, enabled: given.mask.enabled && environment.masking },
  }
  const guard = openGuard(settings.guard, parts.variables)
  const spillway = createSpillway({
    settings,
    store: openStore(environment, parts.tiers, parts.cacheBytes ?? 0, settings.store),
    keyOf: (tenant, content, meta) => outputKey(bytes, tenant, content, meta),
    telemetry: counted ? createSeveralSinks([counted, telemetry]) : telemetry,
    // Where outputs may go before they expire, only the store itself can vouch for them.
    ...(settings.store.maxBytes === null && { signer: createSigner(bytes, 'receipt') }),
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
    ...(parts.sized && { sized: parts.sized }),
    // A store's failure is told by its message; where in the code it came up tells nothing more.
    onError: (error, requestId) =>
      console.error(`request ${requestId}:`, error instanceof StoreError ? error.message : error),
  })
}
