import { describe, expect, test } from 'vitest'
import { mocha } from '../../../src/engine/families/mocha.ts'
import { nodeTest } from '../../../src/engine/families/node-test.ts'
import { playwright } from '../../../src/engine/families/playwright.ts'
import { unittest } from '../../../src/engine/families/unittest.ts'
import { condense, condenseFixture, cuts, fixture, fixturesOf } from '../../support/condense.ts'

describe('a run that was stopped', () => {
  const passing = (text: (i: number) => string): string[] => Array.from({ length: 60 }, (_, i) => text(i))
  test.each([
    ['vitest run --reporter=dot', [' RUN  v3.0.0 /p', '', ...passing(() => '·'.repeat(70))], '··x···x·······'],
    ['mocha -R dot', ['', ...passing(() => `  ${'.'.repeat(70)}`)], '  ..!....!..'],
    ['borp --reporter dot', passing(() => '.'.repeat(20)), '..X...X.....'],
    [
      'vitest run',
      [' RUN  v3.0.0 /x', '', ...passing((i) => ` ✓ src/a${i}.test.ts (3 tests) 5ms`)],
      ' ❯ src/b.test.ts 2/5',
    ],
    ['jest', passing((i) => `PASS src/a${i}.test.js`), 'RUNS  src/hang.test.js'],
    ['playwright test', ['Running 99 tests using 1 worker', '', ...passing(() => '·'.repeat(70))], '··×···F·'],
    [
      'playwright test',
      passing((i) => `[${i}/99] [chromium] › a.spec.ts:${i}:1 › works`),
      '[61/99] [chromium] › b.spec.ts:1:1 › hangs',
    ],
    ['playwright test', passing((i) => `  ✓  ${i} a.spec.ts:${i}:1 › works (1ms)`), '     61 b.spec.ts:1:1 › hangs'],
  ])('%s keeps what alone tells of failures and of what ran last', (command, before, last) => {
    const { text } = condense([...before, last].join('\n'), { command, exitCode: 137 })
    expect(text.split('\n')).toContain(last)
    expect(text.length).toBeLessThan(before.join('\n').length)
    if (!before[0]?.startsWith('  ✓') && !before[0]?.startsWith('[')) expect(text).toContain('incomplete: ')
  })

  test("jest's counts below the files that run are no verdict", () => {
    const lines = passing((i) => `PASS src/a${i}.test.js`)
    lines.push(
      '',
      ' RUNS  src/hang.test.js',
      '',
      'Test Suites: 60 passed, 60 of 61 total',
      'Tests:       300 passed, 300 total',
    )
    const { text } = condense(lines.join('\n'), { command: 'jest', exitCode: 137 })
    expect(text).toContain('incomplete: the output ends without a verdict of jest')
    expect(text).toContain(' RUNS  src/hang.test.js')
  })

  test('a file of the last window that ended is not said to run', () => {
    const lines = [' RUN  v3.0.0 /x', '', ...passing((i) => ` ✓ src/a${i}.test.ts (3 tests) 5ms`)]
    lines.push(' ❯ src/b.test.ts 2/5', ' ❯ src/c.test.ts [queued]', ' ✓ src/b.test.ts (5 tests) 5ms')
    const { text } = condense(lines.join('\n'), { command: 'vitest run', exitCode: 137 })
    expect(text).toContain(' ❯ src/c.test.ts [queued]')
    expect(text).not.toContain('src/b.test.ts 2/5')
  })
})

describe('unittest', () => {
  test('failures, skips and unexpected successes stay, passing tests go', () => {
    const { text, by } = condenseFixture('unittest/failing-verbose')
    expect(by).toBe('unittest')
    for (const kept of [
      "... skipped 'waits for the new bank API'",
      '... unexpected success',
      'FAIL: test_two (tests.test_ledger.BalanceTest.test_two)',
      'AssertionError: 3 != 4 : ledger does not add up',
      'FAILED (failures=5, errors=5',
    ])
      expect(text).toContain(kept)
    expect(text).not.toContain('... ok')
    expect(text.split('test_bad_amount (')).toHaveLength(2)
  })

  test('cut off, it is said to be so', () => {
    const { text, command } = fixture('unittest/ok-verbose')
    for (const cut of cuts(text, 6)) {
      const made = condense(cut, { command }).text
      expect(made).toContain('incomplete: the output ends without a verdict of unittest')
      expect(made).not.toMatch(/^OK/m)
    }
  })

  test('refuses what only looks alike', () => {
    expect(unittest.detect(['Ran 3 tests in 2.001s'])).toBe(false)
    expect(unittest.detect(['OK'])).toBe(false)
  })
})

describe('node --test', () => {
  test('failures stay once, with actual and expected where Node did not write the message', () => {
    const { text, by } = condenseFixture('node-test/failing-spec')
    expect(by).toBe('node-test')
    expect(text.split('takes VAT')).toHaveLength(2)
    expect(text).toContain('# needs a database')
    expect(text).toMatch(/the second is wrong\n[\s\S]*? {4}actual: false,/)
    expect(text).not.toContain('node:internal')
  })

  test('TAP: points that pass go with their diagnostics, others stay', () => {
    const { text, by } = condenseFixture('node-test/failing-tap')
    expect(by).toBe('tap')
    expect(text).toContain('ok 3 - is skipped for a reason # SKIP needs a database')
    expect(text).toContain('not ok 2 - takes VAT')
    expect(text).not.toContain('sums lines')
    expect(text).not.toContain('node:internal')
  })

  test('files that fail to load, and asynchronous errors after a test, stay', () => {
    const { text } = condenseFixture('node-test/files-fail')
    expect(text).toContain("Cannot find module '/home/dev/nodetest/test/gone.js'")
    expect(text).toContain('generated asynchronous activity after the test ended')
  })

  test('a TAP stream cut off is said to be so', () => {
    const { text, command } = fixture('node-test/many-tap')
    for (const cut of cuts(text, 12)) expect(condense(cut, { command }).text).toContain('incomplete: ')
  })

  test('refuses what only looks alike', () => {
    expect(nodeTest.detect(['ok 1 - a', 'not ok 2 - b'])).toBe(false)
    expect(nodeTest.detect(['# tests 3', 'a heading'])).toBe(false)
  })
})

describe('mocha', () => {
  test('failures with both forms of their diff, hooks and pending tests stay', () => {
    const { text, by } = condenseFixture('mocha/failing')
    expect(by).toBe('mocha')
    for (const kept of [
      '- Ledger > #transfer() > is atomic',
      '"before all" hook for "inserts"',
      '      +1250',
      '6 failing',
    ])
      expect(text).toContain(kept)
    expect(text).not.toContain('adds 1 to 60')
    expect(text).not.toContain('node:internal')
  })

  test('cut off, it is said to be so, and failures of the list stay', () => {
    const { text, command } = fixture('mocha/failing')
    const made = condense(text.slice(0, text.indexOf('  121 passing')), { command }).text
    expect(made).toContain('incomplete: the output ends without a verdict of mocha')
    expect(made).toContain('failed: Ledger > #transfer() > moves cents')
  })

  test('refuses what only looks alike', () => {
    expect(mocha.detect(['  12 passing tests', '12 passing (3s)'])).toBe(false)
  })
})

describe('playwright', () => {
  test('a retry that says the same is named once; flaky and skipped tests keep their names', () => {
    const { text, by } = condenseFixture('playwright/list')
    expect(by).toBe('playwright')
    expect(text).toContain('Retry #1: the same')
    expect(text.split('"vat": 475,')).toHaveLength(2)
    expect(text).toContain('- [api] › tests/cart.spec.ts:8:8 › cart › is skipped')
    expect(text).toContain('cart › is flaky @daily')
    expect(text).not.toContain('page 7 has a title')
  })

  test('the JSON report is read, with the counts of the tool', () => {
    const { text, by } = condenseFixture('playwright/json')
    expect(by).toBe('playwright-json')
    expect(text).toContain('"unexpected": 5')
    expect(text).toContain('(26 passing tests left out)')
  })

  test('cut off, it is said to be so', () => {
    const { text, command } = fixture('playwright/list')
    for (const cut of cuts(text, 14)) {
      const made = condense(cut, { command }).text
      expect(made).toContain('incomplete: the output ends without a verdict of playwright')
      expect(made).not.toMatch(/\d passed/)
    }
  })

  test('refuses what only looks alike', () => {
    expect(playwright.detect(['Running 3 tests', 'a › b'])).toBe(false)
  })
})

test.each(['pytest', 'unittest', 'vitest', 'jest', 'mocha', 'playwright', 'node-test'])(
  '%s outputs are known without their command as well, and as no other family',
  (family) => {
    for (const { name, text } of fixturesOf(family)) {
      const { by } = condense(text)
      const known = [
        family,
        `${family}-json`,
        'tap',
        'json',
        'json-columns',
        'small',
        'not-smaller',
        'dedup',
        'window',
        'terminal',
      ]
      expect(known, `${family}/${name} by ${by}`).toContain(by)
    }
  },
)
