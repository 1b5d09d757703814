import { CursorError, type Purge } from '../service/ports.ts'
import type { Spillway } from '../service/types.ts'
import { Problem } from './problem.ts'
import { type Answer, defineRoute, jsonResponse, type Route } from './route.ts'
import { pageQuery, purgeAnswer, SESSION_PATTERN } from './schemas.ts'

const ANSWERS: Readonly<Record<number, Answer>> = {
  200: {
    description: 'What went, and where the next page begins',
    media: 'application/json',
    schema: purgeAnswer,
  },
}

/** `DELETE` of what was stored with a session's label. */
export function deleteSessionRoute(spillway: Spillway): Route {
  return defineRoute({
    method: 'DELETE',
    path: '/v1/sessions/{session}',
    operationId: 'deleteSession',
    summary: "Delete a session's outputs, a page at a time. What another session has stored as well stays.",
    scope: 'delete',
    params: { session: 'The label that the outputs were stored with' },
    query: pageQuery,
    answers: ANSWERS,
    async handle(_input, { cursor }, { params, caller }) {
      const { session = '' } = params
      // A label that nothing can be stored with has no outputs: the same answer as for one that was never used.
      if (!SESSION_PATTERN.test(session)) return jsonResponse({ deleted: 0, cursor: null })
      return jsonResponse(await spillway.removeSession(session, cursor ?? null, caller).catch(asCursorFault))
    },
  })
}

/** `DELETE` of all that a tenant has stored. */
export function deleteOutputsRoute(spillway: Spillway): Route {
  return defineRoute({
    method: 'DELETE',
    path: '/v1/outputs',
    operationId: 'deleteOutputs',
    summary: 'Delete all outputs of your tenant, a page at a time.',
    scope: 'admin',
    query: pageQuery,
    answers: ANSWERS,
    async handle(_input, { cursor }, { caller }) {
      return jsonResponse(await spillway.removeAll(cursor ?? null, caller).catch(asCursorFault))
    },
  })
}

function asCursorFault(error: unknown): Purge {
  if (!(error instanceof CursorError)) throw error
  throw new Problem('invalid-request', `cursor: ${error.message}.`, {
    faults: [{ parameter: 'cursor', detail: error.message }],
  })
}
