import type { Bytes } from './blobs.ts'
import { joinBytes } from './bytes.ts'

/** Encrypts and authenticates the parts of a stored body. `open` rejects for what was not sealed with these arguments. */
export interface Sealer {
  /** Id of the key that seals; stands in the footer. */
  readonly keyId: string
  seal(bytes: Bytes, associated: Bytes): Promise<Bytes>
  open(keyId: string, bytes: Bytes, associated: Bytes): Promise<Bytes>
}

/** A key of 16 or 32 bytes, and its id: 1 to 8 of a-z, 0-9, `-`. */
export interface SealKey {
  readonly id: string
  readonly bytes: Uint8Array
}

const KEY_ID_PATTERN = /^[a-z0-9-]{1,8}$/
const NONCE_BYTES = 12

/**
 * AES-GCM by WebCrypto with a random nonce before each part. The first key seals; all of them open, so that a key is
 * rotated by putting the new one first and dropping the old one when its last output has expired.
 * @throws TypeError for a bad key id, an id given twice, a key of another length, or no key at all
 */
export function createSealer(keys: readonly SealKey[]): Sealer {
  const known = new Map<string, SealKey>()
  for (const key of keys) {
    if (!KEY_ID_PATTERN.test(key.id)) throw new TypeError('a sealing key id is 1 to 8 of a-z, 0-9 and -')
    if (known.has(key.id)) throw new TypeError(`sealing key ${key.id} is given twice`)
    if (key.bytes.length !== 16 && key.bytes.length !== 32) throw new TypeError('a sealing key has 16 or 32 bytes')
    known.set(key.id, key)
  }
  const [newest] = keys
  if (newest === undefined) throw new TypeError('sealing needs a key')
  const keyId = newest.id

  /** Settled keys alone, never promises: on Workers a promise belongs to the request that made it. */
  const imported = new Map<string, CryptoKey>()
  async function keyOf(id: string): Promise<CryptoKey> {
    const held = imported.get(id)
    if (held !== undefined) return held
    const key = known.get(id)
    if (key === undefined) throw new Error(`no sealing key ${id}`)
    const usages = ['encrypt', 'decrypt'] as const
    const made = await crypto.subtle.importKey('raw', key.bytes.slice(), 'AES-GCM', false, usages)
    imported.set(id, made)
    return made
  }

  return {
    keyId,
    async seal(bytes, associated) {
      const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES))
      const algorithm = { name: 'AES-GCM', iv, additionalData: associated }
      const sealed = await crypto.subtle.encrypt(algorithm, await keyOf(keyId), bytes)
      return joinBytes([iv, new Uint8Array(sealed)])
    },
    async open(id, bytes, associated) {
      const iv = bytes.subarray(0, NONCE_BYTES)
      const algorithm = { name: 'AES-GCM', iv, additionalData: associated }
      return new Uint8Array(await crypto.subtle.decrypt(algorithm, await keyOf(id), bytes.subarray(NONCE_BYTES)))
    },
  }
}
