import { describe, expect, test } from 'vitest'
import { jest } from '../../../src/engine/families/jest.ts'
import { condense, condenseFixture, cuts, fixture } from '../../support/condense.ts'

describe('jest', () => {
  test('lists each failure once', () => {
    const { text, by } = condenseFixture('jest/verbose')
    expect(by).toBe('jest')
    expect(text.split('records an entry')).toHaveLength(2)
    expect(text).toContain('○ Ledger › transfer › skipped is atomic')
    expect(text).not.toContain('refuses fractions')
  })

  test('suites that did not run keep their reason and their own frames', () => {
    const { text } = condenseFixture('jest/suites-fail-to-run')
    expect(text).toContain("Cannot find module '../../src/no-such-module'")
    expect(text).toContain('Unexpected token (2:0)')
    expect(text).not.toContain('node_modules')
  })

  test('what is printed twice stands once', () => {
    const { text } = fixture('jest/failing')
    const at = text.indexOf('Snapshot Summary')
    const blocks = text.slice(text.indexOf('  ● Ledger'), text.indexOf(' › 1 snapshot failed'))
    const twice = `${text.slice(0, at)}Summary of all failing tests\nFAIL jest/ledger.test.js\n${blocks}\n${text.slice(at)}`
    const made = condense(twice, { command: 'npx jest' }).text
    expect(made.split('● Ledger › transfer › moves cents')).toHaveLength(2)
    expect(made).toContain('repeats of the failures above')
  })

  test('open handles and a run that does not exit are told', () => {
    expect(condenseFixture('jest/open-handles').text).toContain('●  TCPSERVERWRAP')
    expect(condenseFixture('jest/did-not-exit').text).toContain('Jest did not exit one second after')
  })

  test('a JSON report beside the usual one tells names and counts', () => {
    const { text, by } = condenseFixture('jest/json')
    expect(by).toBe('jest-json')
    expect(text).toContain('failed: Ledger transfer moves cents')
    expect(text.split('Received: 1300')).toHaveLength(2)
  })

  test.each(['jest/failing', 'jest/verbose', 'jest/many-passing-verbose'])('%s cut off is said to be so', (name) => {
    const { text, command } = fixture(name)
    for (const cut of cuts(text, 12)) {
      const made = condense(cut, { command, exitCode: 137 }).text
      expect(made === cut || made.includes('incomplete: the output ends without a verdict of jest')).toBe(true)
      expect(made).not.toMatch(/^Tests: /m)
    }
  })

  test('refuses what only looks alike', () => {
    expect(jest.detect(['Tests: 3 passed', 'Test Suites: see below'])).toBe(false)
    expect(jest.detect(['PASS src/a.test.js', 'all good'])).toBe(false)
  })
})
