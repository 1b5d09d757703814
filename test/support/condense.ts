import { type FilterContext, planFilter, renderFilter } from '../../src/engine/filter.ts'
import { PLACEHOLDER_ID } from '../../src/engine/marker.ts'
import { contextOf, type Fixture, loadFixtures } from './fixtures.ts'

export interface Condensed {
  readonly text: string
  /** The strategy's name, or why the text came back as it was. */
  readonly by: string
}

/** A text as the engine gives it back. */
export function condense(text: string, context: FilterContext = {}): Condensed {
  const plan = planFilter(text, context)
  return plan.changed ? { text: renderFilter(plan, PLACEHOLDER_ID), by: plan.strategy } : { text, by: plan.reason }
}

const recorded = loadFixtures()

/** Recorded outputs of one family. */
export const fixturesOf = (family: string): Fixture[] => recorded.filter((fixture) => fixture.family === family)

/** A recorded output by `family/case`. */
export function fixture(name: string): Fixture {
  const found = recorded.find((each) => `${each.family}/${each.name}` === name)
  if (!found) throw new Error(`no fixture ${name}`)
  return found
}

/** A recorded output, condensed with its own command and exit code. */
export function condenseFixture(name: string): Condensed {
  const found = fixture(name)
  return condense(found.text, contextOf(found))
}

/** Beginnings of a text that end before its last `keep` lines, at several lengths. */
export function cuts(text: string, keep: number): string[] {
  const lines = text.split('\n')
  const most = lines.length - keep
  return [0.3, 0.5, 0.7, 0.85, 1].map((part) => `${lines.slice(0, Math.floor(most * part)).join('\n')}\n`)
}
