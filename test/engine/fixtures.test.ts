import { describe, expect, test } from 'vitest'
import { planFilter, renderFilter } from '../../src/engine/filter.ts'
import { PLACEHOLDER_ID } from '../../src/engine/marker.ts'
import { estimateTokens } from '../../src/engine/text/tokens.ts'
import { contextOf, loadFixtures, missingFacts } from '../support/fixtures.ts'
import { unrecordedFacts } from '../support/recorded.ts'

const MARKER = /^\[filtered: (\d+) lines? elided: .*\]$/gm

describe('every recorded output', () => {
  test.each(loadFixtures().map((fixture) => [`${fixture.family}/${fixture.name}`, fixture] as const))(
    '%s',
    (_, fixture) => {
      expect(unrecordedFacts(fixture), 'facts that the recording itself lacks').toEqual([])
      const context = contextOf(fixture)
      const plan = planFilter(fixture.text, context)
      const { lines } = plan
      expect(lines.kept + lines.restated + lines.elided, 'fates').toBe(lines.in)
      const result = plan.changed ? renderFilter(plan, PLACEHOLDER_ID) : fixture.text
      expect(
        missingFacts([...fixture.facts, ...(plan.changed ? fixture.places : [])], result),
        `facts lost by ${plan.changed ? plan.strategy : plan.reason}`,
      ).toEqual([])
      if (!plan.changed) return
      const inMarkers = (text: string): number =>
        [...text.matchAll(MARKER)].reduce((sum, match) => sum + Number(match[1]), 0)
      expect(inMarkers(plan.body) - inMarkers(fixture.text), 'lines in markers').toBe(lines.elided)
      expect(estimateTokens(result)).toBe(plan.tokensAfter)
      expect(plan.tokensAfter).toBeLessThan(plan.tokensBefore)
      expect(planFilter(result, context)).toMatchObject({ changed: false, reason: 'already-filtered' })
    },
  )
})

test('a listed fact that is in no recording is told: as text in another order, in JSON as another value', () => {
  const [any] = loadFixtures()
  if (!any) throw new Error('no fixtures')
  const invented = { ...any, facts: [['second', 'first'], 'third', 'first'], text: 'first\nsecond\n' }
  expect(unrecordedFacts(invented)).toEqual([['second', 'first'], 'third'])
  const json = {
    ...any,
    facts: [
      ['12:3', 'say "x"'],
      ['12:4', 'say "x"'],
    ],
    text: '{"m":"say \\"x\\"","at":{"line":12,"col":3}}',
  }
  expect(unrecordedFacts(json)).toEqual([['12:4', 'say "x"']])
})
