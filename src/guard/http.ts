import * as z from 'zod'
import type { Guard, GuardVerdict } from '../service/ports.ts'

export interface HttpGuardOptions {
  /** Where verdicts are asked for. */
  readonly url: string
  /** Sent with each question, credentials among them. */
  readonly headers: Readonly<Record<string, string>>
  /** Milliseconds after which a question is given up. */
  readonly timeoutMs: number
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
}

const reason = z.string().optional()
const answer = z.discriminatedUnion('action', [
  z.object({ action: z.literal('allow') }),
  z.object({ action: z.literal('redact'), text: z.string(), reason }),
  z.object({ action: z.literal('block'), reason }),
])

const MAX_HOPS = 3
/** UTF-16 units of a reason that are passed on: it ends up in warnings and markers. */
const MAX_REASON = 200

/**
 * A guard behind an address of the operator's: `{text, stage, tool}` is posted as JSON, `{action, text?, reason?}` is
 * what it has to answer. Its `judge` rejects for everything else: a status that says failure, an answer that is no
 * JSON, no verdict, or far longer than the question, and a redirect away from the address's own origin, which would
 * carry the result and the credentials along.
 */
export function createHttpGuard(options: HttpGuardOptions): Guard {
  const host = new URL(options.url).host
  return {
    async judge(text, stage, { tool }) {
      const question = JSON.stringify({ text, stage, tool })
      const response = await post(question, options)
      // A redaction is about as long as what it redacts; a UTF-16 unit is at most three bytes.
      const body = await readBounded(response, 4 * question.length + 65_536)
      const verdict = answer.parse(JSON.parse(body))
      return toVerdict(verdict, host)
    },
  }
}

function toVerdict(verdict: z.output<typeof answer>, host: string): GuardVerdict {
  if (verdict.action === 'allow') return verdict
  const words = (verdict.reason ?? '').slice(0, MAX_REASON).toWellFormed().trim()
  return { ...verdict, reason: words === '' ? `by ${host}` : words }
}

async function post(body: string, { url, headers, timeoutMs, fetch }: HttpGuardOptions): Promise<Response> {
  const signal = AbortSignal.timeout(timeoutMs)
  const { origin } = new URL(url)
  let target = url
  for (let hop = 0; hop <= MAX_HOPS; hop += 1) {
    const response = await fetch(target, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', accept: 'application/json' },
      body,
      redirect: 'manual',
      signal,
    })
    if (response.ok) return response
    await response.body?.cancel()
    // 307 and 308 alone keep the method (RFC 9110, 15.4).
    const location = response.status === 307 || response.status === 308 ? response.headers.get('location') : null
    if (location === null) throw new Error(`the guard answered with status ${response.status}`)
    const next = new URL(location, target)
    if (next.origin !== origin) throw new Error('the guard redirects to another origin')
    target = next.href
  }
  throw new Error('the guard redirects too often')
}

/** The body as text. @throws Error for one of more than `maxBytes`, or that is no UTF-8 */
async function readBounded(response: Response, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let text = ''
  let bytes = 0
  const reader = response.body?.getReader()
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
    bytes += read.value.byteLength
    if (bytes > maxBytes) {
      await reader?.cancel()
      throw new Error(`the guard's answer is longer than ${maxBytes} bytes`)
    }
    text += decoder.decode(read.value, { stream: true })
  }
  return text + decoder.decode()
}
