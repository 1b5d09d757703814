import { expect, test } from 'vitest'
import { biome } from '../../../src/engine/families/biome.ts'
import { condenseAs } from '../../support/condense-as.ts'

const bar = '━'.repeat(30)
const finding = (
  line: number,
  name: string,
): string => `src/a.js:${line}:7 lint/correctness/noUnusedVariables  FIXABLE  ${bar}

  ! This variable ${name} is unused.
  
    ${line - 1} │ const before = 1
  > ${line} │ const ${name} = 1
      │       ^^^^
    ${line + 1} │ const after = 2
  
  i Unused variables are often the result of typos.
  
  i Unsafe fix: prepend ${name} with an underscore.
  
    ${line} │ - const·${name}·=·1
    ${line} │ + const·_${name}·=·1
  

`
const tail = 'Checked 1 file in 4ms. No fixes applied.\nFound 2 warnings.'

test('advice stands once, severity, category and fixability with each finding', () => {
  const { body } = condenseAs(biome, `${finding(12, 'one')}${finding(40, 'one')}${finding(50, 'two')}${tail}`)
  expect(body).toBe(`src/a.js
 12:7 40:7 warning lint/correctness/noUnusedVariables FIXABLE This variable one is unused.
  Unused variables are often the result of typos.
  Unsafe fix: prepend one with an underscore.
 50:7 warning lint/correctness/noUnusedVariables FIXABLE This variable two is unused.
[filtered: 22 lines elided: source excerpts and diffs, repeated advice]
${tail}`)
})

test('what points to another place keeps its line', () => {
  const text = `src/a.ts:19:7 lint/suspicious/noRedeclare ${bar}

  × 'dup' is redeclared in the same scope.
  
  > 19 │ const dup = 2
       │       ^^^
  
  i 'dup' is defined here:
  
    17 │ x
  > 18 │ const dup = 1
       │       ^^^
  

${tail}`
  expect(condenseAs(biome, text).body).toContain(
    " 19:7 error lint/suspicious/noRedeclare 'dup' is redeclared in the same scope.\n  'dup' is defined here: 18",
  )
})

test('of what the formatter would change the first lines stay, with the exact size of all', () => {
  const text = `src/a.ts format ${bar}

  × Formatter would have printed the following content:
  
     1    │ - const·a·=·1
     2    │ - const·b·=·2
        1 │ + const·a·=·1;
     3  2 │   same
  

${tail}`
  expect(condenseAs(biome, text).body).toContain(
    ` error format Formatter would have printed the following content: (-2 +1 lines)
  - const·a·=·1
  - const·b·=·2
  + const·a·=·1;
`,
  )
  const many = Array.from({ length: 500 }, (_, i) => `  ${i}    │ - const·a${i}·=·1\n`).join('')
  const { body } = condenseAs(biome, text.replace('     3  2 │   same\n', many))
  expect(body).toContain('(-502 +1 lines)')
  expect(body).toContain('  - const·a2·=·1\n')
  expect(body.length).toBeLessThan(1000)
})

test('what is cut off in a finding stays', () => {
  const cut = `${finding(12, 'one')}src/a.js:14:7 lint/correctness/noUnusedVariables  FIXABLE  ${bar}\n`
  expect(condenseAs(biome, cut).body).toContain('src/a.js:14:7 lint/correctness/noUnusedVariables')
})

test('a rule drawn below any path is not its form', () => {
  expect(biome.detect([`report ${bar}`, 'Checked 3 files in 2ms'])).toBe(false)
})
