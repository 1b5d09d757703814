import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createDraft } from '../../../src/engine/draft.ts'
import { factsOf } from '../../../src/engine/signals.ts'
import { type Diagnostic, writeDiagnostics } from '../../../src/engine/strategies/diagnostics.ts'

function written(findings: readonly Diagnostic[]): string[] {
  const draft = createDraft(0)
  writeDiagnostics(findings, draft)
  return draft.finish().entries.flatMap((entry) => (entry.kind === 'restate' ? entry.text.split('\n') : []))
}

const at = (path: string, place: string, text: string): Diagnostic => ({ path, place, text, lines: [] })

test('a message that many files share is written once where that is shorter, else under each file', () => {
  const long = 'error: a message of such a length that it should not be repeated for each of the files'
  expect(written(['a.c', 'b.c', 'c.c'].map((path) => at(path, '1:2', long)))).toEqual([
    `3 places: ${long}`,
    ' a.c b.c c.c 1:2',
  ])
  const deep = ['a', 'b', 'c'].map((name) => at(`/a/very/deep/folder/of/some/project/${name}.c`, '1:2', 'short'))
  const others = deep.map((finding) => ({ ...finding, text: `other ${finding.path}` }))
  expect(written([...deep, ...others])).toContain(' 1:2 short')
})

test('errors stand before warnings: in a file, among files, among tables', () => {
  const many = (text: string): Diagnostic[] => ['a.c', 'b.c', 'c.c'].map((path, i) => at(path, `${i}:1`, text))
  expect(
    written([
      ...many('warning: this is deprecated and will be removed in the next version [old]'),
      at('w.c', '1:1', 'warning: alone'),
      at('x.c', '1:1', 'warning: first'),
      at('x.c', '2:1', 'error: second'),
      ...many('error: a type of this name is not known anywhere in the whole program [name]'),
    ]).filter((line) => /error|warning/.test(line)),
  ).toEqual([
    '3 places: error: a type of this name is not known anywhere in the whole program [name]',
    ' 2:1 error: second',
    ' 1:1 warning: first',
    ' 1:1 warning: alone',
    '3 places: warning: this is deprecated and will be removed in the next version [old]',
  ])
})

test("pylint's errors stand before its warnings, conventions and refactorings", () => {
  const texts = [
    "W0613: Unused argument 'a'",
    'C0116: Missing docstring',
    "E0602: Undefined variable 'x'",
    'R0913: Too many',
  ]
  expect(written(texts.map((text, i) => at('a.py', `${i}:0`, text)))).toEqual([
    'a.py',
    " 2:0 E0602: Undefined variable 'x'",
    " 0:0 W0613: Unused argument 'a'",
    ' 1:0 C0116: Missing docstring',
    ' 3:0 R0913: Too many',
  ])
})

test('bare line numbers are set apart by commas', () => {
  expect(written([at('a.py', '3', '4 arguments expected'), at('a.py', '9', '4 arguments expected')])).toEqual([
    'a.py',
    ' 3, 9 4 arguments expected',
  ])
})

test('very many places of one message are told on several lines', () => {
  const lines = written(Array.from({ length: 900 }, (_, i) => at('a.js', `${i + 1}:5`, 'error no')))
  expect(lines.length).toBeGreaterThan(3)
  expect(lines.every((line) => line.length < 1500)).toBe(true)
  expect(lines.slice(1).every((line) => line.endsWith(' error no'))).toBe(true)
})

describe('the signals read every form that is written', () => {
  const path = fc.constantFrom('a.ts', 'src/b.ts', 'src/deep/er/c.ts', './d.go')
  const message = fc.constantFrom(
    "TS2304: Cannot find name 'x'.",
    'undefined: missing',
    'error: no such thing anywhere in this whole program [misc]',
  )
  const place = fc.tuple(fc.integer({ min: 1, max: 999 }), fc.integer({ min: 1, max: 99 }))

  test.each([
    ['colons', (line: number, column: number) => `${line}:${column}`],
    ['parentheses', (line: number, column: number) => `(${line},${column})`],
  ])('%s', (_, show) => {
    fc.assert(
      fc.property(fc.array(fc.tuple(path, place, message), { minLength: 1, maxLength: 40 }), (items) => {
        const findings = items.map(([file, [line, column], text]) => at(file, show(line, column), text))
        const plain = findings.map(({ path: file, place: where, text }) =>
          where.startsWith('(') ? `${file}${where}: ${text}` : `${file}:${where}: ${text}`,
        )
        const facts = factsOf(written(findings))
        expect([...factsOf(plain).keys()].filter((key) => !facts.has(key))).toEqual([])
      }),
      { numRuns: 100 },
    )
  })
})
