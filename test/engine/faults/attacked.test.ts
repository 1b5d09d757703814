/** Faults that attacks on the filter have shown: each test is named by what is right. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { factsOf } from '../../../src/engine/signals.ts'
import { cutLine, cutLineWithFacts } from '../../../src/engine/strategies/long-line.ts'
import { estimateTokens } from '../../../src/engine/text/tokens.ts'
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

  test('of base64 and minified code little stays', () => {
    const { text: shown } = condense(text('YWJj'.repeat(9000)), { command: 'base64 a.png' })
    expect(shown).toMatch(/^(?:YWJj)+ \[filtered: \d+ characters cut by window\] (?:YWJj)+\n/)
    expect(shown.length).toBeLessThan(600)
  })

  test('a line cut for its facts holds them', () => {
    for (const before of [0, 300, 1200]) {
      const line = `${'at '.repeat(before / 3)}Error: no space for ${'a b c '.repeat(2000)}`
      expect([...factsOf([cutLineWithFacts(line) ?? '']).keys()]).toEqual([...factsOf([line]).keys()])
    }
  })
})

describe('go test', () => {
  const passes = list(60, (i) => `=== RUN   TestA${i}\n--- PASS: TestA${i} (0.00s)`)
  const flaky = ['=== RUN   TestFlaky', '--- PASS: TestFlaky (0.00s)', '=== RUN   TestFlaky', 'waits for lock 42']
  const event = (action: string, test: string, output = ''): string =>
    JSON.stringify({ Action: action, Package: 'ex.com/a', Test: test, ...(output && { Output: `${output}\n` }) })
  const passed = list(60, (i) => `${event('run', `TestA${i}`)}\n${event('pass', `TestA${i}`)}`)

  test('a test that passed once and then hangs is named, with its output', () => {
    const dump = [
      'panic: test timed out after 3s',
      '\trunning tests:',
      '\t\tTestFlaky (3s)',
      '',
      'FAIL\tex.com/a\t3.0s',
    ]
    const timedOut = condense(text(passes, flaky, dump), { command: 'go test -v -count=2 ./...', exitCode: 1 }).text
    for (const said of ['1 never ended', 'waits for lock 42', '\t\tTestFlaky (3s)']) expect(timedOut).toContain(said)
    const killed = condense(text(passes, flaky), { command: 'go test -v -count=2 ./...' }).text
    expect(killed).toMatch(/1 never ended[\s\S]*TestFlaky\nwaits for lock 42/)
    const events = text(passed, event('run', 'TestFlaky'), event('pass', 'TestFlaky'), event('run', 'TestFlaky'))
    expect(condense(events, { command: 'go test -json ./...' }).text).toMatch(
      /1 never ended[\s\S]*never ended: TestFlaky/,
    )
  })

  test('the running test of a timeout is a fact', () => {
    const facts = [...factsOf(['\trunning tests:', '\t\tTestFlaky (3s)']).keys()]
    expect(facts.some((key) => key.includes('TestFlaky'))).toBe(true)
  })

  test('packages without tests are no passing packages', () => {
    const { text: shown } = condense(text(list(60, (i) => `?   \tex.com/p${i}\t[no test files]`)), {
      command: 'go test ./...',
      exitCode: 0,
    })
    expect(shown).toMatch(/60 without tests\n\[filtered: 60 lines elided: packages without tests\]/)
  })

  test('benchmarks have ended, and their figures stay', () => {
    const bench = list(
      20,
      (i) =>
        `${event('run', `BenchmarkX${i}`)}\n${event('output', `BenchmarkX${i}`, `BenchmarkX${i}-2 10 ${i}.5 ns/op`)}`,
    )
    const { text: shown } = condense(text(passed, bench), { command: 'go test -json -bench . ./...' })
    expect(shown).not.toContain('never ended')
    for (let i = 0; i < 20; i += 1) expect(shown).toContain(` ${i}.5 ns/op`)
  })

  test('what a test printed stays where few ran; where many did, the marker says that output went', () => {
    const printed = list(40, (i) => `DEBUG state[${i}] = ${i * 7}`)
    const one = ['=== RUN   TestFoo', ...printed, '--- PASS: TestFoo (0.00s)', 'PASS', 'ok  \tex\t0.1s']
    const few = condense(text(one), { command: 'go test -v -run TestFoo .', exitCode: 0 }).text
    for (const line of printed) expect(few).toContain(line)
    const many = condense(text(passes, one), { command: 'go test -v .', exitCode: 0 }).text
    expect(many).toContain('output of passing tests')
  })
})

describe('files that quote the output of a tool', () => {
  const quoted = ['=== RUN   TestA', '--- PASS: TestA (0.00s)', 'PASS', 'ok  \tex.com/a\t0.1s']
  const source = [
    'package parse',
    '',
    'func TestParse(t *testing.T) {',
    '\tin := `',
    ...quoted,
    '\t`',
    ...list(80, (i) => `\tcheck${i}(t)`),
    '}',
  ]
  const readme = ['# Project', '```', ...quoted, '```', ...list(40, (i) => `Part ${i}: how feature number ${i} works.`)]

  test.each([
    ['cat parse_test.go', source],
    ['head -200 README.md', readme],
    ['git show HEAD:README.md', readme],
    ['curl -s http://ex.com/README.md', readme],
    [undefined, readme],
  ])('%s: no line goes', (command, lines) => {
    const { text: shown } = condense(text(lines), command === undefined ? {} : { command, exitCode: 0 })
    expect(shown).toBe(text(lines))
  })

  test('a saved log is read as what it is', () => {
    const log = text(
      list(60, (i) => `=== RUN   TestA${i}\n--- PASS: TestA${i} (0.00s)`),
      'PASS',
      'ok  \tex.com/a\t0.1s',
    )
    expect(condense(log, { command: 'cat test.log' }).by).toBe('go-test')
  })

  test('JSON that would hardly become smaller keeps its form; where it changes, that is said', () => {
    const flat = JSON.stringify(
      Object.fromEntries(list(60, (i) => `some-longer-name-${i}`).map((name, i) => [name, `^${i}.${i * 7}.0-beta`])),
      null,
      2,
    )
    expect(condense(`${flat}\n`, { command: 'cat package.json' }).text).toBe(`${flat}\n`)
    const deep = JSON.stringify({ a: list(200, (i) => `x${i}`), b: { c: { d: [[1], [2]] } } }, null, 12)
    expect(condense(`${deep}\n`, { command: 'cat deep.json' }).text).toMatch(/^JSON without white space:\n/)
  })
})

describe('repeats', () => {
  const time = (i: number): string => `2026-01-0${1 + (i % 9)} 0${i % 10}:00:00`

  test.each([
    ['rows', (i: number) => `${time(i)}|ok then`],
    ['times alone', time],
    ['comma-separated rows', (i: number) => `${time(i)},web,up`],
    ['a time and one word', (i: number) => `${time(i)} ok`],
  ])('are no rows that differ in their time: %s', (_, row) => {
    const rows = text(list(100, row))
    expect(condense(rows, { command: 'sqlite3 db "select * from x"' }).text).toBe(rows)
  })

  test('of a message say that their times differ, and the last', () => {
    const log = text(list(200, (i) => `12:00:${String(i % 60).padStart(2, '0')} still waiting for it`))
    expect(condense(log, { command: './wait' }).text).toContain(
      '[filtered: 199 lines elided: like the line above but for their times (x200), last at 12:00:19]',
    )
  })
})

test.each([
  ['find . -print0', (i: number) => `./src/dir${i}/file${i}.ts`],
  ['git status --porcelain -z', (i: number) => ` M src/a/f${i}.ts`],
  [undefined, (i: number) => `Error: ${i}\nwith a second line`],
])('parts that NUL separates stay as they are: %s', (command, part) => {
  const parts = `${list(300, part).join('\0')}\0`
  expect(condense(parts, command === undefined ? {} : { command }).by).toBe('narrowed')
})

test('the failing row of a long list stays, however many rows are odd', () => {
  const rows = list(3000, (i) => {
    const status = i === 1500 ? 'ERROR: disk failure' : i % 4 === 0 ? `timeout ${i}` : 'ok'
    return JSON.stringify({ id: i, name: `n${i}`, status, ...(i % 3 === 0 && { extra: i }) })
  })
  for (const json of [`[${rows.join(',')}]`, rows.join('\n')])
    expect(condense(json, { command: 'curl http://x/api' }).text).toContain('disk failure')
})

test('many folders entered and none left: each is named once where something failed', () => {
  const log = text(
    list(300, (i) => `make[1]: Entering directory '/x${i}'`),
    list(300, (i) => `make: *** [a${i}] Error 1`),
  )
  const { text: shown } = condense(log, { command: 'make', exitCode: 2 })
  expect(shown.match(/Entering directory/g)).toHaveLength(300)
  const left = condense(
    text(
      list(100, (i) => `make[1]: Entering directory '/a${i}'\nmake[1]: Leaving directory '/a${i}'`),
      "make[1]: Entering directory '/b'",
      'make: *** [b] Error 1',
    ),
    { command: 'make', exitCode: 2 },
  ).text
  expect(left.match(/Entering directory .*/g)).toEqual(["Entering directory '/b'"])
})

test('of the rows of a large table as many stay as half the budget holds', () => {
  const rows = text(
    'id,name,amount',
    list(3000, (i) => `${i},customer ${i},${(i * 37) % 991}`),
  )
  const { text: shown } = condense(rows, { command: 'cat data.csv', exitCode: 0 })
  expect(shown.split('\n').length).toBeGreaterThan(150)
  expect(shown.startsWith('id,name,amount\n0,customer 0,0\n')).toBe(true)
})

test('NUL-separated names that have to be cut are cut, with blanks for NUL', () => {
  const names = list(400, (i) => `./src/part_${i}/index.ts`).join('\0')
  const { text: shown } = condense(`${names}\0`, { command: 'xargs-list', maxTokens: 200 })
  expect(estimateTokens(shown)).toBeLessThanOrEqual(200)
  expect(shown).toContain('./src/part_0/index.ts ./src/part_1/index.ts ')
})
