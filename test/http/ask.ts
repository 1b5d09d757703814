import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import { type AppOptions, createApp } from '../../src/http/app.ts'
import type { ApiKey } from '../../src/http/auth.ts'
import { filterAnswer, problemAnswer } from '../../src/http/schemas.ts'
import { type Scope, USUAL_SCOPES } from '../../src/service/scopes.ts'
import { createSpillwayDouble } from '../doubles/spillway.ts'

/** An app on the double, and short words for asking it. */
export function setUp(options: Partial<AppOptions> = {}) {
  const spillway = createSpillwayDouble()
  const app = createApp(spillway, { version: '0.0.0', keys: [], maxBody: 100_000, ...options })
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
