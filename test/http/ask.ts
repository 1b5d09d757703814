import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import { type AppOptions, createApp } from '../../src/http/app.ts'
import type { ApiKey } from '../../src/http/auth.ts'
import { createLinks } from '../../src/http/link-token.ts'
import { filterAnswer, problemAnswer } from '../../src/http/schemas.ts'
import { type Scope, USUAL_SCOPES } from '../../src/service/scopes.ts'
import { createSigner } from '../../src/store/sign.ts'
import { createSpillwayDouble } from '../doubles/spillway.ts'

const NOW = { ms: Date.UTC(2030, 0, 1) }
/** Links under a secret of the tests' own; `linkClock` moves their time. */
export const LINKS = createLinks(
  createSigner(new TextEncoder().encode('a secret for these tests, long enough'), 'link'),
  () => NOW.ms,
)
export const linkClock = NOW

/** An app on the double, and short words for asking it. */
export function setUp(options: Partial<AppOptions> = {}) {
  const spillway = createSpillwayDouble()
  const app = createApp(spillway, { version: '0.0.0', keys: [], maxBody: 100_000, links: LINKS, ...options })
  const ask = async (path: string, init: RequestInit = {}) => app.request(path, init)
  const post = (path: string, body: BodyInit, type = 'application/json', headers: Record<string, string> = {}) =>
    ask(path, { method: 'POST', body, headers: { 'content-type': type, ...headers } })
  const postJson = (path: string, value: unknown) => post(path, JSON.stringify(value))
  return { spillway, app, ask, post, postJson }
}

/** A key as an app is given it. */
export const keyOf = (tenant: string, key: string, scopes: readonly Scope[] = USUAL_SCOPES): ApiKey => ({
  tenant,
  scopes,
  digest: new Uint8Array(createHash('sha256').update(key).digest()),
})

export const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

/** A problem, checked against the schema that the documentation shows. */
export async function problemOf(response: Response) {
  expect(response.headers.get('content-type')).toBe('application/problem+json')
  const problem = problemAnswer.parse(await response.json())
  expect(problem.status).toBe(response.status)
  return problem
}

/** A filter answer, checked against the schema that the documentation shows. */
export async function filterAnswerOf(response: Response) {
  return filterAnswer.parse(await response.json())
}

export const utf8 = (text: string) => new TextEncoder().encode(text)

export async function bytesOf(response: Response): Promise<Uint8Array> {
  return new Uint8Array(await response.arrayBuffer())
}
