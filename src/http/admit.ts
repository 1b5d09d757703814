import { type Identity, requireScope } from './auth.ts'
import { Problem } from './problem.ts'
import type { RateLimiter, RateVerdict } from './rate-limit.ts'
import type { Route } from './route.ts'

/** A request that may go on: whose it is, and what its answer says of the tenant's quota. */
export interface Admitted {
  /** Empty for open routes. */
  readonly tenant: string
  readonly fields: RateVerdict['fields']
}

/** Requests whose sender isn't known share one quota; no tenant has this name. */
const UNKNOWN_SENDER = ''

/**
 * Lets a request go on, or says why not: who sent it, how many came before it, what it may do, in this order and before
 * its body is read. Nobody without a key makes the server hold bytes.
 * @param identify throws Problem 401 or 403 for a sender who isn't known
 * @throws Problem 401, 403, 429
 */
export async function admit(
  scope: Route['scope'],
  rate: RateLimiter | undefined,
  identify: () => Promise<Identity>,
): Promise<Admitted> {
  if (scope === 'open') return { tenant: '', fields: {} }
  let identity: Identity
  try {
    identity = await identify()
  } catch (error) {
    await count(rate, UNKNOWN_SENDER)
    throw error
  }
  const fields = await count(rate, identity.tenant)
  requireScope(scope, identity)
  return { tenant: identity.tenant, fields }
}

/** @throws Problem 429 */
async function count(rate: RateLimiter | undefined, key: string): Promise<RateVerdict['fields']> {
  const verdict = await rate?.take(key)
  if (verdict === undefined || verdict.allowed) return verdict?.fields ?? {}
  throw new Problem('too-many-requests', `Too many requests. Ask again in ${verdict.retryAfter} seconds.`, {
    headers: { 'retry-after': String(verdict.retryAfter), ...verdict.fields },
  })
}
