import { SCOPES, type Scope } from '../service/scopes.ts'
import { Problem } from './problem.ts'

/** An API key, known by its SHA-256 alone: the tenant whose outputs it reaches, and what it is good for. */
export interface ApiKey {
  readonly tenant: string
  readonly scopes: readonly Scope[]
  /** 32 bytes. */
  readonly digest: Uint8Array
}

/** Who asks, and what for they may. */
export type Identity = Pick<ApiKey, 'tenant' | 'scopes'>

/** The tenant of a server without keys. */
export const DEFAULT_TENANT = 'default'

/**
 * Whose request it is, by its bearer token. All keys are compared, each in constant time: neither the time nor the
 * answer tells how close a guess came.
 * @throws Problem 401
 */
export async function authenticate(request: Request, keys: readonly ApiKey[]): Promise<Identity> {
  if (keys.length === 0) return { tenant: DEFAULT_TENANT, scopes: SCOPES }
  const token = /^Bearer +([^\s]+) *$/i.exec(request.headers.get('authorization') ?? '')?.[1]
  if (token === undefined) throw unauthorized('Send an API key: authorization: Bearer KEY.', 'Bearer realm="spillway"')
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token)))
  let identity: Identity | null = null
  for (const key of keys) if (sameBytes(digest, key.digest)) identity ??= key
  if (identity !== null) return identity
  throw unauthorized('The API key is not known here.', 'Bearer realm="spillway", error="invalid_token"')
}

/** @throws Problem 403 where the key is not good for what a route does; `key`: any key is. */
export function requireScope(scope: Scope | 'key', { scopes }: Identity): void {
  if (scope === 'key' || scopes.includes(scope)) return
  throw new Problem('insufficient-scope', `The API key does not have the scope "${scope}", which this needs.`, {
    headers: { 'www-authenticate': `Bearer realm="spillway", error="insufficient_scope", scope="${scope}"` },
  })
}

function unauthorized(detail: string, challenge: string): Problem {
  return new Problem('unauthorized', detail, { headers: { 'www-authenticate': challenge } })
}

function sameBytes(left: Uint8Array, right: Uint8Array): boolean {
  let difference = left.length ^ right.length
  for (let i = 0; i < left.length; i += 1) difference |= (left[i] ?? 0) ^ (right[i] ?? 0)
  return difference === 0
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** Whether a host name, without its port, is this machine itself. IPv6 in brackets, as URLs have it. */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK.test(hostname.toLowerCase())
}

/**
 * Keeps web pages away from a server without keys: a page may send to a loopback address, and by a name of its own that
 * resolves to one it may read the answer.
 * @throws Problem 421 for a foreign host name, 403 for a foreign origin
 */
export function requireLoopback(request: Request): void {
  if (!isLoopback(new URL(request.url).hostname)) {
    throw new Problem(
      'misdirected-request',
      'Without API keys this server answers to localhost alone. Set SPILLWAY_API_KEYS.',
    )
  }
  const origin = request.headers.get('origin')
  if (origin !== null && !(URL.canParse(origin) && isLoopback(new URL(origin).hostname))) {
    throw new Problem('foreign-origin', 'Without API keys this server answers no other sites. Set SPILLWAY_API_KEYS.')
  }
}
