import { planFilter, renderFilter } from '../../src/engine/filter.ts'
import { PLACEHOLDER_ID } from '../../src/engine/marker.ts'
import { estimateTokens } from '../../src/engine/text/tokens.ts'
import { contextOf, type Fixture, loadFixtures, missingFacts } from '../support/fixtures.ts'

interface Row {
  cases: number
  before: number
  after: number
  facts: number
  listed: number
  kept: number
}

const factTokens = (facts: Fixture['facts']): number =>
  estimateTokens([...new Set(facts.map((fact) => (typeof fact === 'string' ? fact : fact.join(' '))))].join('\n'))

function measure(fixture: Fixture): Row {
  const plan = planFilter(fixture.text, contextOf(fixture))
  const facts = [...fixture.facts, ...(plan.changed ? fixture.places : [])]
  const text = plan.changed ? renderFilter(plan, PLACEHOLDER_ID) : fixture.text
  return {
    cases: 1,
    before: plan.tokensBefore,
    after: plan.changed ? plan.tokensAfter : plan.tokensBefore,
    facts: factTokens(facts),
    listed: facts.length,
    kept: facts.length - missingFacts(facts, text).length,
  }
}

function add(into: Map<string, Row>, key: string, row: Row): void {
  const sum = into.get(key) ?? { cases: 0, before: 0, after: 0, facts: 0, listed: 0, kept: 0 }
  into.set(key, {
    cases: sum.cases + row.cases,
    before: sum.before + row.before,
    after: sum.after + row.after,
    facts: sum.facts + row.facts,
    listed: sum.listed + row.listed,
    kept: sum.kept + row.kept,
  })
}

const columns = ['family', 'cases', 'tokens before', 'after', 'saved', 'facts alone', 'after / facts', 'facts kept']

function line(name: string, row: Row): string[] {
  const saved = `${(100 * (1 - row.after / row.before)).toFixed(1)} %`
  return [
    name,
    `${row.cases}`,
    `${row.before}`,
    `${row.after}`,
    saved,
    `${row.facts}`,
    (row.after / row.facts).toFixed(2),
    `${row.kept} / ${row.listed}`,
  ]
}

/** Prints, over the fixtures, what the filter saves per family (or per case), and whether the listed facts survive. */
export function reportFamilies(perCase: boolean): void {
  const rows = new Map<string, Row>()
  const all = new Map<string, Row>()
  for (const fixture of loadFixtures()) {
    const row = measure(fixture)
    add(rows, perCase ? `${fixture.family}/${fixture.name}` : fixture.family, row)
    add(all, 'all together', row)
  }
  console.log('## Filter, per family, over the recorded outputs\n')
  console.log(`| ${columns.join(' | ')} |\n|---|${'--:|'.repeat(columns.length - 1)}`)
  for (const [name, row] of [...rows, ...all]) console.log(`| ${line(name, row).join(' | ')} |`)
}
