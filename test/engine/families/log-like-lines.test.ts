import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPlaces, matcherOf, matches } from '../../../src/engine/families/log/matcher.ts'
import { readLog } from '../../../src/engine/families/log/read.ts'
import { readHead } from '../../../src/engine/families/log/record.ts'
import { readTemplate } from '../../../src/engine/families/log/template.ts'
import { codeOf, Tally } from '../../../src/engine/families/log/values.ts'
import { planFilter } from '../../../src/engine/filter.ts'
import { factsOf } from '../../../src/engine/signals.ts'

const word = fc.constantFrom(
  ...[
    'INFO',
    'ERROR',
    'WARN',
    'LOG',
    'request',
    'status',
    'exit',
    'code',
    'HTTP/1.1',
    'level',
    'done',
    'µs',
    '10.0.0.1',
  ],
  ...['worker-3', 'item12', '200', '404', '7', '12345', '12:00:01', '2026-01-02', '30/Nov/2026:04:12:11', 'a1b2c3d4'],
  ...[
    'deadbeef-1234',
    'x1y2z3-long-status',
    '[9]',
    '#12',
    'PR#7',
    'app[812]: x',
    'app[81234567890]: x',
    '[12345678901] x',
    'status 1234',
    '/api/1/b',
    '0x1f',
    'failed',
    'a.go:1:2:',
  ],
)
const gap = fc.constantFrom(' ', ' ', ' ', '  ', '=', ': ', ' "', '" ', '[', '] ', ', ', '')
const body = fc.array(fc.tuple(word, gap), { minLength: 1, maxLength: 8 }).map((parts) => parts.flat().join(''))
const stamp = fc.constantFrom(
  '2026-01-02T03:04:05.678Z ',
  '2026-01-02T03:04:06.001Z ',
  '[2026-01-02 03:04:05] ',
  'Jan  2 03:04:05 host ',
  '12:00:01 ',
  '',
)
/** What is a process id where it is short enough, and a text before a level that stands about where levels are looked for. */
const opening = fc.oneof(
  { arbitrary: fc.constant(''), weight: 3 },
  fc.constantFrom('app[81234567890]: ', '[12345678901] ', '[error] 12345678901#1: ', 'app[12ab34cd]: '),
  fc.integer({ min: 90, max: 125 }).map((length) => `${'y'.repeat(length)} 123456 ERROR `),
)
/** The line with other digits, and now and then another number of them. */
const varied = (line: string, seed: number): string =>
  line.replace(/\d+/g, (run, at: number) => {
    const turn = (seed + at) % 7
    if (turn === 0) return run.repeat(5)
    if (turn === 1) return run.slice(-2)
    return run.replace(/\d/g, (digit) => String((Number(digit) + seed) % 10))
  })
const logs = fc
  .array(
    fc.tuple(
      stamp,
      fc.tuple(opening, body).map((parts) => parts.join('')),
      fc.array(fc.nat({ max: 50 }), { maxLength: 4 }),
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((entries) =>
    entries.flatMap(([time, text, seeds]) => [
      `${time}${text}`,
      ...seeds.map((seed) => varied(`${time}${text}`, seed)),
    ]),
  )

/** The groups as they are by definition: each record read in full. */
function groupsInFull(lines: readonly string[], starts: readonly number[]): Map<string, number> {
  const groups = new Map<string, number>()
  for (const [at, from] of starts.entries()) {
    const line = lines[from] ?? ''
    const head = readHead(line)
    const key = [head?.level ?? '', readTemplate(head?.body ?? line).key]
    for (let i = from + 1; i < (starts[at + 1] ?? lines.length); i += 1) key.push(readTemplate(lines[i] ?? '').key)
    groups.set(key.join('\n'), (groups.get(key.join('\n')) ?? 0) + 1)
  }
  return groups
}

describe('like lines of a log', () => {
  it('fall into the groups that reading each in full gives', () => {
    fc.assert(
      fc.property(logs, (lines) => {
        const { groups, starts } = readLog(lines, () => {})
        expect(groups.map((group) => group.count)).toEqual([...groupsInFull(lines, starts).values()])
      }),
      { numRuns: 2000 },
    )
  })

  it('are not taken for one another where one holds a process id and the other an identifier', () => {
    const lines = ['12ab34cd', '12345678', '87654321'].map((id) => `2026-01-02T03:04:05Z app[${id}]: ready`)
    expect(readLog(lines, () => {}).groups.map((group) => group.count)).toEqual([1, 2])
  })

  it('have the template that they are found to match, and its values', () => {
    fc.assert(
      fc.property(body, fc.nat({ max: 50 }), (text, seed) => {
        const template = readTemplate(text)
        const matcher = matcherOf(template, 2000)
        const places = createPlaces()
        const other = varied(text, seed)
        if (matcher === null || !matches(matcher, other, 0, places)) return
        const read = readTemplate(other)
        expect(read.key).toBe(template.key)
        expect(read.values.map((_, i) => other.slice(places.from[i], places.to[i]))).toEqual(read.values)
      }),
      { numRuns: 2000 },
    )
  })

  it('are not read for facts only where they hold none', () => {
    fc.assert(
      fc.property(logs, (lines) => {
        readLog(lines, (line) => {
          expect([...factsOf([lines[line] ?? ''])]).toEqual([])
        })
      }),
      { numRuns: 2000 },
    )
  })

  it('keep an error among ten thousand lines of the same form', () => {
    const lines = Array.from(
      { length: 10_000 },
      (_, i) => `2026-01-02T03:04:05Z INFO  [w-${i % 5}] request ${i} took ${i % 90}ms`,
    )
    lines[7777] = '2026-01-02T03:04:05Z ERROR [w-1] request 7777 refused: upstream answered 503'
    const plan = planFilter(lines.join('\n'), { command: 'docker logs api' })
    expect(plan.changed && plan.body).toContain(lines[7777])
    expect(plan.changed && plan.body).toContain('{2} 9999 different, 0 1 2 … 9999')
  })
})

describe('values of one place', () => {
  it('are counted as a map of them counts', () => {
    const value = fc.stringMatching(/^[a-z]{0,2}\d{1,3}(?:\.\d{1,3})?$/)
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 60 }), (values) => {
        const shape = (text: string): string => text.replace(/\d+/g, '#')
        const alike = values.filter((text) => shape(text) === shape(values[0] ?? ''))
        const tally = new Tally()
        const counts = new Map<string, number>()
        for (const text of alike) {
          tally.add(codeOf(text, 0, text.length), text, 0, text.length)
          counts.set(text, (counts.get(text) ?? 0) + 1)
        }
        const told = [...counts].map(([text, count]) => (count > 1 ? `${text} ×${count}` : text))
        expect(tally.distinct).toBe(counts.size)
        expect(tally.summarise(12)).toBe(
          told.length <= 12
            ? told.join(' ')
            : `${told.length} different, ${told.slice(0, 3).join(' ')} … ${told.at(-1)}`,
        )
      }),
    )
  })

  it('are not told apart beyond ten thousand', () => {
    const tally = new Tally()
    for (let i = 0; i < 20_000; i += 1) tally.add(codeOf(`${i}`, 0, `${i}`.length), `${i}`, 0, `${i}`.length)
    tally.add(codeOf('2', 0, 1), '2', 0, 1)
    expect(tally.summarise(6)).toBe('over 10000 different, 0 1 2 ×2 … 19999')
  })
})
