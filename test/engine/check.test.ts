import { describe, expect, test } from 'vitest'
import { checkSignals, readFacts } from '../../src/engine/check.ts'
import type { Entry } from '../../src/engine/draft.ts'
import { ruff } from '../../src/engine/families/ruff.ts'
import { planFilter } from '../../src/engine/filter.ts'
import { renderEntries } from '../../src/engine/render.ts'
import { factsOf } from '../../src/engine/signals.ts'

describe('JSON printed over several lines', () => {
  const finding = (row: number, code: string): object => ({
    code,
    filename: 'src/a.py',
    location: { column: 3, row },
    message: `Undefined name in row ${row}`,
  })
  const lines = [
    'ruff 0.9',
    ...JSON.stringify([finding(3, 'F821'), finding(9, 'F821')], null, 2).split('\n'),
    'error: could not write the cache',
  ]
  const read = () => readFacts(lines, ruff.view, ruff.viewJson)

  test('is read for what must survive, as are the lines around it', () => {
    expect([...read().facts.keys()]).toEqual([
      'place src/a.py:3',
      'error F821 Undefined name in row 3',
      'place src/a.py:9',
      'error F821 Undefined name in row 9',
      'error could not write the cache',
    ])
  })

  test('a finding that a condensed form leaves out comes back as text', () => {
    const restated = Array.from({ length: lines.length - 2 }, (_, i) => i + 1)
    const entries: Entry[] = [
      { kind: 'keep', line: 0 },
      { kind: 'restate', text: 'src/a.py:3:3: F821 Undefined name in row 3', lines: restated },
      { kind: 'keep', line: lines.length - 1 },
    ]
    const checked = checkSignals(entries, (i) => lines[i] ?? '', read, 1000)
    const texts = checked.entries.map((entry) => (entry.kind === 'restate' ? entry.text : entry.kind))
    expect(texts.join('\n')).toContain('src/a.py:9:3: F821 Undefined name in row 9')
    const fates = checked.entries.flatMap((entry) => (entry.kind === 'keep' ? [entry.line] : entry.lines))
    expect(fates.sort((a, b) => a - b)).toEqual(lines.map((_, i) => i))
  })

  test('brackets that are never closed, and what is no JSON, are read as lines', () => {
    const odd = ['[', '[', '{', 'error: first', '}', '{', 'error: second']
    const { facts } = readFacts(
      odd,
      (line) => line,
      () => '',
    )
    expect([...facts.keys()]).toEqual(['error first', 'error second'])
  })
})

test('signals that do not fit are told where the most is left out: a short gap may stay open', () => {
  const lines = ['a', 'b', 'c', `Error: ${'wide '.repeat(300)}`]
  const entries: Entry[] = [
    { kind: 'keep', line: 0 },
    { kind: 'elide', what: 'short lines', lines: [1] },
    { kind: 'keep', line: 2 },
    { kind: 'elide', what: 'other lines', lines: [3] },
  ]
  const checked = checkSignals(
    entries,
    (i) => lines[i] ?? '',
    () => readFacts(lines),
    0,
  )
  const { body } = renderEntries(
    checked.entries,
    lines.length,
    (i) => lines[i] ?? '',
    () => false,
  )
  expect(body).toBe('a\nb\nc\n[filtered: 1 line elided: other lines, with 1 more signals]')
})

test('a line put back from among findings does not part those behind it from their file', () => {
  const lines = [
    'services/orders/handlers/orders.py:47:5: note:     def pick(key: int) -> str',
    'services/orders/handlers/orders.py:47:5: note:     def pick(key: str) -> int',
    'services/orders/handlers/orders.py:48:30: error: Dict entry 0 has incompatible type "str": "str"; expected "str": "int"  [dict-item]',
    'services/orders/handlers/orders.py:49:5: error: "list[Row]" has no attribute "appendd"; maybe "append"?  [attr-defined]',
    'services/orders/handlers/orders.py:50:12: error: Value of type "Row | None" is not indexable  [index]',
    'FAIL',
    'services/orders/handlers/orders.py: note: In member "run" of class "Child1":',
    'services/orders/handlers/orders.py:50:65: error: Too many arguments for "len"  [call-arg]',
  ]
  const plan = planFilter(lines.join('\n'), { command: 'mypy --show-column-numbers app', exitCode: 1 })
  expect(plan.changed).toBe(true)
  const shown = plan.changed ? plan.body.split('\n') : []
  expect(shown).toContain('FAIL')
  expect([...factsOf(lines).keys()].filter((key) => !factsOf(shown).has(key))).toEqual([])
})
