import { expect, test } from 'vitest'
import { prettier } from '../../../src/engine/families/prettier.ts'
import { condenseAs } from '../../support/condense-as.ts'

test('every file that differs keeps its name; what does not parse keeps its error', () => {
  const text = `Checking formatting...
[warn] src/a.js
[warn] src/b c.js
[warn] src/d.js
[error] src/e.js: SyntaxError: Unexpected token (3:3)
[error]   1 | const a = {
[error] > 3 |   c: 2,
[error]     |   ^
[error]   4 | }
[error]   5 | export default a
[error]   6 |
[warn] Code style issues found in 3 files. Run Prettier with --write to fix.`
  expect(condenseAs(prettier, text).body).toBe(`Checking formatting...
[warn] 3 files:
 src/a.js
 src/b c.js
 src/d.js
[error] src/e.js: SyntaxError: Unexpected token (3:3)
[filtered: 6 lines elided: source excerpts]
[warn] Code style issues found in 3 files. Run Prettier with --write to fix.`)
})

test('files left as they were go, counted', () => {
  const text = Array.from(
    { length: 20 },
    (_, i) => `src/some/folder/f${i}.js 12ms${i === 7 ? '' : ' (unchanged)'}`,
  ).join('\n')
  expect(condenseAs(prettier, text).body).toBe(
    '[filtered: 7 lines elided: unchanged files]\nsrc/some/folder/f7.js\n[filtered: 12 lines elided: unchanged files]',
  )
})

test('a log with [warn] in it is not its form', () => {
  expect(prettier.detect(['[warn] disk is nearly full', '[warn] src/a.js'])).toBe(false)
})
