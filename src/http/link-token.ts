import { ID_PATTERN } from '../engine/marker.ts'
import type { Signer } from '../service/ports.ts'

/** Makes and reads the tokens of recall-only links. */
export interface Links {
  /** A token that opens one output of a tenant until `expiresAt`, in whole seconds since the epoch. */
  sign(tenant: string, id: string, expiresAt: number): Promise<string>
  /**
   * The tenant whose output `id` a token opens now; null for one that is forged, expired, or another output's.
   * @param isTenant asked before anything is computed for a name that whoever sends the token chose
   */
  open(token: string, id: string, isTenant: (name: string) => boolean): Promise<string | null>
  /** Milliseconds since the epoch. */
  now(): number
}

const VERSION = '1'
/** Version, expiry, id, tenant, signature. All have letters that stand for themselves in a query. */
const TOKEN = /^1\.([1-9]\d{0,11})\.(o_[a-z][a-p]{31})\.([A-Za-z0-9_.-]{1,64})\.([A-Za-z0-9_-]{1,100})$/

/**
 * Tokens are readable (`version.expiry.id.tenant.signature`) and signed with the tenant's own secret. Nothing of a token
 * is kept on the server.
 * @param signer of a domain of its own: its signatures count nowhere else
 * @param now milliseconds since the epoch
 */
export function createLinks(signer: Signer, now: () => number): Links {
  return {
    now,
    async sign(tenant, id, expiresAt) {
      const words = [VERSION, expiresAt, id, tenant].join('.')
      return `${words}.${await signer.sign(tenant, words)}`
    },
    async open(token, id, isTenant) {
      const [, expiresAt, signedId, tenant, signature] = TOKEN.exec(token) ?? []
      if (tenant === undefined || signature === undefined || !isTenant(tenant)) return null
      const words = token.slice(0, -signature.length - 1)
      if (!(await signer.verify(tenant, words, signature))) return null
      const holds = Number(expiresAt) * 1000 > now() && signedId === id && ID_PATTERN.test(id)
      return holds ? tenant : null
    },
  }
}
