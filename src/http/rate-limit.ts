/** Whether a request may go on; what to tell of the quota, as far as it is known. */
export interface RateVerdict {
  readonly allowed: boolean
  /** Seconds after which to ask again. */
  readonly retryAfter: number
  /** RateLimit fields, for the answer. */
  readonly fields: Readonly<Record<string, string>>
}

/** Counts requests by key: a tenant's name, or `''` for all whose sender isn't known. */
export interface RateLimiter {
  take(key: string): RateVerdict | Promise<RateVerdict>
}

export interface Rate {
  /** In one window. */
  readonly requests: number
  /** Length of a window. */
  readonly perSeconds: number
}

/**
 * Counts in memory, in windows that begin with a key's first request. Keys are tenants of the configuration, so memory is
 * bounded. The fields are those of draft-ietf-httpapi-ratelimit-headers-11.
 * @param now milliseconds since the epoch
 */
export function createRateLimiter({ requests, perSeconds }: Rate, now: () => number): RateLimiter {
  const windows = new Map<string, { start: number; count: number }>()
  const ms = perSeconds * 1000
  return {
    take(key) {
      const time = now()
      const known = windows.get(key)
      // A clock that was set back begins a window, too: else its keys would wait for the old time to come again.
      const current = known && time >= known.start && time < known.start + ms ? known : { start: time, count: 0 }
      windows.set(key, current)
      const allowed = current.count < requests
      if (allowed) current.count += 1
      const reset = Math.ceil((current.start + ms - time) / 1000)
      return {
        allowed,
        retryAfter: reset,
        fields: {
          'ratelimit-policy': `"requests";q=${requests};w=${perSeconds}`,
          ratelimit: `"requests";r=${requests - current.count};t=${reset}`,
        },
      }
    },
  }
}
