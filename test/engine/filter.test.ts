import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DEFAULT_FILTER_OPTIONS, planFilter, renderFilter } from '../../src/engine/filter.ts'
import { PLACEHOLDER_ID, readTrailer } from '../../src/engine/marker.ts'
import { factsOf } from '../../src/engine/signals.ts'
import { splitLines } from '../../src/engine/text/lines.ts'
import { showLine } from '../../src/engine/text/terminal.ts'
import { estimateTokens } from '../../src/engine/text/tokens.ts'
import { loadFixtures } from '../support/fixtures.ts'
import { someCommand, toolOutput } from '../support/outputs.ts'

const context = fc.record(
  { command: someCommand, exitCode: fc.constantFrom(0, 1, 137), maxTokens: fc.constantFrom(200, 1000, 100_000) },
  { requiredKeys: [] },
)
const clean = (given: { command?: string | undefined; exitCode?: number; maxTokens?: number }) => ({
  ...(given.command !== undefined && { command: given.command }),
  ...(given.exitCode !== undefined && { exitCode: given.exitCode }),
  ...(given.maxTokens !== undefined && { maxTokens: given.maxTokens }),
})
const filtered = (text: string, given: Parameters<typeof planFilter>[1]): string => {
  const plan = planFilter(text, given)
  return plan.changed ? renderFilter(plan, PLACEHOLDER_ID) : text
}
const GAP = /^\[filtered: (\d+) lines? elided: .*\]$/gm
const inMarkers = (text: string): number => [...text.matchAll(GAP)].reduce((sum, match) => sum + Number(match[1]), 0)

describe('any output', () => {
  test('is never larger, and every line has one fate that its markers tell', () => {
    fc.assert(
      fc.property(toolOutput, context, (text, given) => {
        const plan = planFilter(text, clean(given))
        expect(plan.lines.kept + plan.lines.restated + plan.lines.elided).toBe(plan.lines.in)
        if (!plan.changed) return
        const result = renderFilter(plan, PLACEHOLDER_ID)
        expect(estimateTokens(result)).toBe(plan.tokensAfter)
        expect(estimateTokens(result)).toBeLessThanOrEqual(estimateTokens(text))
        expect(readTrailer(result)).toMatchObject({
          elided: plan.lines.elided,
          lines: plan.lines.in,
          id: PLACEHOLDER_ID,
        })
        // Markers that the input itself quotes are text; they may be kept or gone.
        const quoted = inMarkers(text)
        expect(inMarkers(plan.body)).toBeGreaterThanOrEqual(plan.lines.elided)
        expect(inMarkers(plan.body)).toBeLessThanOrEqual(plan.lines.elided + quoted)
      }),
      { numRuns: 120 },
    )
  })

  test('filters to the same text again, and a filtered text to itself', () => {
    fc.assert(
      fc.property(toolOutput, context, (text, given) => {
        const once = filtered(text, clean(given))
        expect(filtered(text, clean(given))).toBe(once)
        expect(filtered(once, clean(given))).toBe(once)
      }),
      { numRuns: 80 },
    )
  })

  test('stays within a bound on its tokens, unless it was smaller than that', () => {
    fc.assert(
      fc.property(toolOutput, fc.integer({ min: 120, max: 3000 }), (text, maxTokens) => {
        expect(estimateTokens(filtered(text, { maxTokens }))).toBeLessThanOrEqual(maxTokens)
      }),
      { numRuns: 80 },
    )
  })
})

const PLANTED = [
  'internal/store/planted.go:77:13: undefined: plantedSymbol',
  'src/planted.ts(41,7): error TS2322: Type planted is not assignable',
  'error[E0308]: planted mismatch',
  'error: planted thing is broken',
  'fatal: planted object is corrupt',
  'grep: planted/dir: Permission denied',
  'ERROR planted: disk quota exceeded on /dev/planted',
  '--- FAIL: TestPlanted (0.00s)',
  'FAILED tests/test_planted.py::test_planted - AssertionError: planted',
  'panic: planted nil pointer',
  'make: *** [planted] Error 2',
  'PlantedError: it broke',
  '!!!!!!!!!!!!!!!!!!!! planted.KeyboardInterrupt !!!!!!!!!!!!!!!!!!!!',
]

const planted = fc.constantFrom(...PLANTED)
const plant = (text: string, at: number, line: string): string => {
  const lines = text.toWellFormed().split('\n')
  lines.splice(at % (lines.length + 1), 0, line)
  return lines.join('\n')
}
const factsIn = (text: string): string[] => [...factsOf(splitLines(text).map(showLine)).keys()]

describe('a diagnostic planted anywhere in a recorded output', () => {
  const fixtures = loadFixtures()

  test.each(PLANTED)('%s is a fact', (line) => {
    expect(factsIn(line)).not.toEqual([])
  })

  test('is a fact of the result', () => {
    fc.assert(
      fc.property(fc.constantFrom(...fixtures), fc.nat(), planted, (fixture, at, line) => {
        const result = filtered(plant(fixture.text, at, line), { command: fixture.command, exitCode: 1 })
        expect(factsIn(result)).toEqual(expect.arrayContaining(factsIn(line)))
      }),
      { numRuns: 400 },
    )
  })

  const PLACES = 60
  test.each(['grep', 'find', 'ls', 'tree', 'git-diff', 'git-log', 'git-status'])(
    'among the lines of %s too',
    (family) => {
      fc.assert(
        fc.property(
          fc.constantFrom(...fixtures.filter((fixture) => fixture.family === family)),
          fc.nat(),
          planted,
          (fixture, at, line) => {
            const result = filtered(plant(fixture.text, at, line), { command: fixture.command, exitCode: 1 })
            expect(factsIn(result)).toEqual(expect.arrayContaining(factsIn(line)))
          },
        ),
        { numRuns: PLACES },
      )
    },
  )

  // Where the output's own facts leave room for it, a small budget is no excuse.
  const few = fixtures.filter((fixture) => {
    const lines = splitLines(fixture.text).map(showLine)
    const own = new Set([...factsOf(lines).values()].map((fact) => fact.line))
    return [...own].reduce((sum, line) => sum + estimateTokens(lines[line] ?? '') + 1, 0) <= 120
  })
  test('survives small budgets, and a bound by the caller', () => {
    const tight = { ...DEFAULT_FILTER_OPTIONS, genericBudget: 500, signalBudget: 250 }
    fc.assert(
      fc.property(fc.constantFrom(...few), fc.nat(), planted, fc.boolean(), (fixture, at, line, bound) => {
        const given = { command: fixture.command, exitCode: 1, ...(bound && { maxTokens: 400 }) }
        const text = plant(fixture.text, at, line)
        const plan = bound ? planFilter(text, given) : planFilter(text, given, tight)
        const result = plan.changed ? renderFilter(plan, PLACEHOLDER_ID) : text
        expect(factsIn(result)).toEqual(expect.arrayContaining(factsIn(line)))
      }),
      { numRuns: 200 },
    )
  })
})
