import { ID_PATTERN } from '../engine/marker.ts'
import type { Signer } from '../service/ports.ts'

/** What a link opens: one output, or the outputs that were stored with one session's label. */
export type LinkSubject = { readonly id: string } | { readonly session: string }

/** A link that holds. */
export interface OpenedLink {
  readonly tenant: string
  readonly subject: LinkSubject
}

/** Makes and reads the tokens of recall-only links. */
export interface Links {
  /** A token that opens something of a tenant until `expiresAt`, in whole seconds since the epoch. */
  sign(tenant: string, subject: LinkSubject, expiresAt: number): Promise<string>
  /**
   * What a token opens now; null for one that is forged or has expired.
   * @param isTenant asked before anything is computed for a name that whoever sends the token chose
   */
  open(token: string, isTenant: (name: string) => boolean): Promise<OpenedLink | null>
  /** Milliseconds since the epoch. */
  now(): number
}

const VERSION = '1'
/** Before a session's label: a label may look like an id. */
const SESSION = 's:'
/** Version, expiry, subject, tenant, signature; none of them has a `~` in it. */
const TOKEN = /^1~([1-9]\d{0,11})~([A-Za-z0-9._:@-]{1,130})~([A-Za-z0-9_.-]{1,64})~([^~]{1,100})$/

/**
 * Tokens are readable (`version~expiry~subject~tenant~signature`) and signed with the tenant's own secret. Nothing of a
 * token is kept on the server.
 * @param signer of a domain of its own: its signatures count nowhere else
 * @param now milliseconds since the epoch
 */
export function createLinks(signer: Signer, now: () => number): Links {
  return {
    now,
    async sign(tenant, subject, expiresAt) {
      const words = [VERSION, expiresAt, 'id' in subject ? subject.id : SESSION + subject.session, tenant].join('~')
      return `${words}~${await signer.sign(tenant, words)}`
    },
    async open(token, isTenant) {
      const [, expiresAt, words = '', tenant, signature] = TOKEN.exec(token) ?? []
      if (tenant === undefined || signature === undefined || !isTenant(tenant)) return null
      if (!(await signer.verify(tenant, token.slice(0, -signature.length - 1), signature))) return null
      const subject = readSubject(words)
      return subject !== null && Number(expiresAt) * 1000 > now() ? { tenant, subject } : null
    },
  }
}

function readSubject(words: string): LinkSubject | null {
  if (words.startsWith(SESSION)) return { session: words.slice(SESSION.length) }
  return ID_PATTERN.test(words) ? { id: words } : null
}
