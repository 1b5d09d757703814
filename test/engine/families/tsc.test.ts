import { expect, test } from 'vitest'
import { tsc } from '../../../src/engine/families/tsc.ts'
import { condenseAs } from '../../support/condense-as.ts'

test('writes errors by file, the path once, with their explanations', () => {
  const text = `src/a.ts(1,2): error TS2322: Type 'A' is not assignable to type 'B'.
  Property 'x' is missing in type 'A'.
src/a.ts(9,1): error TS2304: Cannot find name 'y'.
src/b.ts(3,4): error TS2304: Cannot find name 'y'.
src/a.ts(7,7): error TS2304: Cannot find name 'y'.
`
  expect(condenseAs(tsc, text).body).toBe(`src/a.ts
 (1,2) TS2322: Type 'A' is not assignable to type 'B'.
  Property 'x' is missing in type 'A'.
 (9,1) (7,7) TS2304: Cannot find name 'y'.
src/b.ts
 (3,4) TS2304: Cannot find name 'y'.`)
})

test.each([
  ["error TS5058: The specified path does not exist: 'tsconfig.json'."],
  ['This is not the tsc command you are looking for\n\n- Use npm install typescript'],
  ["error TS18003: No inputs were found in config file 'tsconfig.json'."],
])('keeps a failure without a place whole: %s', (text) => {
  expect(condenseAs(tsc, text).body).toBe(text)
})

test('keeps what is printed between errors, in its place', () => {
  const text = "a.ts(1,1): error TS1005: ';' expected.\nnpm warn something\na.ts(2,1): error TS1005: ';' expected."
  expect(condenseAs(tsc, text).body).toBe(
    "a.ts\n (1,1) TS1005: ';' expected.\nnpm warn something\na.ts\n (2,1) TS1005: ';' expected.",
  )
})

test('a related place of the pretty form keeps its path, line and words; the excerpt goes', () => {
  const excerpt = Array.from({ length: 6 }, (_, i) => `${i + 8} format(3, 'YYYY')`).join('\n')
  const text = `src/a.ts:8:1 - error TS2769: No overload matches this call.

${excerpt}
  ~~~~~~

  src/b.ts:4:17
    4 export function format(value: number): string {
                      ~~~~~~
    The call would have succeeded.

Found 1 error in src/a.ts:8
`
  const { body } = condenseAs(tsc, text)
  expect(body).toContain(
    ' 8:1 TS2769: No overload matches this call.\n  src/b.ts:4:17 - The call would have succeeded.',
  )
  expect(body).toContain('Found 1 error in src/a.ts:8')
  expect(body).not.toContain('format(3')
})

test('does not take a log line that quotes an error for its own', () => {
  expect(tsc.detect(['2026-01-01 src/a.ts(1,2) was read', 'error TS2322 is common', 'see a.ts(1,2): errors'])).toBe(
    false,
  )
})

test('a list of files without errors stays: it was asked for', () => {
  const files = Array.from({ length: 60 }, (_, i) => `/home/u/p/src/file${i}.ts`).join('\n')
  expect(condenseAs(tsc, files).body).toBe(files)
})
