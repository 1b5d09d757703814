import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { factsOf } from '../../src/engine/signals.ts'
import type { Diagnostic } from '../../src/engine/strategies/diagnostics.ts'
import { partByValues } from '../../src/engine/strategies/value-groups.ts'
import { messageOf, openTables, readTable, writeTable } from '../../src/engine/value-table.ts'

const item = (path: string, place: string, ...values: string[]) => ({ path, place, values })

describe('a table is written and read back', () => {
  test.each([
    [
      'one value',
      {
        message: 'exported {} has no comment',
        width: 1,
        items: [
          item('src/a.go', '4:6', 'type A'),
          item('src/a.go', '9:1', 'type A'),
          item('src/a.go', '12:1', 'func B'),
          item('src/deep/b.go', '1:1', 'type C'),
        ],
      },
      [
        '4 places in src/, each with its {}: exported {} has no comment',
        ' a.go 4:6 9:1 type A; 12:1 func B',
        ' deep/b.go 1:1 type C',
      ],
    ],
    [
      'several values, several lines',
      {
        message: "TS1: type '{1}' is not '{2}'\nfor '{1}'",
        width: 2,
        items: [item('a.ts', '(1,2)', 'A', 'B'), item('b.ts', '(3,4)', 'C', 'B')],
      },
      [
        "2 places, each with its {1}, {2}: TS1: type '{1}' is not '{2}'",
        "  for '{1}'",
        ' a.ts (1,2) A, B',
        ' b.ts (3,4) C, B',
      ],
    ],
    [
      'files with the same places and values',
      { message: 'no {}', width: 1, items: [item('a.py', '5', 'x'), item('b.py', '5', 'x'), item('c.py', '5', 'y')] },
      ['3 places, each with its {}: no {}', ' a.py b.py 5 x', ' c.py 5 y'],
    ],
    [
      'bare line numbers, values that are numbers',
      {
        message: 'line of {}',
        width: 1,
        items: [item('a.py', '5', '93'), item('a.py', '6', '93'), item('a.py', '7', '9')],
      },
      ['3 places, each with its {}: line of {}', ' a.py 5, 6 93; 7 9'],
    ],
    [
      'no value',
      { message: 'no', width: 0, items: [item('a', '1:2'), item('a', '3:4')] },
      ['2 places: no', ' a 1:2 3:4'],
    ],
  ])('%s', (_, table, lines) => {
    expect(writeTable(table).split('\n')).toEqual(lines)
    expect(readTable(lines, 0)).toEqual({ table, end: lines.length })
  })

  test('a heading without as many places is ordinary text', () => {
    expect(readTable(['3 places: no', ' a 1:2 3:4', 'b 5:6'], 0)).toBeNull()
    expect(openTables(['3 places: visit them', 'a', 'b'])).toBeNull()
  })

  test('its findings are signals, under its own line', () => {
    const lines = [
      'before',
      '2 places, each with its {}: TS1: no {}',
      ' a.ts (1,2) x; (3,4) y',
      'src/b.ts:9:1: error: z',
    ]
    expect([...factsOf(lines)].map(([key, fact]) => [key, fact.line])).toEqual([
      ['place a.ts:1', 1],
      ['error TS1: no x', 1],
      ['place a.ts:3', 1],
      ['error TS1: no y', 1],
      ['place src/b.ts:9', 3],
      ['error z', 3],
    ])
  })
})

const path = fc.constantFrom('a.ts', 'src/b.ts', 'src/deep/c.ts', 'with space.ts', '/abs/d.go', 'e;.ts')
const place = fc.oneof(
  fc.tuple(fc.nat(999), fc.nat(99)).map(([line, column]) => `${line}:${column}`),
  fc.tuple(fc.nat(999), fc.nat(99)).map(([line, column]) => `(${line},${column})`),
  fc.nat(9999).map(String),
  fc.constantFrom('', '1:2-3'),
)
const word = fc.oneof(
  fc.constantFrom(
    '',
    'x',
    "'q'",
    "'a b'",
    '"two, three"',
    '12',
    '(9',
    '3:4',
    '(1,2)',
    '{}',
    '{1}',
    'don’t',
    "don't",
    'a; b',
    '名前',
    '  ',
    '`',
  ),
  fc.string({ maxLength: 6 }),
)
const message = fc.oneof(
  fc.tuple(word).map(([a]) => `TS7006: Parameter ${a} implicitly has a type that nobody has ever declared in it.`),
  fc
    .tuple(word, word)
    .map(([a, b]) => `error: type ${a} is not assignable to type ${b} in this place of the program [rule]`),
  fc.tuple(word, word, word).map(([a, b, c]) => `${a} of ${b} and ${c}`),
)
const finding: fc.Arbitrary<Diagnostic> = fc.record({
  path,
  place,
  text: message.map((text) => text.replaceAll('\n', ' ')),
  notes: fc.oneof(
    { weight: 4, arbitrary: fc.constant([]) },
    fc.array(fc.constantFrom('  note a', 'b', ''), { maxLength: 2 }),
  ),
  lines: fc.constant([]),
})

const wholeMessage = ({ text, notes = [] }: Diagnostic): string =>
  [text, ...notes.map((note) => note.trim())].join('\n')

test('whatever the findings, each is in one table or in the rest, and every table gives back its own exactly', () => {
  fc.assert(
    fc.property(fc.array(finding, { maxLength: 60 }), (findings) => {
      const { tables, rest } = partByValues(findings)
      const told = [...tables.flatMap((table) => table.findings), ...rest]
      expect(new Set(told)).toEqual(new Set(findings))
      expect(told.length).toBe(findings.length)
      for (const { text, findings: own } of tables) {
        const lines = text.split('\n')
        const read = readTable(lines, 0)
        expect(read?.end).toBe(lines.length)
        const readBack = read?.table.items.map((each) => `${each.path} ${each.place} ${messageOf(read.table, each)}`)
        expect(readBack?.sort()).toEqual(own.map((each) => `${each.path} ${each.place} ${wholeMessage(each)}`).sort())
      }
    }),
    { numRuns: 300 },
  )
})
