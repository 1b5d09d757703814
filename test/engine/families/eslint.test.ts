import { expect, test } from 'vitest'
import { eslint } from '../../../src/engine/families/eslint.ts'
import { condenseAs } from '../../support/condense-as.ts'
import { loadFixtures } from '../../support/fixtures.ts'

const message = (line: number, text: string): object => ({
  ruleId: 'no-undef',
  severity: 2,
  message: text,
  line,
  column: 3,
})
const json = (files: object[]): string => JSON.stringify(files)

test('one rule with many places takes one line, each place kept', () => {
  const text = `
/x/a.js
   1:1   warning  Unexpected var  no-var
  12:10  error    'q' is not defined  no-undef
  13:2   warning  Unexpected var  no-var

✖ 3 problems (1 error, 2 warnings)
  0 errors and 2 warnings potentially fixable with the \`--fix\` option.
`
  expect(condenseAs(eslint, text).body).toBe(`/x/a.js
 12:10 error 'q' is not defined no-undef
 1:1 13:2 warning Unexpected var no-var
✖ 3 problems (1 error, 2 warnings)
  0 errors and 2 warnings potentially fixable with the \`--fix\` option.`)
})

test('a message whose words are set apart by two spaces keeps them', () => {
  const text = '\n/x/a.js\n  1:1  error  Expected  two  words  my/rule\n\n✖ 1 problem (1 error, 0 warnings)\n'
  expect(condenseAs(eslint, text).body).toContain(' 1:1 error Expected  two  words my/rule')
})

test('JSON is restated with counts, places and rules, without the sources', () => {
  const text = json([
    { filePath: '/x/a.js', messages: [message(1, 'gone'), message(4, 'gone')], source: 'secret()' },
    { filePath: '/x/b.js', messages: [] },
  ])
  const { strategy, body } = condenseAs(eslint, text)
  expect(strategy).toBe('eslint-json')
  expect(body).toBe(
    'eslint JSON, 2 files: 2 errors, 0 warnings, 0 of them fixable; sources, end places and fixes left out\n/x/a.js\n 1:3 4:3 error gone no-undef',
  )
})

test('a file that does not parse is said to be a fatal error', () => {
  const text = json([
    { filePath: '/x/a.js', messages: [{ fatal: true, severity: 2, message: 'Parsing error', line: 2, column: 1 }] },
  ])
  expect(condenseAs(eslint, text).body).toContain(' 2:1 fatal error Parsing error')
})

test('JSON that is cut off is said to be so, and nothing is counted', () => {
  const fixture = loadFixtures().find(({ family, name }) => family === 'eslint' && name === 'json')
  const whole = fixture?.text ?? ''
  for (const length of [40, 3000, 9001, 20_000, 33_333]) {
    const { body, fault } = condenseAs(eslint, whole.slice(0, length))
    expect(fault).toBeNull()
    expect(body).toMatch(/^incomplete: the JSON is cut off/)
    expect(body).not.toMatch(/\d+ errors/)
  }
  expect(condenseAs(eslint, whole.slice(0, 9001)).body).toContain('16:20')
})

test('a configuration that does not load stays whole', () => {
  const text = '\nOops! Something went wrong! :(\n\nESLint: 9.39.5\n\nNo files matching the pattern "lib" were found.'
  expect(condenseAs(eslint, text).body).toBe(text)
})

test('does not take other JSON, or a listing with times, for its own', () => {
  expect(eslint.detect(['[{"file":"a.js","messages":[]}]'])).toBe(false)
  expect(eslint.detect(['  12:30  error  in the log', '3 items'])).toBe(false)
})

test('a place with a mangled severity stays under its own file', () => {
  const text = `
/x/a.js
   1:1   warning  Unexpected var  no-var
  12:10  error    'q' is not defined  no-undef

/x/b.js
   7:2   eror     'r' is not defined  no-undef

/x/c.js
   1:1   warning  Unexpected var  no-var

✖ 4 problems (2 errors, 2 warnings)
`
  expect(condenseAs(eslint, text).body).toContain("/x/b.js\n 7:2 eror     'r' is not defined no-undef")
})
