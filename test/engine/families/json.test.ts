import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { condensed, recorded, strategyOf } from './condensed.ts'

const rows = (count: number, row: (i: number) => string): string =>
  `[${Array.from({ length: count }, (_, i) => row(i)).join(',')}]`

describe('lists of like objects', () => {
  test.each(['array', 'http-minified', 'http-pretty', 'minified-cut', 'pip-list'])('%s becomes columns', (name) => {
    const { text } = recorded('json', name)
    expect(strategyOf(text)).toBe('json-columns')
    expect(condensed(text)).toContain('JSON as columns')
  })

  test('numbers stand as they came', () => {
    const shown = condensed(
      rows(40, (i) => `{"id": 90071992547409${i + 10}, "rate": ${i}.0, "small": ${i}e-7, "one": 1.0}`),
    )
    expect(shown).toContain('9007199254740949,39.0,39e-7')
    expect(shown).toContain('one=1.0')
  })

  test('a string that looks like a number is told from one', () => {
    const shown = condensed(rows(40, (i) => `{"text":"${i}","number":${i},"mixed":${i % 2 === 0 ? i : `"${i}"`}}`))
    expect(shown).toContain('"text",number,mixed')
    expect(shown).toContain('38,38,38')
    expect(shown).toContain('39,39,"39"')
  })

  test('odd rows keep their fields, also beyond the number of rows that are shown', () => {
    const text = rows(900, (i) =>
      i === 450 ? '{"id":450,"state":"bad","error":"disk full"}' : `{"id":${i},"state":"ok"}`,
    )
    const shown = condensed(text)
    expect(shown).toContain('450 | state="bad", error="disk full"')
    const gone = [...shown.matchAll(/^\[filtered: (\d+) rows elided: /gm)].reduce(
      (sum, [, count]) => sum + Number(count),
      0,
    )
    const left = shown.split('\n').filter((line) => /^\d+(?: \||$)/.test(line)).length
    expect(gone + left).toBe(900)
    expect(shown).toContain('900 rows')
  })

  test('missing, null and empty are three things', () => {
    const shown = condensed(
      rows(60, (i) =>
        i % 3 === 0 ? `{"id":${i},"note":null}` : i % 3 === 1 ? `{"id":${i},"note":""}` : `{"id":${i}}`,
      ),
    )
    expect(shown).toContain('\n0,null\n1,""\n2,\n')
  })

  test('every value of every row stands in the result', () => {
    const row = fc.record({
      id: fc.integer(),
      name: fc.string({ maxLength: 12 }),
      state: fc.constantFrom('on', 'off', null),
      at: fc.record({ zone: fc.constantFrom('a', 'b, c', 'd|e') }),
    })
    fc.assert(
      fc.property(fc.array(row, { minLength: 30, maxLength: 60 }), (list) => {
        const shown = condensed(JSON.stringify(list, null, 2))
        for (const { id, name } of list) {
          expect(shown).toContain(String(id))
          expect(shown).toContain(JSON.stringify(name).slice(1, -1))
        }
      }),
      { numRuns: 30 },
    )
  })
})

describe('other documents', () => {
  test('stay valid JSON with equal values', () => {
    const { text } = recorded('json', 'npm-ls')
    const lone: unknown = JSON.parse(text)
    const shown = condensed(
      JSON.stringify({ a: { b: [1, 2, { c: 'x y', d: [true, null] }] }, deep: { er: lone } }, null, 8)
        .slice(0, -1)
        .concat('}'),
      'cat x.json',
    )
    expect(shown.length).toBeLessThan(text.length * 3)
    const irregular = JSON.stringify(
      {
        a: [1, 'two', { three: 3 }],
        b: { c: { d: { e: 'f'.repeat(40) } } },
        g: Array.from({ length: 80 }, (_, i) => (i % 2 === 0 ? i : `s ${i}`)),
      },
      null,
      4,
    )
    expect(JSON.parse(condensed(irregular))).toEqual(JSON.parse(irregular))
    expect(condensed(irregular).length).toBeLessThan(irregular.length * 0.8)
  })

  test('cut off at any length is said to be', () => {
    const { text } = recorded('json', 'array')
    for (const length of [3000, 3001, 3010, 3050, 3077, 20_000])
      expect(condensed(text.slice(0, length))).toContain('incomplete: the JSON is cut off')
  })

  test('text in brackets is no JSON', () => {
    const lines = Array.from({ length: 80 }, (_, i) => `[step ${i}] {not json} at ${i}`)
    expect(strategyOf(lines.join('\n')) ?? '').not.toMatch(/json/)
  })

  test('a document nested beyond reason does no harm', () => {
    const text = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
    expect(strategyOf(text) ?? '').not.toMatch(/json/)
  })
})

test('the head of a reply keeps what a caller acts on', () => {
  const body = rows(50, (i) => `{"id":${i},"state":"ok"}`)
  const shown = condensed(
    `HTTP/1.1 429 Too Many Requests\r\nServer: x\r\nRetry-After: 30\r\nX-RateLimit-Remaining: 0\r\nDate: now\r\nVia: a\r\nAge: 3\r\nContent-Type: application/json\r\n\r\n${body}`,
    'curl -si http://a.example',
  )
  for (const line of [
    'HTTP/1.1 429 Too Many Requests',
    'Retry-After: 30',
    'X-RateLimit-Remaining: 0',
    'Content-Type: application/json',
    'JSON as columns',
  ])
    expect(shown).toContain(line)
  expect(shown).not.toContain('Via: a')
})
