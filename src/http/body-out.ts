import { joinBytes } from './join-bytes.ts'

/** Bytes that are read before an answer begins: an output up to this size is answered whole, or with a problem. */
const AHEAD = 512 * 1024

/** A body of known length as its runtime wants it, where that is not simply the stream. */
export type Sized = (body: ReadableStream<Uint8Array>, length: number) => ReadableStream<Uint8Array>

/** The beginning of a body: all of it, or what goes on as it is read. */
export type Body = { readonly whole: Uint8Array<ArrayBuffer> } | { readonly rest: ReadableStream<Uint8Array> }

/**
 * Reads the beginning of a body, so that what fails there can still be answered; the rest is read no faster than the
 * client takes it. A failure later on breaks the body off: it never ends cleanly short.
 * @param report told of a failure that can't be answered any more
 */
export async function beginBody(parts: AsyncIterable<Uint8Array>, report: (error: unknown) => void): Promise<Body> {
  const iterator = parts[Symbol.asyncIterator]()
  const ahead: Uint8Array[] = []
  let length = 0
  while (length <= AHEAD) {
    const { done, value } = await iterator.next()
    if (done) return { whole: joinBytes(ahead, length) }
    ahead.push(value)
    length += value.length
  }
  const rest = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const part = ahead.shift() ?? (await iterator.next()).value
          if (part) controller.enqueue(part)
          else controller.close()
        } catch (error) {
          report(error)
          controller.error(error)
        }
      },
      async cancel() {
        await iterator.return?.()
      },
    },
    { highWaterMark: 0 },
  )
  return { rest }
}
