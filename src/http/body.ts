import { Problem } from './problem.ts'

/** Counts the bytes of bodies that are held in memory, and refuses more than fit. */
export interface Gate {
  /** Reserves `bytes`; false where they don't fit beside what is in flight. A lone request always fits. */
  enter(bytes: number): boolean
  leave(bytes: number): void
}

/** @param limit bytes of request bodies in flight */
export function createGate(limit: number): Gate {
  let held = 0
  return {
    enter(bytes) {
      if (held > 0 && held + bytes > limit) return false
      held += bytes
      return true
    },
    leave(bytes) {
      held -= bytes
    },
  }
}

/** How much of a body is read. */
export interface BodyLimits {
  /** Bytes that one body may have. */
  readonly maxBody: number
  /** Told of bytes before they are held; throws where they don't fit beside other requests'. */
  hold(bytes: number): void
}

function tooLarge(limit: number): Problem {
  return new Problem(
    'body-too-large',
    `The body is over the limit of ${limit} bytes. Send less, or raise SPILLWAY_MAX_BODY.`,
  )
}

/** The client went away, most often; no fault of the server's. */
function cutOff(): never {
  throw new Problem('invalid-request', 'The body ended before its end.')
}

/** The declared length of a body in bytes; null where it isn't known before reading (chunked). */
function declaredLength(request: Request): number | null {
  const length = request.headers.get('content-length')
  if (length === null || request.headers.has('transfer-encoding') || !/^\d{1,15}$/.test(length)) return null
  return Number(length)
}

/**
 * The body's bytes. Where no length is declared they are counted while they arrive, so that no more than the limit is
 * ever held.
 * @throws Problem 413 beyond the limit, 415 for an encoded body
 */
export async function readBytes(request: Request, { maxBody, hold }: BodyLimits): Promise<Uint8Array> {
  const encoding = request.headers.get('content-encoding')
  if (encoding !== null && encoding.toLowerCase() !== 'identity') {
    throw new Problem('unsupported-media-type', 'Send the body without a content-encoding.', {
      headers: { 'accept-encoding': 'identity' },
    })
  }
  const length = declaredLength(request)
  if (length !== null && length > maxBody) throw tooLarge(maxBody)
  if (length !== null) {
    hold(length)
    const bytes = new Uint8Array(await request.arrayBuffer().catch(cutOff))
    if (bytes.length > maxBody) throw tooLarge(maxBody)
    return bytes
  }
  return request.body === null ? new Uint8Array() : collect(request.body, { maxBody, hold })
}

async function collect(body: ReadableStream<Uint8Array>, { maxBody, hold }: BodyLimits): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(cutOff)
      if (done) break
      size += value.length
      if (size > maxBody) throw tooLarge(maxBody)
      hold(value.length)
      chunks.push(value)
    }
  } catch (error) {
    await reader.cancel().catch(() => {})
    throw error
  }
  const bytes = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}
