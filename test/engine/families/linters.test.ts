import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { biome } from '../../../src/engine/families/biome.ts'
import { eslint } from '../../../src/engine/families/eslint.ts'
import { flake8 } from '../../../src/engine/families/flake8.ts'
import { goBuild, goVet } from '../../../src/engine/families/go-compile.ts'
import { golangciLint } from '../../../src/engine/families/golangci-lint.ts'
import { mypy } from '../../../src/engine/families/mypy.ts'
import { prettier } from '../../../src/engine/families/prettier.ts'
import { pylint } from '../../../src/engine/families/pylint.ts'
import { ruff } from '../../../src/engine/families/ruff.ts'
import { tsc } from '../../../src/engine/families/tsc.ts'
import type { Family } from '../../../src/engine/family.ts'
import { planFilter, renderFilter } from '../../../src/engine/filter.ts'
import { PLACEHOLDER_ID } from '../../../src/engine/marker.ts'
import { condenseAs, shownLines } from '../../support/condense-as.ts'
import { contextOf, loadFixtures, missingFacts } from '../../support/fixtures.ts'

const linters: readonly Family[] = [
  tsc,
  eslint,
  ruff,
  mypy,
  pylint,
  flake8,
  biome,
  prettier,
  golangciLint,
  goBuild,
  goVet,
]
const all = loadFixtures()
const own = all.filter((fixture) => linters.some((family) => family.name === fixture.family))

/** Outputs of other commands that print what a linter prints. */
const SAME_FORM = /^github-actions\/|^go-(?:test|build|vet)\//
const SUCCESS =
  /success|no issues|all checks passed|\b0 (?:issues|errors|problems|warnings|findings)|all matched files/gi

/** Whether one of the lines says a fact that is a list: its path may stand elsewhere, all else begins the line. */
function holds(lines: readonly string[], fact: string | string[]): boolean {
  if (typeof fact === 'string' || missingFacts([fact], lines.join('\n')).length > 0) return false
  const parts = fact[0]?.includes('.') ? fact.slice(1) : fact
  return [fact, parts].some(
    (told) =>
      told.length > 1 &&
      lines.some((line) => line.trimStart().startsWith(told[0] ?? '?') && missingFacts([told], line).length === 0),
  )
}

describe.each(linters.map((family) => [family.name, family] as const))('%s', (name, family) => {
  test('knows no output of another family', () => {
    const taken = all
      .filter((fixture) => fixture.family !== name && !SAME_FORM.test(`${fixture.family}/`))
      .filter((fixture) => family.detect(shownLines(fixture.text)))
    expect(taken.map((fixture) => `${fixture.family}/${fixture.name}`)).toEqual([])
  })

  test('gives every line one fate, whatever lines come in whatever order', () => {
    const lines = own
      .filter((fixture) => fixture.family === name)
      .flatMap((fixture) => shownLines(fixture.text).slice(0, 120))
    if (lines.length === 0) throw new Error('no fixture')
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...lines), { maxLength: 60 }), (picked) => {
        const result = condenseAs(family, picked.join('\n'))
        if (result.strategy === null) return
        expect(result.fault).toBeNull()
        expect(result.sum).toBe(result.lines)
      }),
      { numRuns: 60 },
    )
  })
})

describe.each(
  own
    .filter((fixture) => fixture.text.length > 600)
    .map((fixture) => [`${fixture.family}/${fixture.name}`, fixture] as const),
)('%s cut off', (_, fixture) => {
  test.each([0.13, 0.5, 0.9])('at %d: keeps what it holds and claims no success of its own', (share) => {
    const cut = fixture.text.slice(0, Math.floor(fixture.text.length * share))
    const plan = planFilter(cut, contextOf(fixture))
    if (!plan.changed) return
    const result = renderFilter(plan, PLACEHOLDER_ID)
    const shown = shownLines(cut).join('\n')
    if (!plan.strategy.includes('json') && plan.family === fixture.family) {
      const held = fixture.facts.filter((fact) => holds(shownLines(cut), fact))
      expect(missingFacts(held, result)).toEqual([])
    }
    const claims = plan.body.match(SUCCESS) ?? []
    expect(claims.filter((claim) => !shown.includes(claim) && !plan.body.startsWith('incomplete'))).toEqual([])
  })
})
