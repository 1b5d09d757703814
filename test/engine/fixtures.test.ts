import { describe, expect, test } from 'vitest'
import { planFilter, renderFilter } from '../../src/engine/filter.ts'
import { PLACEHOLDER_ID } from '../../src/engine/marker.ts'
import { estimateTokens } from '../../src/engine/text/tokens.ts'
import { contextOf, loadFixtures, missingFacts } from '../support/fixtures.ts'

const MARKER = /^\[filtered: (\d+) lines? elided: .*\]$/gm

describe('every recorded output', () => {
  test.each(loadFixtures().map((fixture) => [`${fixture.family}/${fixture.name}`, fixture] as const))(
    '%s',
    (_, fixture) => {
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
