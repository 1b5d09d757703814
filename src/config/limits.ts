import type { LimitSettings } from '../service/settings.ts'
import type { ConfigText } from './schema.ts'

/** The settings of `limits`, over the defaults. */
export function buildLimits(text: NonNullable<ConfigText['limits']>, defaults: LimitSettings): LimitSettings {
  return {
    maxMessages: text.max_messages ?? defaults.maxMessages,
    bodyTimeoutMs: text.body_timeout_ms ?? defaults.bodyTimeoutMs,
    rate: text.rate ? { requests: text.rate.requests, perSeconds: text.rate.per_seconds } : defaults.rate,
  }
}
