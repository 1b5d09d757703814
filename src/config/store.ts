import type { StoreSettings } from '../service/settings.ts'
import type { ConfigText } from './schema.ts'

type StoreText = NonNullable<ConfigText['store']>

const DAY = 86_400_000

/** The settings of `store`, over the defaults. */
export function buildStore(text: StoreText, defaults: StoreSettings): StoreSettings {
  const ttlMsByTenant = new Map<string, number>()
  for (const [tenant, { ttl_days: days }] of Object.entries(text.tenants ?? {}))
    if (days !== undefined) ttlMsByTenant.set(tenant, days * DAY)
  return {
    timeoutMs: text.timeout_ms ?? defaults.timeoutMs,
    ttlMs: text.ttl_days === undefined ? defaults.ttlMs : text.ttl_days * DAY,
    ttlMsByTenant,
    cacheBytes: text.cache_bytes ?? defaults.cacheBytes,
    maxBytes: text.max_bytes ?? defaults.maxBytes,
  }
}
