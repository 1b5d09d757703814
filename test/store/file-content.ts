/** Large enough that a kill often comes in the middle of a write. */
const BODY_BYTES = 6_000_000

/** The object that belongs to a seed: its key, its note and its bytes, the same in every process. */
export function keyOf(seed: number): string {
  const digits = String(seed).padStart(31, '0')
  return `7d/writer/o_f${[...digits].map((digit) => 'abcdefghij'[Number(digit)]).join('')}`
}

export function noteOf(seed: number): string {
  return `seed ${seed}`
}

export function bodyOf(seed: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(BODY_BYTES + seed)
  new DataView(bytes.buffer).setUint32(0, seed)
  for (let done = 4; done < bytes.length; done *= 2) bytes.copyWithin(done, 0, done)
  bytes[bytes.length - 1] = 255
  return bytes
}
