import type { Timer } from '../service/deadline.ts'
import { RatioError, unpackGzip } from './gzip-body.ts'
import { joinBytes } from './join-bytes.ts'
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

/** Bytes that a declared length may reserve before they are there. */
const RESERVED = 64 * 1024

/** How much of a body is read, and for how long. */
export interface BodyLimits {
  /** Bytes that one body may have, unpacked. */
  readonly maxBody: number
  /** Milliseconds in which the whole body has to arrive. */
  readonly timeoutMs: number
  readonly timer: Timer
  /** Told of bytes before they are held; throws where they don't fit beside other requests'. */
  hold(bytes: number): void
}

function tooLarge(limit: number): Problem {
  return new Problem(
    'body-too-large',
    `The body is over the limit of ${limit} bytes. Send less, or raise SPILLWAY_MAX_BODY.`,
  )
}

/** What the client did, most often: it went away, or sent what is no gzip. */
function broken(error: unknown): never {
  if (error instanceof Problem) throw error
  if (error instanceof RatioError) throw new Problem('body-too-large', error.message)
  throw new Problem('invalid-request', 'The body ended before its end, or is not what its content-encoding says.')
}

/** The declared length of a body in bytes; null where it isn't known before reading (chunked). */
function declaredLength(request: Request): number | null {
  const length = request.headers.get('content-length')
  if (length === null || request.headers.has('transfer-encoding') || !/^\d{1,15}$/.test(length)) return null
  return Number(length)
}

/** @throws Problem 415 for an encoding that isn't known here; RFC 7694 says how to name those that are */
function isGzipped(request: Request): boolean {
  const encoding = request.headers.get('content-encoding')?.trim().toLowerCase() ?? 'identity'
  if (encoding === 'gzip' || encoding === 'x-gzip') return true
  if (encoding === 'identity' || encoding === '') return false
  throw new Problem('unsupported-media-type', 'Send the body as it is, or with content-encoding: gzip.', {
    headers: { 'accept-encoding': 'gzip, identity' },
  })
}

/**
 * The body's bytes, unpacked. All but small ones are counted while they arrive: nobody holds room for bytes that they have
 * only announced, and no more than the limit is ever held.
 * @throws Problem 408 where the body takes too long, 413 beyond the limit, 415 for an encoding other than gzip
 */
export async function readBytes(request: Request, limits: BodyLimits): Promise<Uint8Array> {
  const gzipped = isGzipped(request)
  const length = declaredLength(request)
  if (length !== null && length > limits.maxBody) throw tooLarge(limits.maxBody)
  const late = Promise.withResolvers<never>()
  // Whoever waits for it has left by the time that nobody handles it.
  late.promise.catch(() => {})
  const cancel = limits.timer(limits.timeoutMs, () => late.reject(tooSlow(limits.timeoutMs)))
  try {
    if (gzipped || length === null || length > RESERVED) {
      if (request.body === null) return new Uint8Array()
      return await collect(gzipped ? unpackGzip(request.body) : request.body, limits, late.promise)
    }
    limits.hold(length)
    // Node's server answers this without making a stream of the body.
    const bytes = new Uint8Array(await Promise.race([request.arrayBuffer(), late.promise]).catch(broken))
    if (bytes.length > limits.maxBody) throw tooLarge(limits.maxBody)
    return bytes
  } finally {
    cancel()
  }
}

function tooSlow(ms: number): Problem {
  return new Problem(
    'request-timeout',
    `The body did not arrive within ${ms / 1000} seconds. Send it faster, or less.`,
    {
      headers: { connection: 'close' },
    },
  )
}

async function collect(
  body: ReadableStream<Uint8Array>,
  { maxBody, hold }: BodyLimits,
  late: Promise<never>,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read(), late]).catch(broken)
      if (done) break
      size += value.length
      if (size > maxBody) throw tooLarge(maxBody)
      hold(value.length)
      chunks.push(value)
    }
  } catch (error) {
    // Not waited for: a stream whose source hangs may not answer.
    reader.cancel().catch(() => {})
    throw error
  }
  return joinBytes(chunks, size)
}
