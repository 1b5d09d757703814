import type { Bytes } from './blobs.ts'

/** One gzip member. The bytes differ between runtimes; what they unpack to does not. */
export async function gzip(bytes: Bytes): Promise<Bytes> {
  const packed = new Blob([bytes]).stream().pipeThrough(new CompressionStream('gzip'))
  return new Uint8Array(await new Response(packed).arrayBuffer())
}

/**
 * Unpacks one gzip member that has to give exactly `length` bytes.
 * @returns null for a damaged member or another length; never holds more than `length` bytes and one chunk
 */
export async function gunzip(packed: Bytes, length: number): Promise<Bytes | null> {
  const raw = new Uint8Array(length)
  let at = 0
  try {
    const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip')).getReader()
    for (let step = await reader.read(); !step.done; step = await reader.read()) {
      if (at + step.value.length > length) {
        await reader.cancel()
        return null
      }
      raw.set(step.value, at)
      at += step.value.length
    }
  } catch {
    return null
  }
  return at === length ? raw : null
}
