import type { OutputMeta } from '../service/ports.ts'
import { plainBytes } from './bytes.ts'

/** The deployment's secret: raw bytes, or a CryptoKey for HMAC with SHA-256. */
export type Secret = Uint8Array | CryptoKey

const HMAC = { name: 'HMAC', hash: 'SHA-256' }
const LETTERS = 'abcdefghijklmnop'
const KEY_LETTERS = 31
/** Tenant keys held a secret; a deployment with more tenants derives some anew. */
const CACHED_TENANTS = 1000

/** Settled keys alone, never promises: on Workers a promise belongs to the request that made it. */
const tenantKeys = new WeakMap<Secret, Map<string, CryptoKey>>()

/**
 * An output's key: 31 letters a-p, the first 124 bits of an HMAC-SHA-256 under the tenant's own secret, which is
 * HMAC(secret, `tenant:` + tenant). One output has one key within a tenant; nobody without the secret can compute it.
 * What is signed is a domain, kind, length of stdout, and the content's SHA-256: so a large content is not copied.
 * What is stored with a session's label has a key of its own, the same under every label: so that deleting sessions never
 * touches what was stored without one.
 */
export async function outputKey(
  secret: Secret,
  tenant: string,
  content: Uint8Array,
  meta: OutputMeta,
): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', plainBytes(content)))
  const labelled = meta.session === undefined ? '' : '\nlabelled'
  const message = new TextEncoder().encode(
    `spillway output 1\n${meta.kind}\n${meta.stdoutBytes ?? '-'}\n${letters(digest, 64)}${labelled}`,
  )
  const mac = await crypto.subtle.sign('HMAC', await tenantKey(secret, tenant), message)
  return letters(new Uint8Array(mac), KEY_LETTERS)
}

/** A session's label as a part of keys: 32 letters a-p of its SHA-256. Labels may be longer than a file's name, and private. */
export async function sessionSegment(session: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`spillway session 1\n${session}`))
  return letters(new Uint8Array(digest), 32)
}

/** The tenant's own secret, an HMAC key: HMAC(secret, `tenant:` + tenant). */
export async function tenantKey(secret: Secret, tenant: string): Promise<CryptoKey> {
  const keys = tenantKeys.get(secret) ?? new Map<string, CryptoKey>()
  tenantKeys.set(secret, keys)
  const cached = keys.get(tenant)
  if (cached) return cached
  const root = secret instanceof Uint8Array ? await importKey(plainBytes(secret)) : secret
  const key = await importKey(await crypto.subtle.sign('HMAC', root, new TextEncoder().encode(`tenant:${tenant}`)))
  if (keys.size >= CACHED_TENANTS) keys.clear()
  keys.set(tenant, key)
  return key
}

function importKey(bytes: ArrayBuffer | Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', bytes, HMAC, false, ['sign', 'verify'])
}

/** The first `count` nibbles, high ones first, each as a letter a-p. */
function letters(bytes: Uint8Array, count: number): string {
  let text = ''
  for (const byte of bytes) text += `${LETTERS[byte >>> 4]}${LETTERS[byte & 15]}`
  return text.slice(0, count)
}
