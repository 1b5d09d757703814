import { type FilterPlan, planFilter } from '../../../src/engine/filter.ts'
import { loadFixtures } from '../../support/fixtures.ts'

/** The condensed text without its trailer; the text itself where it came back unchanged. */
export function condensed(text: string, command?: string, exitCode?: number): string {
  const plan = planOf(text, command, exitCode)
  return plan.changed ? plan.body : text
}

/** The strategy that condensed a text; null where it came back unchanged. */
export function strategyOf(text: string, command?: string): string | null {
  const plan = planOf(text, command)
  return plan.changed ? plan.strategy : null
}

function planOf(text: string, command?: string, exitCode?: number): FilterPlan {
  return planFilter(text, {
    ...(command !== undefined && { command }),
    ...(exitCode !== undefined && { exitCode }),
  })
}

const all = loadFixtures()

/** A recorded output. @throws where there is none of that name */
export function recorded(family: string, name: string): { text: string; command: string } {
  const found = all.find((fixture) => fixture.family === family && fixture.name === name)
  if (!found) throw new Error(`no fixture ${family}/${name}`)
  return found
}
