import type { Bytes } from './blobs.ts'

/** The same bytes on a plain ArrayBuffer: a view where they stand on one, a copy where the buffer is shared. */
export function plainBytes(bytes: Uint8Array): Bytes {
  const { buffer } = bytes
  return buffer instanceof ArrayBuffer ? new Uint8Array(buffer, bytes.byteOffset, bytes.byteLength) : bytes.slice()
}

export function joinBytes(parts: readonly Uint8Array[]): Bytes {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}

/** A DataView over exactly these bytes. */
export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

const LF = 10

export function countLfs(bytes: Uint8Array): number {
  let count = 0
  for (const byte of bytes) if (byte === LF) count += 1
  return count
}

/** The position just after the `ordinal`-th LF (from 1) at or after `from`; -1 where there are fewer. 0 gives `from`. */
export function afterLf(bytes: Uint8Array, ordinal: number, from: number): number {
  let at = from
  for (let left = ordinal; left > 0; left -= 1) {
    const lf = bytes.indexOf(LF, at)
    if (lf < 0) return -1
    at = lf + 1
  }
  return at
}
