import { describe, expect, test } from 'vitest'
import { pytest } from '../../../src/engine/families/pytest.ts'
import { condense, condenseFixture, cuts, fixture, fixturesOf } from '../../support/condense.ts'

const count = (text: string, part: string): number => text.split(part).length - 1

describe('pytest', () => {
  test('lists each failure once, under its id, with its place', () => {
    const { text, by } = condenseFixture('pytest/default')
    expect(by).toBe('pytest')
    expect(count(text, 'tests/test_cart.py::test_too_many')).toBe(1)
    expect(text).toMatch(/FAILED tests\/test_cart\.py::test_too_many\n[\s\S]*?tests\/test_cart\.py:28: AssertionError/)
  })

  test('collection errors stay beside passing tests', () => {
    const { text } = condenseFixture('pytest/collection-errors')
    expect(text).toContain('ERROR collecting tests/test_orders.py')
    expect(text).toContain("E   ModuleNotFoundError: No module named 'orders_api'")
    expect(text).toContain('1 failed, 455 passed, 3 errors in')
    expect(text).not.toContain('site-packages')
  })

  test('names a failure whose body stands above', () => {
    const { text } = condenseFixture('pytest/default')
    expect(text).toContain('ERROR at setup of tests/test_db.py::test_insert\n  as above')
    expect(count(text, 'E       ConnectionRefusedError')).toBe(1)
  })

  test('tells the skipped tests that -v names, and the skips that letters count', () => {
    expect(condenseFixture('pytest/verbose').text).toContain(
      'SKIPPED tests/test_marks.py::test_printer (needs a printer',
    )
    expect(condenseFixture('pytest/attrs-regression').text).toContain('tests/test_functional.py: 3 skipped')
  })

  test.each([
    ['pytest/all-passing-verbose', 3],
    ['pytest/verbose', 3],
    ['pytest/xdist-verbose', 3],
  ])('%s cut off is said to be so, and no count of passed tests is claimed', (name, keep) => {
    const { text, command } = fixture(name)
    for (const cut of cuts(text, keep)) {
      const made = condense(cut, { command, exitCode: 137 })
      expect(made.text).toContain('incomplete: the output ends without a verdict of pytest')
      expect(made.text).not.toMatch(/\d passed/)
    }
  })

  test('a test handed to a worker that never reported is named', () => {
    const { text, command } = fixture('pytest/xdist-verbose')
    const cut = text.split('\n').slice(0, 15).join('\n')
    expect(condense(cut, { command }).text).toContain('started, without a result: tests/test_cart.py::test_total')
  })

  test('folds frames of libraries, and keeps the frame that crashed', () => {
    const { text } = condenseFixture('pytest/crash')
    expect(text).toContain('Fatal Python error: Segmentation fault')
    expect(text).toContain('tests/test_native.py", line 9 in test_reads_null')
    expect(text).not.toContain('pluggy/')
    expect(condenseFixture('pytest/internal-error').text).toContain(
      "INTERNALERROR> AttributeError: 'Function' object has no attribute 'priority'",
    )
  })

  test('ids that hold " - " are read whole', () => {
    const text = [
      '=================================== FAILURES ===================================',
      '_____________________________ test_range[a - b] ______________________________',
      '',
      '    def test_range(text):',
      ...Array.from({ length: 30 }, (_, i) => `        step_${i}()`),
      '>       assert parse(text) == 3',
      'E       AssertionError: assert 2 == 3',
      '',
      'tests/test_range.py:40: AssertionError',
      '=========================== short test summary info ============================',
      'FAILED tests/test_range.py::test_range[a - b] - AssertionError: assert 2 == 3',
      '1 failed, 8 passed in 0.05s',
      '',
    ].join('\n')
    const made = condense(text, { command: 'pytest -q' }).text
    expect(made).toContain('FAILED tests/test_range.py::test_range[a - b]\n')
    expect(count(made, 'test_range[a - b]')).toBe(1)
    expect(made).not.toContain('step_7')
  })

  test('long captured output keeps head, tail and trouble', () => {
    const log = Array.from({ length: 400 }, (_, i) => (i === 200 ? 'disk quota exceeded: WARNING' : `polling ${i}`))
    const text = [
      '=================================== FAILURES ===================================',
      '__________________________________ test_poll ___________________________________',
      '',
      '>       assert done',
      'E       assert False',
      '',
      'tests/test_poll.py:4: AssertionError',
      '----------------------------- Captured stdout call -----------------------------',
      ...log,
      '=========================== short test summary info ============================',
      'FAILED tests/test_poll.py::test_poll - assert False',
      '1 failed in 0.05s',
      '',
    ].join('\n')
    const made = condense(text, { command: 'pytest -q' }).text
    for (const kept of ['polling 0\n', 'polling 399\n', 'disk quota exceeded']) expect(made).toContain(kept)
    expect(made).not.toContain('polling 150\n')
    expect(made).toMatch(/\[filtered: 354 lines elided: captured output\]/)
  })

  test('refuses what only looks alike', () => {
    for (const line of [
      '=== 3 passed the gate ===',
      '======== FAILURES of the week ========',
      'In 2024, 3 passed in 2 s',
      '==== migration finished in 3 s ====',
    ])
      expect(pytest.detect([line])).toBe(false)
  })
})

test('that a run was interrupted survives a small bound by the caller', () => {
  const banners = (text: string): string[] => text.split('\n').filter((line) => /^!{3,} .* !{3,}$/.test(line))
  for (const { text, name } of fixturesOf('pytest').filter((each) => banners(each.text).length > 0)) {
    const { text: shown } = condense(text, { command: 'pytest', exitCode: 2, maxTokens: 250 })
    expect(banners(shown), name).toEqual(banners(text))
  }
})
