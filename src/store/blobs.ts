/**
 * What a storage has to offer so that outputs can be kept in it: whole objects of bytes, written once, read in part.
 * An adapter implements this and nothing else; ids, expiry, slices, integrity and sealing are createOutputStore's.
 */

/** Bytes that own a plain buffer, as the web's APIs want them. */
export type Bytes = Uint8Array<ArrayBuffer>

/** The end of the note of an object that says of others that they are there: it has to go before they do. */
export const VOUCHER = ' m'

/** Part of an object, in stored bytes. A suffix longer than the object is the whole object. */
export type StoredRange = { readonly offset: number; readonly length: number } | { readonly suffix: number }

export interface PutOptions {
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
  /** The same as a duration, for storages that count down by themselves. */
  readonly ttlMs: number
  /** Short ASCII text kept beside the object and given back by `head`; at most NOTE_LIMIT characters. */
  readonly note: string
}

/** Longest note, in characters. */
export const NOTE_LIMIT = 40

export interface BlobInfo {
  /** Size of the whole object in bytes. */
  readonly size: number
  readonly expiresAt: number
  readonly note: string
}

export interface StoredBlob extends BlobInfo {
  /** The bytes asked for. */
  readonly bytes: Uint8Array
}

/** One page of keys. */
export interface KeyPage {
  readonly keys: readonly string[]
  /** Where the next page begins; null after the last. */
  readonly cursor: string | null
}

/** Methods reject with any error when the storage fails; what isn't there is null. None of them judges expiry. */
export interface Blobs {
  /** Opens every error message. */
  readonly name: string
  /** One letter a-z, part of every id, so that an id says where its object is. */
  readonly tier: string
  /** False where a read costs the whole object whatever part is asked for. */
  readonly ranged: boolean
  /** `unsure` where a fresh write may not be seen yet, and looking for a key too early hides it for longer. */
  readonly misses: 'final' | 'unsure'
  /** Writes the object whole or not at all; replaces what was there. */
  put(key: string, bytes: Bytes, options: PutOptions): Promise<void>
  get(key: string, range?: StoredRange): Promise<StoredBlob | null>
  head(key: string): Promise<BlobInfo | null>
  /** Deleting what isn't there is no failure. */
  delete(key: string): Promise<void>
  /**
   * Keys that begin with `prefix`, expired ones among them, each once, in an order of the storage's own. Deleting what
   * a page names makes the next page skip nothing.
   * @param cursor from the page before; null for the first
   * @param limit most keys on a page, up to 1000; a page may have fewer, and still not be the last
   */
  list(prefix: string, cursor: string | null, limit: number): Promise<KeyPage>
  /** Ttl classes of all keys, as far as the storage can tell: those of which an object is there, and maybe others. */
  classes(): Promise<readonly string[]>
  /** What an operator should know before it becomes a failure. */
  warnings?(): readonly string[]
}

/**
 * The only keys there are: outputs, `<ttl class>/<tenant>/<id>`, and references between outputs and sessions in both
 * directions, `<ttl class>/<tenant>/s/<session>.<id>` and `<ttl class>/<tenant>/r/<id>.<session>`.
 */
const ID = 'o_[a-z][a-p]{31}'
const KEY_PATTERN = new RegExp(
  `^[a-z0-9][a-z0-9-]{0,31}/[a-z0-9_-]{1,200}/(?:${ID}|s/[a-p]{32}\\.${ID}|r/${ID}\\.[a-p]{32})$`,
)

/** True for a key that createOutputStore makes; adapters that turn keys into paths check it once more. */
export function isBlobKey(key: string): boolean {
  return KEY_PATTERN.test(key)
}

/** The offset and end (exclusive) of a range in an object of `size` bytes, clamped to what exists. */
export function resolveRange(range: StoredRange | undefined, size: number): readonly [from: number, to: number] {
  if (range === undefined) return [0, size]
  if ('suffix' in range) return [Math.max(0, size - range.suffix), size]
  const from = Math.min(range.offset, size)
  return [from, Math.min(size, from + range.length)]
}
