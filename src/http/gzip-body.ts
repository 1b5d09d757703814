/** Bytes that a packed body may always unpack to; a legitimate log of the same line is packed well, too. */
const FREE = 1024 * 1024
/** Times its size that a larger body may unpack to. Deflate reaches 1032; recorded tool outputs stay under 100. */
const MAX_RATIO = 250
/** Packed bytes handed on at a time: some runtimes unpack a whole chunk before anybody can count it. */
const SLICE = 4096

/** A body that unpacks to far more than its size. */
export class RatioError extends Error {
  override readonly name = 'RatioError'
  constructor() {
    super(`The body unpacks to more than ${MAX_RATIO} times its size. Send it without content-encoding.`)
  }
}

/**
 * A gzip stream, unpacked as it is read. Errors with RatioError where it grows suspiciously, with the runtime's own error
 * where it is cut off, damaged, or followed by anything else.
 */
export function unpackGzip(packed: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  let taken = 0
  let given = 0
  const slice = new TransformStream<Uint8Array, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      taken += chunk.length
      for (let at = 0; at < chunk.length; at += SLICE)
        controller.enqueue(new Uint8Array(chunk.subarray(at, at + SLICE)))
    },
  })
  const watch = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      given += chunk.length
      if (given > FREE && given > MAX_RATIO * taken) controller.error(new RatioError())
      else controller.enqueue(chunk)
    },
  })
  return packed.pipeThrough(slice).pipeThrough(new DecompressionStream('gzip')).pipeThrough(watch)
}
