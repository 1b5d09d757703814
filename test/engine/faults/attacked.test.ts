/** Faults that attacks on the filter have shown: each test is named by what is right. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { factsOf } from '../../../src/engine/signals.ts'
import { cutLine, cutLineWithFacts } from '../../../src/engine/strategies/long-line.ts'
import { condense } from '../../support/condense.ts'

const list = (count: number, line: (i: number) => string): string[] => Array.from({ length: count }, (_, i) => line(i))
const text = (...lines: readonly (string | readonly string[])[]): string => `${lines.flat().join('\n')}\n`

describe('overlong lines', () => {
  const values = list(900, (i) => `(${i}, 'name${i}')`).join(', ')
  const error = `sqlalchemy.exc.IntegrityError: duplicate key violates "users_pkey" [SQL: INSERT INTO t VALUES ${values}]`

  test.each([
    ['between noise', [list(500, (i) => `migrating table ${i} of it`), error, list(500, (i) => `back ${i}`)], {}],
    ['between noise, within a bound', [list(500, (i) => `migrating table ${i}`), error], { maxTokens: 300 }],
    ['alone', [error], {}],
    ['a page on one line', [`<title>503 users_pkey</title>${'<p>x</p>'.repeat(4000)}`], {}],
  ])('an error on one: start and end, and how much was cut (%s)', (_, lines, context) => {
    const { text: shown } = condense(text(...lines), { command: 'python migrate.py', exitCode: 1, ...context })
    expect(shown).toMatch(/users_pkey.{20,} \[filtered: \d+ characters cut by window\] .{10,}/)
    expect(condense(shown).text).toBe(shown)
  })

  test('a cut line is well-formed, and counts what is missing', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 9 }),
        fc.integer({ min: 40, max: 900 }),
        (unit, limit) => {
          const line = unit.repeat(3000)
          const short = cutLine(line, limit)
          if (short === null) return
          const [, head = '', cut, tail = ''] =
            /^(.*) \[filtered: (\d+) characters cut by window\] (.*)$/s.exec(short) ?? []
          expect(head.length + Number(cut) + tail.length).toBe(line.length)
          expect(line.startsWith(head) && line.endsWith(tail) && short.isWellFormed()).toBe(true)
        },
      ),
      { numRuns: 50 },
    )
  })

  test('a line cut for its facts holds them', () => {
    for (const before of [0, 300, 1200]) {
      const line = `${'at '.repeat(before / 3)}Error: no space for ${'a b c '.repeat(2000)}`
      expect([...factsOf([cutLineWithFacts(line) ?? '']).keys()]).toEqual([...factsOf([line]).keys()])
    }
  })
})
