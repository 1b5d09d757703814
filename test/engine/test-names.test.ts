import { describe, expect, test } from 'vitest'
import { factsOf } from '../../src/engine/signals.ts'

const keys = (line: string): string[] => [...factsOf([line]).keys()]

describe('names of failed tests', () => {
  test.each([
    'FAILED tests/a.py::TestB::test_c[x] - AssertionError: assert 1 == 2',
    'ERROR at setup of tests/a.py::TestB::test_c[x]',
    'tests/a.py::TestB::test_c[x] FAILED                                      [  4%]',
    '[gw1] [  8%] FAILED tests/a.py::TestB::test_c[x] ',
  ])('one test of pytest is one fact: %s', (line) => {
    expect(keys(line)).toEqual(['failed-test tests/a.py::TestB::test_c[x]', 'failed-test TestB.test_c[x]'])
  })

  test('the heading over a failure is the same test', () => {
    expect(keys('___________ TestB.test_c[x] ___________')).toEqual(['failed-test TestB.test_c[x]'])
    expect(keys('______ ERROR collecting tests/a.py ______')).toEqual(['failed-test tests/a.py'])
  })

  test('a name in a list and the name in a report share a fact, whatever time they took', () => {
    expect(keys('   × holds 12ms')).toEqual(['failed-test holds'])
    expect(keys('  ✕ holds (12 ms)')).toEqual(['failed-test holds'])
    expect(keys(' FAIL  src/a.test.ts > suite > holds')).toContain('failed-test holds')
    expect(keys('  ● suite › holds')).toContain('failed-test holds')
  })

  test('code and frames that name an error are no facts', () => {
    for (const line of [
      '    except KeyError as error:',
      '        raise NotImplementedError',
      '      at Parser.toParseError [as raise] (../node_modules/parser/index.ts:15:19)',
      'INTERNALERROR>   File "/x/_pytest/main.py", line 3, in wrap_session',
    ])
      expect(keys(line)).toEqual([])
    expect(keys("INTERNALERROR> KeyError: 'x'")).toHaveLength(1)
  })

  test("an annotation says its message's first line", () => {
    const plain = keys('Error: card declined')
    expect(keys('::error file=/a.ts,title=a > b,line=3,column=4::Error: card declined%0A at x')).toEqual(plain)
    expect(keys('::warning file=/a.ts::Error: old')).toEqual([])
  })

  test('counts in a window that is redrawn are no verdict, the last ones are', () => {
    const window = [
      ' ❯ test/a.test.ts 1/2',
      '',
      ' Test Files  0 passed (1)',
      '      Tests  1 failed | 0 passed (2)',
      '   Duration  1s',
    ]
    const end = [' Test Files  1 failed (1)', '      Tests  2 failed (2)', '   Duration  2s']
    expect([...factsOf([...window, ...end]).values()].map((fact) => fact.line)).toEqual([5, 6])
  })

  test('long hostile lines cost no more than their length', () => {
    const lines = [
      `${'a::b FAILED '.repeat(160)}x`,
      `FAILED ${'.py'.repeat(600)}`,
      `${' [ 4%'.repeat(400)}`,
      `  1) [api] › ${'─ '.repeat(900)}`,
      `a (${')'.repeat(1900)} ... FAIL`,
    ]
    expect(factsOf(Array.from({ length: 4000 }, (_, i) => lines[i % lines.length] ?? '')).size).toBeLessThan(20)
  })
})
