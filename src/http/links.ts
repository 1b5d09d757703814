import type { Spillway } from '../service/types.ts'
import { type ApiKey, DEFAULT_TENANT } from './auth.ts'
import type { Links } from './link-token.ts'
import { Problem } from './problem.ts'
import { defineRoute, jsonResponse, noQuery, type Route } from './route.ts'
import { linkAnswer, linkBody } from './schemas.ts'

/** `POST /v1/links`: an address that reads an output, or a session's outputs, without a key, for a while. */
export function linkRoute(links: Links): Route {
  return defineRoute({
    method: 'POST',
    path: '/v1/links',
    operationId: 'createLink',
    summary: "Make an address that reads one output, or a session's, without an API key until it expires, and no more.",
    scope: 'recall',
    query: noQuery,
    json: linkBody,
    answers: {
      200: { description: 'The address. Whoever has it can read.', media: 'application/json', schema: linkAnswer },
    },
    async handle(input, _query, { caller }) {
      if (input.kind !== 'json') throw new Problem('invalid-request', 'A JSON body is needed.')
      const { id, session = '', expiresIn } = input.value
      // Whether the output exists is not asked: a link to what isn't there, or is another tenant's, leads nowhere.
      const expiresAt = Math.floor(links.now() / 1000) + expiresIn
      const token = await links.sign(caller.tenant, id === undefined ? { session } : { id }, expiresAt)
      return jsonResponse({
        url: `/v1/outputs/${id ?? '{id}'}?link=${encodeURIComponent(token)}`,
        expiresAt: new Date(expiresAt * 1000).toISOString(),
        warnings: input.warnings,
      })
    },
  })
}

/** What a link is checked against. */
export interface LinkChecks {
  readonly links: Links | undefined
  readonly keys: readonly ApiKey[]
  readonly inSession: Spillway['inSession']
}

/**
 * The tenant whose output a link opens. What is wrong with a link is not told, nor whether an output is there. The links
 * of a tenant whose last key was taken away go with it.
 * @throws Problem 403
 */
export async function openLink(
  token: string,
  id: string | undefined,
  { links, keys, inSession }: LinkChecks,
): Promise<string> {
  const isTenant = (name: string) =>
    keys.length === 0 ? name === DEFAULT_TENANT : keys.some((key) => key.tenant === name)
  const opened = await links?.open(token, isTenant)
  if (opened && id !== undefined) {
    const { tenant, subject } = opened
    const opens = 'id' in subject ? subject.id === id : await inSession(tenant, subject.session, id)
    if (opens) return tenant
  }
  throw new Problem('link-refused', 'This link does not open this output, or no longer does.')
}

/** Answers to links stay out of caches: they would outlive the link. */
export function concealLink(response: Response): Response {
  response.headers.set('cache-control', 'no-store, no-transform')
  return response
}
