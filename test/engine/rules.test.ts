import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { families } from '../../src/engine/families/all.ts'
import { DEFAULT_FILTER_OPTIONS, type FilterContext, planFilter, renderFilter } from '../../src/engine/filter.ts'
import { PLACEHOLDER_ID } from '../../src/engine/marker.ts'
import { tryRule } from '../../src/engine/rule-trial.ts'
import { decisiveCommandOf, type Rule, type RuleAction, ruleFor, strategyNames } from '../../src/engine/rules.ts'
import { factsOf } from '../../src/engine/signals.ts'
import type { LineRules } from '../../src/engine/strategies/line-rules.ts'
import { estimateTokens } from '../../src/engine/text/tokens.ts'
import { loadFixtures } from '../support/fixtures.ts'
import { someCommand, toolOutput } from '../support/outputs.ts'

const rule = (match: RegExp, action: RuleAction, number = 1, when: Rule['when'] = null): Rule => ({
  number,
  match: (text) => match.test(text),
  when,
  action,
})
const byName = (name: string): RuleAction => ({ kind: 'strategy', name })
const byLines = (rules: LineRules): RuleAction => ({ kind: 'lines', rules })
const plan = (text: string, context: FilterContext, ...rules: Rule[]) =>
  planFilter(text, context, { ...DEFAULT_FILTER_OPTIONS, rules })
const filtered = (text: string, context: FilterContext, ...rules: Rule[]): string => {
  const made = plan(text, context, ...rules)
  return made.changed ? renderFilter(made, PLACEHOLDER_ID) : text
}
const compile = (count: number) => Array.from({ length: count }, (_, i) => `cc -O2 -c file${i}.c`).join('\n')

describe('the rule that holds', () => {
  const rules = [
    rule(/^make\b/, byName('dedup'), 1, 'failure'),
    rule(/^make\b/, byName('window'), 2),
    rule(/^vitest run/, byName('none'), 3),
  ]
  const chosen = (
    command: string,
    exitCode: number | null = null,
    program: { name: string; args: string[] } | null = null,
  ) => ruleFor(rules, { command, program, exitCode })?.number ?? null

  test('is the first whose pattern and outcome fit', () => {
    expect(chosen('make all', 2)).toBe(1)
    expect(chosen('make all', 0)).toBe(2)
    expect(chosen('make all')).toBe(2)
    expect(chosen('cmake all', 2)).toBe(null)
    expect(chosen('')).toBe(null)
  })

  test("may fit the program's own words behind variables and wrappers", () => {
    expect(chosen('CI=1 npx vitest run', null, { name: 'vitest', args: ['run'] })).toBe(3)
    expect(plan(compile(200), { command: 'cd x && CI=1 npx vitest run 2>&1 | tail -50' }, ...rules)).toMatchObject({
      changed: false,
      reason: 'rule',
    })
  })

  test('goes before the families, and is named in the trailer', () => {
    const made = plan(compile(200), { command: 'make' }, rule(/^make/, byLines({ headLines: 3 }), 7))
    expect(made).toMatchObject({ changed: true, strategy: 'rule-7', lines: { in: 200, kept: 3, elided: 197 } })
    expect(made.changed && made.body).toContain('[filtered: 197 lines elided: lines outside head and tail of rule 7]')
  })

  test('lets an exit code count that proves nothing for neither outcome', () => {
    const onlyFailure = rule(/make/, byLines({ headLines: 3 }), 1, 'failure')
    expect(plan(compile(200), { command: 'make', exitCode: 2 }, onlyFailure)).toMatchObject({ strategy: 'rule-1' })
    expect(plan(compile(200), { command: 'make | tee log', exitCode: 2 }, onlyFailure)).not.toMatchObject({
      strategy: 'rule-1',
    })
  })
})

describe('strategies by name', () => {
  test('accepts the families and the names that they go by', () => {
    for (const name of [
      'go-test',
      'go-test-json',
      'golangci-json',
      'git-status-stats',
      'git-status',
      'error-only',
      'dedup',
    ])
      expect(strategyNames).toContain(name)
  })

  test('runs a family for a command that is not its own', () => {
    const fixture = loadFixtures().find(({ family, name }) => family === 'go-test' && name === 'json-failing')
    const text = fixture?.text ?? ''
    expect(plan(text, { command: './scripts/check.sh' }, rule(/check/, byName('go-test-json')))).toMatchObject({
      changed: true,
      family: 'go-test',
      strategy: 'go-test-json',
      warnings: [],
    })
  })

  test('falls back with a warning where the text is not what the strategy knows', () => {
    expect(plan(compile(200), { command: 'make' }, rule(/make/, byName('structure-only'), 4))).toMatchObject({
      warnings: ['rule 4 does not fit this output'],
    })
  })
})

describe('decision-driving commands', () => {
  const status = [
    'On branch main',
    'Changes not staged for commit:',
    '  (use "git add <file>..." to update what will be committed)',
    ...Array.from({ length: 60 }, (_, i) => `\tmodified:   src/part/file${i}.ts`),
    '',
    'no changes added to commit (use "git add" and/or "git commit -a")',
  ].join('\n')

  test('are never told by counts alone', () => {
    for (const name of ['stats', 'structure-only']) {
      const made = plan(status, { command: 'git status' }, rule(/./, byName(name)))
      expect(made).toMatchObject({
        strategy: 'git-status-stats',
        warnings: [expect.stringContaining('refused for git-status')],
      })
    }
    expect(
      plan('{"a":1}\n'.repeat(400), { command: 'git diff --json' }, rule(/./, byName('structure-only'))).warnings,
    ).toEqual([expect.stringContaining('is refused')])
  })

  test.each<[string, RuleAction]>([
    ['max_lines', byLines({ maxLines: 2 })],
    ['keep_lines', byLines({ keepLines: [() => false] })],
    ['tail_lines', byLines({ tailLines: 1 })],
    ['error-only', byName('error-only')],
    ['window', byName('window')],
  ])('keep their items under %s', (_, action) => {
    const result = filtered(status, { command: 'git status', exitCode: 0 }, rule(/status/, action))
    for (let i = 0; i < 60; i += 1) expect(result).toContain(`file${i}.ts`)
  })

  test.each([[/^go test/], [/./], [/git/], [/^git diff/], [/status/]])('are found by %o', (match) => {
    expect(decisiveCommandOf((text) => match.test(text))).not.toBe(null)
  })
  test.each([
    [/^pytest -q/, 'pytest'],
    [/^pytest\s+-q\b/, 'pytest'],
    [/^(?:jest|vitest) --run$/, 'vitest'],
    [/^npm test/, 'npm test'],
    [/^(?:pnpm|yarn) run test -- --ci/, 'yarn run test'],
    [/^go test -race/, 'go test'],
  ])('are found behind the words of %o', (match, command) => {
    const found = decisiveCommandOf((text) => match.test(text), match.source)
    expect([command, 'jest']).toContain(found)
  })
  test.each([[/^make/], [/^cargo metadata/], [/^kubectl/], [/^npm install pytest/], [/^ls tests/], [/^git log -q/]])(
    'are not found by %o, with its words',
    (match) => {
      expect(decisiveCommandOf((text) => match.test(text), match.source)).toBe(null)
    },
  )
  test.each([[/^make/], [/^cargo metadata/], [/^kubectl/]])('are not found by %o', (match) => {
    expect(decisiveCommandOf((text) => match.test(text))).toBe(null)
  })

  test('keep the events of a failed test, whatever is stripped', () => {
    const events = [
      ...Array.from({ length: 80 }, (_, i) => `{"Action":"run","Package":"a/b","Test":"TestOk${i}"}`),
      '{"Action":"output","Package":"a/b","Test":"TestX","Output":"--- FAIL: TestX (0.00s)\\n"}',
      '{"Action":"fail","Package":"a/b","Test":"TestX"}',
    ]
    const result = filtered(
      events.join('\n'),
      { command: 'go test -json ./...' },
      rule(/go test/, byLines({ stripLines: [() => true] })),
    )
    expect(result).toContain('--- FAIL: TestX')
  })
})

const budgeted = new Set(families.filter((family) => family.budgeted).map((family) => family.name))

/** Any rule, made of any actions. */
const someLines = fc.record(
  {
    stripLines: fc.constantFrom([() => true], [(line: string) => line.length % 2 === 0]),
    dedup: fc.boolean(),
    truncateLinesAt: fc.integer({ min: 20, max: 200 }),
    headLines: fc.nat(20),
    tailLines: fc.nat(20),
    maxLines: fc.nat(40),
    onEmpty: fc.constant('nothing'),
  },
  { requiredKeys: [] },
)
const someRule = fc
  .oneof(
    fc.constantFrom(...strategyNames).map(byName),
    someLines.map((lines) => byLines(JSON.stringify(lines) === '{}' ? { dedup: true } : definedOf(lines))),
  )
  .map((action) => rule(/(?:)/, action))

function definedOf(lines: object): LineRules {
  return Object.fromEntries(Object.entries(lines).filter(([, value]) => value !== undefined))
}

describe('any rule on any output', () => {
  test('is never larger, gives each line one fate, and filters its own result to itself', () => {
    fc.assert(
      fc.property(toolOutput, someCommand, fc.constantFrom(0, 1), someRule, (text, command, exitCode, by) => {
        const context = { exitCode, ...(command !== undefined && { command }) }
        const made = plan(text, context, by)
        expect(made.lines.kept + made.lines.restated + made.lines.elided).toBe(made.lines.in)
        const result = filtered(text, context, by)
        expect(estimateTokens(result)).toBeLessThanOrEqual(estimateTokens(text))
        expect(filtered(result, context, by)).toBe(result)
        expect(filtered(text, context, by)).toBe(result)
      }),
      { numRuns: 150 },
    )
  })

  test('lets a planted error survive, as long as there is a budget for signals', () => {
    const planted = 'src/planted.ts(41,7): error TS2322: Type planted is not assignable'
    const options = { ...DEFAULT_FILTER_OPTIONS, signalBudget: 1_000_000, genericBudget: 1_000_000 }
    fc.assert(
      fc.property(fc.constantFrom(...loadFixtures()), fc.nat(), someRule, (fixture, at, by) => {
        // Families with a budget of their own choose among errors.
        fc.pre(!(by.action.kind === 'strategy' && budgeted.has(by.action.name)))
        const lines = fixture.text.toWellFormed().split('\n')
        lines.splice(at % (lines.length + 1), 0, planted)
        const text = lines.join('\n')
        const made = planFilter(text, { command: fixture.command, exitCode: 1 }, { ...options, rules: [by] })
        const facts = [...factsOf((made.changed ? made.body : text).split('\n')).keys()]
        for (const key of factsOf([planted]).keys()) expect(facts).toContain(key)
      }),
      { numRuns: 150 },
    )
  })
})

describe('a trial', () => {
  const strip = rule(/^make/, byLines({ stripLines: [(line) => line.startsWith('cc ')], onEmpty: 'built' }), 2)
  const rules = [rule(/^make check/, byName('dedup'), 1), strip]

  test('applies a rule to what is small, and puts errors back', () => {
    expect(tryRule(strip, rules, { input: 'cc a.c\nlink\n' })).toEqual({ chosen: null, text: 'link', refused: null })
    expect(tryRule(strip, rules, { input: 'cc a.c\n' }).text).toBe('')
    expect(tryRule(strip, rules, { input: 'cc a.c: fatal error: no input\nlink' }).text).toBe(
      'cc a.c: fatal error: no input\nlink',
    )
    expect(tryRule(strip, rules, { input: 'cc a.c\n', exitCode: 0 }).text).toBe('built')
  })

  test('says which rule holds for a command', () => {
    expect(tryRule(strip, rules, { input: 'x', command: 'make check' }).chosen).toBe(1)
    expect(tryRule(strip, rules, { input: 'x', command: 'ls' }).chosen).toBe(null)
  })

  test('says why a rule can not be followed', () => {
    const stats = rule(/./, byName('stats'))
    expect(tryRule(stats, [stats], { input: 'On branch main', command: 'git status' })).toMatchObject({
      text: null,
      refused: expect.stringContaining('refused'),
    })
    const structure = rule(/./, byName('structure-only'))
    expect(tryRule(structure, [structure], { input: 'no json' }).refused).toBe('the rule does not fit this output')
  })
})
