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
 * @throws TypeError for a bad key id, an id given twice, or no key at all; DOMException for a key of a wrong length
 */
export async function createSealer(keys: readonly SealKey[]): Promise<Sealer> {
  const imported = new Map<string, CryptoKey>()
  for (const { id, bytes } of keys) {
    if (!KEY_ID_PATTERN.test(id)) throw new TypeError('a sealing key id is 1 to 8 of a-z, 0-9 and -')
    if (imported.has(id)) throw new TypeError(`sealing key ${id} is given twice`)
    imported.set(id, await crypto.subtle.importKey('raw', bytes.slice(), 'AES-GCM', false, ['encrypt', 'decrypt']))
  }
  const [newest] = imported
  if (newest === undefined) throw new TypeError('sealing needs a key')
  const [keyId, sealKey] = newest
  return {
    keyId,
    async seal(bytes, associated) {
      const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES))
      const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData: associated }, sealKey, bytes)
      return joinBytes([iv, new Uint8Array(sealed)])
    },
    async open(id, bytes, associated) {
      const key = imported.get(id)
      if (key === undefined) throw new Error(`no sealing key ${id}`)
      const iv = bytes.subarray(0, NONCE_BYTES)
      const algorithm = { name: 'AES-GCM', iv, additionalData: associated }
      return new Uint8Array(await crypto.subtle.decrypt(algorithm, key, bytes.subarray(NONCE_BYTES)))
    },
  }
}
