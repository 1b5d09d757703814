import type { Signer } from '../service/ports.ts'
import { type Secret, tenantKey } from './key.ts'

const ENCODED_MAC = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/

/**
 * Signs by HMAC-SHA-256 under the tenant's own secret, as base64url. What is signed begins with the domain, so that no
 * output's key and no signature of another domain is one of these. Verified by WebCrypto, in constant time.
 * @param domain a word other than `output`; with its version, where what is signed changes its form
 */
export function createSigner(secret: Secret, domain: string): Signer {
  const message = (text: string) => new TextEncoder().encode(`spillway ${domain} 1\n${text}`)
  return {
    async sign(tenant, text) {
      const mac = await crypto.subtle.sign('HMAC', await tenantKey(secret, tenant), message(text))
      const letters = btoa(String.fromCharCode(...new Uint8Array(mac)))
      return letters.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
    },
    async verify(tenant, text, signature) {
      if (!ENCODED_MAC.test(signature)) return false
      const letters = atob(signature.replaceAll('-', '+').replaceAll('_', '/'))
      const mac = Uint8Array.from(letters, (letter) => letter.charCodeAt(0))
      return crypto.subtle.verify('HMAC', await tenantKey(secret, tenant), mac, message(text))
    },
  }
}
