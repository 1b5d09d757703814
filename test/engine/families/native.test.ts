import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cargoBuild } from '../../../src/engine/families/cargo-build.ts'
import { cargoNextest } from '../../../src/engine/families/cargo-nextest.ts'
import { cargoTest } from '../../../src/engine/families/cargo-test.ts'
import { cmake } from '../../../src/engine/families/cmake.ts'
import { ctest } from '../../../src/engine/families/ctest.ts'
import { gcc } from '../../../src/engine/families/gcc.ts'
import { gradle } from '../../../src/engine/families/gradle.ts'
import { make } from '../../../src/engine/families/make.ts'
import { maven } from '../../../src/engine/families/maven.ts'
import { ninja } from '../../../src/engine/families/ninja.ts'
import type { Family } from '../../../src/engine/family.ts'
import { splitLines } from '../../../src/engine/text/lines.ts'
import { condense, fixturesOf } from '../../support/condense.ts'
import { condenseAs, shownLines } from '../../support/condense-as.ts'
import { contextOf, loadFixtures } from '../../support/fixtures.ts'

/** Families of compiled languages, each with the folders of its recorded outputs. */
const families: readonly (readonly [Family, readonly string[]])[] = [
  [cargoBuild, ['cargo-build', 'cargo-clippy']],
  [cargoTest, ['cargo-test']],
  [cargoNextest, ['cargo-nextest']],
  [gcc, ['gcc']],
  [make, ['make']],
  [cmake, ['cmake']],
  [ninja, ['ninja']],
  [ctest, ['ctest']],
  [maven, ['maven']],
  [gradle, ['gradle']],
]
/** What runs a compiler prints what it prints; a CI log holds anything. */
const SAME_FORM = /^(?:cargo-|gcc|c?make|ninja|github-actions|docker|json)/

describe.each(families.map(([family, folders]) => [family.name, family, folders] as const))(
  '%s',
  (name, family, folders) => {
    const own = folders.flatMap(fixturesOf)

    test('condenses its recorded outputs by itself, or they come back unchanged', () => {
      for (const recorded of own) {
        const { by } = condense(recorded.text, contextOf(recorded))
        expect([name, `${name}-json`, 'small', 'not-smaller'], `${recorded.name} by ${by}`).toContain(by)
      }
      expect(own.some((recorded) => condense(recorded.text, contextOf(recorded)).by.startsWith(name))).toBe(true)
    })

    test('knows no output of another family', () => {
      const taken = loadFixtures()
        .filter((fixture) => !folders.includes(fixture.family))
        .filter((fixture) => !(SAME_FORM.test(fixture.family) && SAME_FORM.test(folders[0] ?? '')))
        .filter((fixture) => family.detect(shownLines(fixture.text)))
      expect(taken.map((fixture) => `${fixture.family}/${fixture.name}`)).toEqual([])
    })

    test('gives every line one fate, whatever lines come in whatever order', () => {
      const lines = own.flatMap((fixture) => splitLines(fixture.text).filter((line) => line.length < 500))
      fc.assert(
        fc.property(fc.array(fc.nat(lines.length - 1), { maxLength: 60 }), (picks) => {
          const { strategy, fault, sum, lines: count } = condenseAs(family, picks.map((at) => lines[at]).join('\n'))
          if (strategy === null) return
          expect(fault).toBeNull()
          expect(sum).toBe(count)
        }),
        { numRuns: 60 },
      )
    })
  },
)
