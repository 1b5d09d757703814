import { gapMarker, writeTrailer } from '../../src/engine/marker.ts'
import { type Engine, engine } from '../../src/service/engine.ts'

/**
 * The engine with a filter that a test can foresee: of a text over ten lines the first and the last line stay. What it
 * elides is gone for certain, so that a test can tell a shortened text, and what a store must hold for it.
 */
export const shortEngine: Engine = {
  ...engine,
  planFilter(text) {
    const rows = text.split('\n')
    const tokensBefore = engine.estimateTokens(text)
    if (rows.length <= 10) {
      const lines = { in: rows.length, kept: rows.length, restated: 0, elided: 0 }
      return { changed: false, reason: 'small', family: null, lines, tokensBefore, warnings: [] }
    }
    const elided = rows.length - 2
    return {
      changed: true,
      family: 'test',
      strategy: 'ends',
      endsInLf: false,
      body: [rows[0], gapMarker(elided, 'middle'), rows.at(-1)].join('\n'),
      lines: { in: rows.length, kept: 2, restated: 0, elided },
      chars: text.length,
      hint: 'full output: {id}',
      tokensBefore,
      tokensAfter: 60,
      warnings: [],
    }
  },
  renderFilter({ body, lines, chars, hint, tokensBefore }, id) {
    const trailer = { elided: lines.elided, lines: lines.in, by: 'test', chars, tokens: tokensBefore, id }
    return `${body}\n${writeTrailer(trailer, hint, body)}`
  },
}
