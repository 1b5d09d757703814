import { describe, expect, test } from 'vitest'
import { createDraft } from '../../../src/engine/draft.ts'
import { factsOf } from '../../../src/engine/signals.ts'
import { namedStrategies } from '../../../src/engine/strategies/named.ts'

const BUDGETS = { lines: 3600, signals: 2400 }

/** Lines that stand in the output's place, gaps as `-n: what`; null where the strategy does not know the text. */
function shown(
  name: string,
  lines: readonly string[],
  exitCode: number | null = null,
  items: Uint8Array | null = null,
) {
  const draft = createDraft(lines.length)
  const done = namedStrategies
    .get(name)
    ?.condense({ lines, exitCode, program: null, facts: () => factsOf(lines) }, draft, BUDGETS, items)
  if (!done) return null
  const { entries, fault } = draft.finish()
  expect(fault).toBe(null)
  return entries.flatMap((entry) => {
    if (entry.kind === 'keep') return [lines[entry.line] ?? '']
    return entry.kind === 'restate' ? entry.text.split('\n') : [`-${entry.lines.length}: ${entry.what}`]
  })
}

const steps = (count: number) => Array.from({ length: count }, (_, i) => `step ${String.fromCharCode(97 + (i % 26))}`)

describe('error-only', () => {
  const run = [...steps(20), 'a.c:12:3: error: unknown type', ...steps(20), 'make: *** [all] Error 2']

  test('keeps the errors of a failure with what stands around them', () => {
    expect(shown('error-only', run, 2)).toEqual([
      '-19: lines without a signal',
      'step t',
      'a.c:12:3: error: unknown type',
      'step a',
      'step b',
      'step c',
      '-16: lines without a signal',
      'step t',
      'make: *** [all] Error 2',
    ])
  })

  test('keeps the verdict of a success, and counts the rest', () => {
    expect(shown('error-only', [...steps(30), 'Tests:  12 passed', ...steps(2)], 0)).toEqual([
      '-30: lines of a run with exit code 0',
      'Tests:  12 passed',
      '-2: lines of a run with exit code 0',
    ])
  })

  test('counts nothing away of a failure without words', () => {
    expect(shown('error-only', ['thinking', 'still thinking'], 1)).toEqual(['thinking', 'still thinking'])
    expect(shown('error-only', ['thinking', 'still thinking'], null)).toEqual(['thinking', 'still thinking'])
  })

  test('keeps items', () => {
    expect(shown('error-only', ['M a.txt', 'hint', 'M b.txt'], 0, Uint8Array.from([1, 0, 1]))).toEqual([
      'M a.txt',
      '-1: lines of a run with exit code 0',
      'M b.txt',
    ])
  })
})

describe('structure-only', () => {
  test('tells keys, types and counts of one value', () => {
    const value = {
      items: [{ id: 1, tag: 'a' }, { id: 2.5, tag: null }, { id: 3 }],
      'odd key': true,
      empty: [],
      none: {},
    }
    expect(shown('structure-only', [JSON.stringify(value)])).toEqual([
      'JSON: object',
      '  items: array of 3',
      '    each: object',
      '      id: integer (2) | number (1)',
      '      tag (in 2 of 3): string (1) | null (1)',
      '  "odd key": boolean',
      '  empty: array of 0',
      '  none: object',
      '-1: JSON values, structure above',
    ])
  })

  test('reads one value a line, and one over many lines', () => {
    expect(shown('structure-only', ['{"a":1}', '', '{"a":2,"b":[[1],[2,3]]}'])).toEqual([
      '2 JSON lines, each: object',
      '  a: integer',
      '  b (in 1 of 2): array of 2',
      '    each: 2 arrays of 3 in all',
      '      each: integer',
      '-3: JSON values (2 rows), structure above',
    ])
    expect(shown('structure-only', JSON.stringify([{ a: 1 }, { a: 2 }], null, 2).split('\n'))?.at(-1)).toBe(
      '-8: JSON values (2 rows), structure above',
    )
  })

  test.each([[['no json']], [['{"a":1}', 'cut {']], [['12']], [['{"a":']], [[]]])('leaves %j', (lines) => {
    expect(shown('structure-only', lines)).toBe(null)
  })

  test('bounds what it tells of maps and of depth', () => {
    const map = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`key${i}`, i]))
    expect(shown('structure-only', [JSON.stringify(map)])).toHaveLength(63)
    expect(shown('structure-only', [JSON.stringify(map)])).toContain('  … 440 more keys')
    const deep = `${'['.repeat(500)}1${']'.repeat(500)}`
    expect(shown('structure-only', [deep])).toHaveLength(14)
  })

  test("takes names that objects bring for a document's own", () => {
    expect(shown('structure-only', ['{"__proto__": 1, "constructor": "x"}'])).toEqual([
      'JSON: object',
      '  __proto__: integer',
      '  constructor: string',
      '-1: JSON values, structure above',
    ])
  })
})

test('stats counts lines by level', () => {
  const log = [
    '12:00:01 INFO up',
    '[warn] slow',
    'level=error msg=x',
    '{"level":"debug"}',
    'plain',
    'an information desk',
  ]
  expect(shown('stats', log)).toEqual([
    'lines by level: 1 error, 1 warning, 1 info, 1 debug, 2 without a level',
    '-6: lines counted by level',
  ])
})

describe('group', () => {
  const findings = [
    'src/a.py:3:1: unused import (F401)',
    'src/b.py:9:80: line too long (E501)',
    'src/a.py:7:1: unused import (F401)',
    'checked 2 files',
    '10:30:00: not a place',
  ]
  test('names each file once, and keeps every place', () => {
    expect(shown('group', findings)).toEqual([
      'src/a.py',
      ' 3:1 7:1 unused import (F401)',
      'src/b.py',
      ' 9:80 line too long (E501)',
      'checked 2 files',
      '10:30:00: not a place',
    ])
  })
  test('names each rule once, with its number of findings', () => {
    expect(shown('group-by-rule', findings)?.slice(0, 6)).toEqual([
      'F401 (2)',
      'src/a.py',
      ' 3:1 7:1 unused import',
      'E501 (1)',
      'src/b.py',
      ' 9:80 line too long',
    ])
  })
  test('leaves what has no findings', () => {
    expect(shown('group', ['one', 'two'])).toBe(null)
  })
})

test('window and dedup keep items, repeats apart', () => {
  const lines = Array.from({ length: 6000 }, (_, i) => `item ${i} of a long list`)
  const all = new Uint8Array(lines.length).fill(1)
  expect(shown('window', lines, 0, all)).toEqual(lines)
  expect(shown('window', lines, 0)?.length).toBeLessThan(1000)
  expect(shown('dedup', ['a', 'a', 'b'])).toEqual(['a', '-1: repeats of the line above (x2)', 'b'])
})
