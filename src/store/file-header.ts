import { type BlobInfo, type Bytes, NOTE_LIMIT } from './blobs.ts'
import { viewOf } from './bytes.ts'
import { crc32 } from './crc32.ts'

/**
 * What stands before the object in its file, little-endian: 8 bytes `spillobj`, f64 expiry in milliseconds since the epoch,
 * f64 size of the object in bytes, the note (ASCII, zeros after it), u32 CRC-32 of all before. In the file itself, for
 * a file's own times do not survive a copy.
 */
export const HEADER_BYTES = 24 + NOTE_LIMIT + 4
const MAGIC = 'spillobj'
const CRC_AT = HEADER_BYTES - 4

export function writeHeader({ size, expiresAt, note }: BlobInfo): Bytes {
  if (note.length > NOTE_LIMIT) throw new RangeError(`a note has at most ${NOTE_LIMIT} characters`)
  const bytes = new Uint8Array(HEADER_BYTES)
  const encoder = new TextEncoder()
  encoder.encodeInto(MAGIC, bytes)
  const view = viewOf(bytes)
  view.setFloat64(8, expiresAt, true)
  view.setFloat64(16, size, true)
  encoder.encodeInto(note, bytes.subarray(24, CRC_AT))
  view.setUint32(CRC_AT, crc32(bytes.subarray(0, CRC_AT)), true)
  return bytes
}

/** Null for anything but an intact header. */
export function readHeader(bytes: Uint8Array): BlobInfo | null {
  if (bytes.length !== HEADER_BYTES) return null
  const view = viewOf(bytes)
  if (view.getUint32(CRC_AT, true) !== crc32(bytes.subarray(0, CRC_AT))) return null
  const decoder = new TextDecoder()
  if (decoder.decode(bytes.subarray(0, 8)) !== MAGIC) return null
  const note = decoder.decode(bytes.subarray(24, CRC_AT)).replace(/\0+$/, '')
  return { expiresAt: view.getFloat64(8, true), size: view.getFloat64(16, true), note }
}
