import { describe, expect, test } from 'vitest'
import { jest } from '../../../src/engine/families/jest.ts'
import { vitest } from '../../../src/engine/families/vitest.ts'
import { condense, condenseFixture, cuts, fixture } from '../../support/condense.ts'

describe('vitest', () => {
  test('lists each failure once, with its diff and its own frames', () => {
    const { text, by } = condenseFixture('vitest/verbose')
    expect(by).toBe('vitest')
    expect(text.split('checkout > pays the gross sum')).toHaveLength(2)
    expect(text).toContain('❯ checkout src/cart.ts:24:16')
    expect(text).not.toContain('counts lines')
  })

  test('suites that fail to load are no "0 failed"', () => {
    const { text } = condenseFixture('vitest/suites-fail-to-load')
    expect(text).toContain('Failed Suites 5')
    expect(text).toContain("Cannot find module '../src/no-such-module.ts'")
  })

  test('errors outside tests stay, though every test passed', () => {
    const { text } = condenseFixture('vitest/unhandled')
    expect(text).toContain('Unhandled Rejection')
    expect(text).toContain('timer went off after its owner was gone')
    expect(text).not.toContain('node_modules')
  })

  test('skipped tests and obsolete snapshots keep their names', () => {
    const { text } = condenseFixture('vitest/failing')
    expect(text).toContain('↓ test/cart.test.ts > totals > rounds half to even')
    expect(text).toContain('· slug > is gone 1')
  })

  test('annotations for a CI runner repeat the failures', () => {
    expect(condenseFixture('vitest/ci').text).not.toContain('::error')
  })

  test('what a redrawn window counted on the way is no verdict', () => {
    const { text } = condenseFixture('vitest/tty')
    expect(text.match(/^ +Tests {2}/gm)).toHaveLength(1)
  })

  test('the JSON report is read, with the counts of the tool', () => {
    const { text, by } = condenseFixture('vitest/json')
    expect(by).toBe('vitest-json')
    expect(text).toContain('numFailedTests 12')
    expect(text).toContain('failed: totals multiplies by the quantity')
    expect(text).not.toContain('node_modules')
  })

  test.each(['vitest/failing', 'vitest/verbose', 'vitest/many-passing', 'vitest/many-passing-verbose'])(
    '%s cut off is said to be so',
    (name) => {
      const { text, command } = fixture(name)
      for (const cut of cuts(text, 12)) {
        const made = condense(cut, { command, exitCode: 137 }).text
        expect(made).toContain('incomplete: the output ends without a verdict of vitest')
        expect(made).not.toMatch(/Test Files|Tests {2}/)
      }
    },
  )

  test('failures of a list without a report stay', () => {
    const { text, command } = fixture('vitest/many-passing')
    const cut = text.slice(0, text.indexOf('Failed Tests'))
    expect(condense(cut, { command }).text).toContain('× many/m37.test.ts > module 37 > case 4 holds')
  })

  test('refuses what only looks alike', () => {
    expect(vitest.detect([' RUN  the tests', ' ✓ done'])).toBe(false)
    expect(vitest.detect(['Test Files  3 passed (3)'])).toBe(false)
    expect(vitest.detect(fixture('jest/failing').text.split('\n'))).toBe(false)
    expect(jest.detect(fixture('vitest/no-colour').text.split('\n'))).toBe(false)
  })
})
