import { expect, test } from 'vitest'
import { golangciLint } from '../../../src/engine/families/golangci-lint.ts'
import { condenseAs } from '../../support/condense-as.ts'
import { loadFixtures } from '../../support/fixtures.ts'

const issue = (linter: string, file: string, line: number, text: string, severity = ''): object => ({
  FromLinter: linter,
  Text: text,
  Severity: severity,
  SourceLines: ['\tsecret()'],
  Pos: { Filename: file, Line: line, Column: 2 },
})

test('JSON keeps every place, counts by linter, and says the usual severity once', () => {
  const text = JSON.stringify({
    Issues: [
      issue('errcheck', 'a/a.go', 3, 'not checked'),
      issue('gosec', 'a/a.go', 5, 'weak', 'high'),
      issue('gosec', 'b/b.go', 7, 'weak', 'high'),
      issue('revive', 'b/b.go', 8, 'one', 'warning'),
      issue('revive', 'b/b.go', 9, 'two', 'error'),
    ],
    Report: { Linters: [{ Name: 'asciicheck' }] },
  })
  const { body, strategy } = condenseAs(golangciLint, text)
  expect(strategy).toBe('golangci-json')
  expect(
    body,
  ).toBe(`5 issues in the JSON: gosec (high) 2, revive 2, errcheck 1; source lines, fixes, list of linters left out
a/a.go
 3:2 not checked (errcheck)
 5:2 weak (gosec)
b/b.go
 7:2 weak (gosec)
 8:2 one (revive, warning)
 9:2 two (revive, error)`)
})

test('an error or a warning in the report is told', () => {
  const text = '{"Issues":[],"Report":{"Warnings":[{"Tag":"runner","Text":"slow"}],"Error":"context loading failed"}}'
  const { body } = condenseAs(golangciLint, text)
  expect(body).toContain('Error: context loading failed')
  expect(body).toContain('warning: runner: slow')
})

test('JSON that is cut off is said to be so, at any length', () => {
  for (const name of ['v1-json', 'v2-json']) {
    const whole =
      loadFixtures().find((fixture) => fixture.family === 'golangci-lint' && fixture.name === name)?.text ?? ''
    for (const length of [60, 700, 3001, whole.length - 20]) {
      const { body, fault } = condenseAs(golangciLint, whole.slice(0, length))
      expect(fault).toBeNull()
      expect(body).toMatch(/^incomplete: /)
      expect(body).not.toContain('issues')
    }
  }
})

test('a message that many files share stands once above all its places', () => {
  const text = ['a', 'b', 'c', 'd']
    .map((name) => `${name}/${name}_test.go:16:24: unused-parameter: parameter 't' seems to be unused (revive)`)
    .join('\n')
  expect(condenseAs(golangciLint, text).body).toBe(
    "4 places: unused-parameter: parameter 't' seems to be unused (revive)\n a/a_test.go b/b_test.go c/c_test.go d/d_test.go 16:24",
  )
})

test('messages that differ in values stand once, the values behind each place', () => {
  const issue = (file: string, place: string, what: string): string =>
    `${file}.go:${place}: exported: exported ${what} should have comment or be unexported (revive)`
  const text = [
    issue('cart/cart', '9:6', 'type Item'),
    issue('cart/cart', '17:1', 'method Cart.Add'),
    'cart/cart.go:3:1: ineffectual assignment to x (ineffassign)',
    issue('api/api', '4:6', 'type Request'),
  ].join('\n')
  expect(
    condenseAs(golangciLint, text).body,
  ).toBe(`3 places, each with its {}: exported: exported {} should have comment or be unexported (revive)
 cart/cart.go 9:6 type Item; 17:1 method Cart.Add
 api/api.go 4:6 type Request
cart/cart.go
 3:1 ineffectual assignment to x (ineffassign)`)
})

test('a run that failed stays whole, whatever tally stands below', () => {
  const text = 'level=error msg="[linters_context] typechecking error: pattern ./nowhere/..."\n0 issues.'
  expect(condenseAs(golangciLint, text).body).toBe(text)
})

test('a place and parentheses alone are not its form', () => {
  expect(golangciLint.detect(['a.go:3:5: call of f (main)', '2 issues:', 'done'])).toBe(false)
})
