import { expect, test } from 'vitest'
import { ruff } from '../../../src/engine/families/ruff.ts'
import { condenseAs } from '../../support/condense-as.ts'
import { loadFixtures } from '../../support/fixtures.ts'

const block = (code: string, line: number): string => `${code} [*] \`os\` imported but unused
  --> pkg/a.py:${line}:8
   |
${line}  | import os
   |        ^^
${line + 1}  +
   |
help: Remove unused import
   |
   - import os
   |

`

test('the full form loses source and fix, and keeps code, place and fixability', () => {
  const { body, strategy } = condenseAs(ruff, `${block('F401', 1)}${block('F401', 30)}Found 2 errors.\n`)
  expect(strategy).toBe('ruff')
  expect(body.split('\n').slice(0, 2)).toEqual(['pkg/a.py', ' 1:8 30:8 F401 [*] `os` imported but unused'])
  expect(body.split('\n').at(-1)).toBe('Found 2 errors.')
})

test('what a mark says stays, with its line', () => {
  const text = `F811 Redefinition of unused \`f\` from line 6
  --> a.py:18:5
   |
18 | def f(q):
   |     ^ \`f\` redefined here
   |
  ::: a.py:6:5
   |
 6 | def f(a):
   |     - previous definition of \`f\` here
   |

Found 1 error.`
  const { body } = condenseAs(ruff, text)
  expect(body).toContain('  18: `f` redefined here')
  expect(body).toContain('  a.py:6:5')
  expect(body).toContain('  6: previous definition of `f` here')
})

test('a file that is not formatted keeps its name and the exact size of its diff', () => {
  const text = `unformatted: File would be reformatted
 --> a.py:2:1
  |
1 | x
  - y = '1'
  - z = '2'
2 + y = "1"
3 +
  |

1 file would be reformatted`
  expect(condenseAs(ruff, text).body).toContain(' 2:1 unformatted: File would be reformatted (-2 +2 lines)')
})

test('JSON that is cut off is said to be so', () => {
  const whole = loadFixtures().find(({ family, name }) => family === 'ruff' && name === 'json')?.text ?? ''
  for (const length of [900, 5000, 30_001]) {
    const { body, strategy } = condenseAs(ruff, whole.slice(0, length))
    expect(strategy).toBe('ruff-json')
    expect(body).toMatch(/^incomplete: /)
    expect(body).toContain('F401')
  }
})

test('diffs, statistics and a configuration that does not parse stay whole', () => {
  for (const name of ['diff', 'format-diff', 'statistics', 'config-error', 'usage-error']) {
    const text = loadFixtures().find((fixture) => fixture.family === 'ruff' && fixture.name === name)?.text ?? ''
    expect(condenseAs(ruff, text).body).toBe(text.replace(/\n$/, ''))
  }
})
