import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { condensed, recorded } from './condensed.ts'

const file = fc.stringMatching(/^[a-z]{1,3}(?:\/[a-z]{1,8}){0,3}\.(?:go|ts|js)$/)
const text = fc.oneof(
  fc.stringMatching(/^[a-z(){};=:." -]{1,60}$/),
  fc.constantFrom('\treturn err', 'error: it broke', 'throw new Error("x")', '// TODO: later'),
)
const search = fc.uniqueArray(fc.tuple(file, fc.array(text, { minLength: 1, maxLength: 30 })), {
  selector: ([path]) => path,
  minLength: 1,
  maxLength: 40,
})

/** Every place that a condensed search names, `path:12`. */
function placesIn(body: string): string[] {
  const places: string[] = []
  let path = ''
  for (const line of body.split('\n')) {
    const hidden = /^\[filtered: \d+ lines? elided: (texts of the hits in lines .*)\]$/.exec(line)
    if (hidden) {
      for (const [, numbers] of (hidden[1] ?? '').matchAll(/in lines ([\d,]+)/g))
        for (const number of numbers?.split(',') ?? []) places.push(`${path}:${number}`)
      continue
    }
    const under = /^(\d+(?:,\d+)*):/.exec(line)
    if (under) for (const number of under[1]?.split(',') ?? []) places.push(`${path}:${number}`)
    else if (/^[a-z/]+\.(?:go|ts|js)$/.test(line)) path = line
    else {
      const shared = /^((?:[a-z/]+\.(?:go|ts|js):\d+(?:,\d+)*(?:, )?)+):/.exec(line)
      for (const part of shared?.[1]?.split(', ') ?? []) {
        const at = part.lastIndexOf(':')
        for (const number of part.slice(at + 1).split(',')) places.push(`${part.slice(0, at)}:${number}`)
      }
    }
  }
  return places
}

describe('any search with line numbers', () => {
  test('names every hit by file and line, and says how many there are', () => {
    fc.assert(
      fc.property(search, (files) => {
        const hits = files.flatMap(([path, texts]) => texts.map((hit, i) => ({ place: `${path}:${i * 3 + 1}`, hit })))
        const raw = hits.map(({ place, hit }) => `${place}:${hit}`)
        const body = condensed(`${raw.join('\n')}\n`, 'grep -rn x src')
        expect(placesIn(body).sort()).toEqual(hits.map(({ place }) => place).sort())
        if (body !== `${raw.join('\n')}\n` && hits.length > 1)
          expect(body).toContain(`${hits.length} matching lines in ${files.length} file`)
      }),
      { numRuns: 150 },
    )
  })

  test('of very many hits each file shows the first, and the lines of all', () => {
    const raw = Array.from({ length: 60 }, (_, f) =>
      Array.from(
        { length: 40 },
        (_, i) =>
          `src/f${'abcdefgh'[f % 8]}${'xyz'[f % 3]}${'pq'[f % 2]}.go:${i + 1}:call${f}of${i}(with, some, words)`,
      ),
    ).flat()
    const lines = [...new Map(raw.map((line) => [line.split(':').slice(0, 2).join(':'), line])).values()]
    const body = condensed(lines.join('\n'), 'grep -rn call src')
    expect(placesIn(body).sort()).toEqual(lines.map((line) => line.split(':').slice(0, 2).join(':')).sort())
    expect(body.length).toBeLessThan(lines.join('\n').length / 2)
    expect(body).toMatch(/elided: texts of the hits in lines 2?\d/)
  })
})

test('of much context the first stays, and every hit', () => {
  const part = (i: number): string[] => [
    `src/a.ts-${i * 9}-  const before${i} = prepare(${i})`,
    `src/a.ts:${i * 9 + 1}:  needle(${i})`,
    `src/a.ts-${i * 9 + 2}-  const after${i} = tidy(${i})`,
    '--',
  ]
  const raw = Array.from({ length: 600 }, (_, i) => part(i + 1)).flat()
  const body = condensed(raw.join('\n'), 'grep -rn -C1 needle src')
  expect(body).toContain('9-  const before1 = prepare(1)')
  expect(body).not.toContain('before600')
  for (let i = 1; i <= 600; i += 1) expect(body).toContain(`${i * 9 + 1}:  needle(${i})`)
  expect(body).toContain('[filtered: 3 lines elided: lines of context]')
})

describe('what is no hit', () => {
  const hits = Array.from({ length: 40 }, (_, i) => `src/a.ts:${i + 1}:const value${i} = compute(${i})`)
  test.each([
    'Binary file ./assets/logo.png matches',
    'grep: ./assets/logo.png: binary file matches',
    'grep: ./secret: Permission denied',
    'rg: ./gone: No such file or directory (os error 2)',
    'error: unknown revision main~9',
    'panic: runtime error: index out of range',
    'FAILED tests/a.py::test_b - AssertionError',
  ])('%s stays', (line) => {
    const body = condensed([...hits.slice(0, 20), line, ...hits.slice(20)].join('\n'), 'grep -rn value .')
    expect(body.split('\n')).toContain(line)
  })

  test('a message of the program stays whole, however long', () => {
    const line = `grep: ./${'deep/'.repeat(90)}secret: Permission denied`
    expect(condensed([line, ...hits].join('\n'), 'grep -rn value .').split('\n')).toContain(line)
  })

  test('separators between parts of the context stay', () => {
    const { text, command } = recorded('grep', 'grep-context')
    const count = (of: string): number => of.split('\n').filter((line) => line === '--').length
    expect(count(text)).toBeGreaterThan(0)
    expect(count(condensed(text, command))).toBe(count(text))
  })
})

test('an overlong line is cut around what was looked for, with its count', () => {
  const long = `${'var a=1;'.repeat(500)}needle(${'var b=2;'.repeat(500)}`
  const body = condensed(`dist/a.js:1:${long}\nsrc/b.js:2:needle()\n`, 'grep -rn needle .')
  expect(body).toContain('dist/a.js:1:')
  expect(body).toContain('needle(var b')
  expect(body).toMatch(/\[filtered: \d+ characters cut by grep\]/)
})

test('a text that only mentions an error is no signal: it shares a line with its like', () => {
  const raw = Array.from({ length: 60 }, (_, i) => `src/a.ts:${i + 1}:throw new Error("it broke")`)
  const body = condensed(raw.join('\n'), 'grep -rn "new Error" src')
  expect(body.match(/it broke/g)?.length).toBeLessThanOrEqual(2)
})

describe('numbers that are no places', () => {
  const two = (n: number): string => String(n).padStart(2, '0')
  const clock = (i: number): string => `${two(Math.floor(i / 60) % 24)}:${two(i % 60)}:${two((i * 7) % 60)}`
  const log = (day: string, n: number): string[] =>
    Array.from({ length: n }, (_, i) => `${day}${clock(i)} ERROR worker ${i} failed: code ${i * 31}`)

  test.each([
    ['times', 'grep ERROR app.log', log('', 300)],
    ['dates', 'grep ERROR app.log', log('2024-01-01 ', 300)],
    ['times, in a program that may number', 'rg ERROR app.log', log('', 300)],
    ['dates, in a program that may number', 'rg ERROR app.log', log('2024-01-01 ', 300)],
    ['dates, with context', 'grep -C2 ERROR app.log', log('2024-01-01 ', 300)],
  ])('%s at the beginning of a line', (_, command, lines) => {
    const body = condensed(lines.join('\n'), command)
    for (const line of lines) expect(body).toContain(line)
  })

  test.each(['grep -r ERROR logs', 'rg ERROR logs'])('%s: behind a path, files are counted as such', (command) => {
    const lines = ['a', 'b', 'c'].flatMap((name) => log('2024-01-01 ', 20).map((line) => `logs/${name}.log:${line}`))
    const body = condensed(lines.join('\n'), command)
    expect(body).toContain('60 matching lines in 3 files')
    for (const line of log('2024-01-01 ', 20)) expect(body.split(line).length).toBe(4)
  })

  test('whatever a line of one file begins with, plain grep shows it whole', () => {
    const begin = fc.oneof(
      fc.stringMatching(/^\d{1,4}[:-](?:\d{2}[:-]){0,2}$/),
      fc.stringMatching(/^[a-z./]{1,8}[:-]\d{1,3}[:-]$/),
    )
    const logLine = fc.tuple(begin, fc.stringMatching(/^[a-z ]{5,40}$/)).map(([head, tail]) => `${head}x${tail}x`)
    fc.assert(
      fc.property(fc.array(logLine, { minLength: 1, maxLength: 80 }), (lines) => {
        const body = condensed(lines.join('\n'), 'grep x app.log')
        // A path that begins several lines may stand once above them; the rest of each line stands behind it.
        for (const line of lines) expect(body).toContain(line.slice(line.indexOf(':') + 1))
        expect(body).not.toContain('elided')
      }),
      { numRuns: 100 },
    )
  })

  test('numbered lines that hold times keep their places', () => {
    const lines = log('', 300).map((line, i) => `${i * 3 + 1}:${line}`)
    expect(condensed(lines.join('\n'), 'grep -n ERROR app.log')).toContain('1:00:00:00 ERROR worker 0 failed')
  })

  test('of very many hits without numbers each file shows the first, and the rest is counted', () => {
    const lines = ['a', 'b'].flatMap((name) => log('', 300).map((line) => `logs/${name}.log:${line}`))
    const body = condensed(lines.join('\n'), 'grep -r ERROR logs')
    expect(body).toContain('600 matching lines in 2 files')
    expect(body.match(/elided: further hits of the file above/g)).toHaveLength(2)
    expect(body.length).toBeLessThan(lines.join('\n').length / 2)
    const alone = log('', 4000).join('\n')
    expect(condensed(alone, 'grep ERROR app.log').length).toBeLessThan(alone.length / 2)
  })

  test('hits without numbers are counted only where all of them were read', () => {
    const lines = ['a', 'b'].flatMap((name) => log('', 30).map((line) => `logs/${name}.log:${line}`))
    const body = condensed([...lines, 'logs/alone.log:ERROR once'].join('\n'), 'grep -r ERROR logs')
    expect(body).toContain('logs/alone.log:ERROR once')
    expect(body).not.toContain('60 matching lines')
  })
})
