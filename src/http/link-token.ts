import { ID_PATTERN } from '../engine/marker.ts'

/** Makes and reads the tokens of recall-only links. */
export interface Links {
  /** A token that opens one output of a tenant until `expiresAt`, in whole seconds since the epoch. */
  sign(tenant: string, id: string, expiresAt: number): Promise<string>
  /** The tenant whose output `id` a token opens now; null for one that is forged, expired, or another output's. */
  open(token: string, id: string): Promise<string | null>
  /** Milliseconds since the epoch. */
  now(): number
}

const HMAC = { name: 'HMAC', hash: 'SHA-256' }
/** Not the prefix of tenants' secrets, nor of anything else that derives from the deployment's secret. */
const DOMAIN = 'spillway link 1'
const VERSION = '1'

/**
 * Tokens are `payload.mac`, both base64url: the payload says version, expiry, id and tenant, the MAC is HMAC-SHA-256 of
 * it under a key of its own that derives from the deployment's secret. Nothing of a token is kept on the server.
 * @param now milliseconds since the epoch
 */
export function createLinks(secret: Uint8Array<ArrayBuffer>, now: () => number): Links {
  /** A settled key, never a promise: on Workers a promise belongs to the request that made it. */
  let cached: CryptoKey | undefined

  async function linkKey(): Promise<CryptoKey> {
    if (cached) return cached
    const root = await crypto.subtle.importKey('raw', secret, HMAC, false, ['sign'])
    const derived = await crypto.subtle.sign('HMAC', root, new TextEncoder().encode(DOMAIN))
    cached = await crypto.subtle.importKey('raw', derived, HMAC, false, ['sign', 'verify'])
    return cached
  }

  return {
    now,
    async sign(tenant, id, expiresAt) {
      const payload = new TextEncoder().encode([VERSION, expiresAt, id, tenant].join('\n'))
      const mac = await crypto.subtle.sign('HMAC', await linkKey(), payload)
      return `${toBase64Url(payload)}.${toBase64Url(new Uint8Array(mac))}`
    },
    async open(token, id) {
      const [, payloadText = '', macText = ''] = TOKEN.exec(token) ?? []
      const payload = fromBase64Url(payloadText)
      const mac = fromBase64Url(macText)
      // The MAC first, and in constant time: nothing is read of a payload that was not signed here.
      if (!payload || !mac || !(await crypto.subtle.verify('HMAC', await linkKey(), mac, payload))) return null
      const [version, expiresAt, signedId, tenant] = new TextDecoder().decode(payload).split('\n')
      const holds = version === VERSION && Number(expiresAt) * 1000 > now() && signedId === id && ID_PATTERN.test(id)
      return holds && tenant !== undefined ? tenant : null
    },
  }
}

const TOKEN = /^([\w-]{1,400})\.([\w-]{43})$/

function toBase64Url(bytes: Uint8Array): string {
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** Null for what is no base64url, or not written as `toBase64Url` writes it: one MAC has one text. */
function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | null {
  let binary: string
  try {
    binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  } catch {
    return null
  }
  const bytes = Uint8Array.from(binary, (unit) => unit.charCodeAt(0))
  return toBase64Url(bytes) === text ? bytes : null
}
