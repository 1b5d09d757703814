import { describe, expect, it } from 'vitest'
import { runRuleTests } from '../../src/config/check.ts'
import { parseConfig } from '../../src/config/settings.ts'

const CONFIG = String.raw`
filters:
  rules:
    - match: "^make check"
      strategy: dedup
    - match: "^make\\b"
      strip_lines: ["^make\\[", "^cc "]
      on_empty: "make: done"
      tests:
        - input: |
            make[1]: Entering directory '/src'
            cc -c a.c
            warning: unused variable
          expect: "warning: unused variable"
        - input: "cc -c a.c: error: no such file"
          expect: "cc -c a.c: error: no such file"
        - input: "cc -c a.c"
          exit_code: 0
          command: "cd src && make -j8"
          expect: "make: done"
        - input: "cc -c a.c"
          expect: ""
`

describe('the tests of rules', () => {
  it('pass where the rule does what they say', async () => {
    expect(runRuleTests(await parseConfig(CONFIG, 'a'))).toEqual({ ran: 4, failures: [] })
  })

  it('tell the first line that differs, and a rule that does not hold', async () => {
    const wrong = CONFIG.replace('expect: "warning: unused variable"', 'expect: "nothing"')
      .replace('make -j8', 'make check')
      .replace('          expect: ""', '          expect: "a\\nb"')
    expect(runRuleTests(await parseConfig(wrong, 'a')).failures).toEqual([
      { name: 'rule 2, test 1', difference: 'line 1\n  expected: "nothing"\n  got:      "warning: unused variable"' },
      { name: 'rule 2, test 3', difference: 'rule 1 holds first for "cd src && make check"' },
      { name: 'rule 2, test 4', difference: 'line 1\n  expected: "a"\n  got:      (no line)' },
    ])
  })
})
