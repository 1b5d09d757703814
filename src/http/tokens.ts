import type { Spillway } from '../service/types.ts'
import { listOf } from './mask.ts'
import { Problem } from './problem.ts'
import { defineRoute, jsonResponse, noQuery, type Route } from './route.ts'
import { tokensAnswer, tokensBody } from './schemas.ts'

/** `POST /v1/tokens`: the estimate of a text, or of a history as masking counts it. */
export function tokensRoute(spillway: Spillway): Route {
  return defineRoute({
    method: 'POST',
    path: '/v1/tokens',
    operationId: 'estimateTokens',
    summary: 'Estimate the tokens of a text, or of a message history.',
    scope: 'key',
    query: noQuery,
    json: tokensBody,
    answers: { 200: { description: 'The estimate', media: 'application/json', schema: tokensAnswer } },
    handle(input, _query, { caller, limits }) {
      if (input.kind !== 'json') throw new Problem('invalid-request', 'A JSON body is needed.')
      const { text = '', format } = input.value
      const found = listOf(input.json, input.value, limits.maxMessages)
      const { warnings } = input
      return jsonResponse({
        tokens: spillway.tokens(found ? { ...found, format } : text, caller),
        ...(warnings.length > 0 && { warnings }),
      })
    },
  })
}
