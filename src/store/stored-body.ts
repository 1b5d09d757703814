import type { Blobs } from './blobs.ts'
import type { BodyReader } from './block-format.ts'
import { CorruptBody } from './block-index.ts'
import { joinBytes } from './bytes.ts'

/** The object was there for the first read, and was gone for the next. */
export class Vanished extends Error {
  override readonly name = 'Vanished'
}

/** The end of a body that is asked for first: footer and trailer of an output of up to 41 MB. */
const SUFFIX_BYTES = 2048

/**
 * Reads a body's end, or all of it where parts cost as much or everything is wanted; what was read is not read again.
 * @returns null where there is no such object
 */
export async function holdBody(
  blobs: Blobs,
  key: string,
  whole: boolean,
): Promise<(BodyReader & { readonly expiresAt: number }) | null> {
  const all = whole || !blobs.ranged
  const found = await blobs.get(key, all ? undefined : { suffix: SUFFIX_BYTES })
  if (found === null) return null
  const { bytes, size, expiresAt } = found
  if (bytes.length !== (all ? size : Math.min(size, SUFFIX_BYTES))) throw new CorruptBody('body is cut off')
  const heldFrom = size - bytes.length

  async function fetchPart(offset: number, length: number): Promise<Uint8Array> {
    const part = await blobs.get(key, { offset, length })
    if (part === null) throw new Vanished('object was deleted while it was read')
    if (part.bytes.length !== length || part.size !== size) throw new CorruptBody('body is cut off')
    return part.bytes
  }

  return {
    size,
    expiresAt,
    async read(offset, length) {
      const end = offset + length
      const held = bytes.subarray(Math.max(0, offset - heldFrom), Math.max(0, end - heldFrom))
      if (held.length === length) return held
      const missing = await fetchPart(offset, length - held.length)
      return held.length === 0 ? missing : joinBytes([missing, held])
    },
  }
}
