import type { RateLimiter } from '../http/rate-limit.ts'

/** As much of Cloudflare's rate limiting binding as is used. */
export interface RateLimitBinding {
  limit(options: { key: string }): Promise<{ success: boolean }>
}

/** The longest window that a binding has; it tells neither its own nor what is left. */
const LONGEST_WINDOW = 60

/** Limits by a binding, which counts per location. A binding that fails lets pass: it guards load, not outputs. */
export function createBindingLimiter(binding: RateLimitBinding): RateLimiter {
  return {
    async take(key) {
      const { success } = await binding.limit({ key: `tenant:${key}` }).catch(() => ({ success: true }))
      return { allowed: success, retryAfter: LONGEST_WINDOW, fields: {} }
    },
  }
}
