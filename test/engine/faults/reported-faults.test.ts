/** Faults that users of such filters report: each test is named by what is right. */
import { describe, expect, test } from 'vitest'
import { estimateTokens } from '../../../src/engine/text/tokens.ts'
import { condense, condenseFixture, fixture, fixturesOf } from '../../support/condense.ts'
import { contextOf, missingFacts } from '../../support/fixtures.ts'

const times = (count: number, line: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => line(i)).join('\n')
const SUCCESS =
  /\ball (?:tests )?pass|\bsuccess|\b(?:build|compilation) (?:ok|completed)|\bno (?:issues|problems|errors) found/i

describe('no green on red', () => {
  test.each(['go-build/no-such-dir', 'go-build/no-such-file', 'go-test/no-such-package', 'go-vet/no-such-dir'])(
    '%s is a failure',
    (name) => {
      const { text } = condenseFixture(name)
      expect(text).toMatch(/not found|no such file|directory|no required module/)
      expect(text).not.toMatch(SUCCESS)
    },
  )

  test('a package that does not compile under go test -json has not passed, and its errors stay', () => {
    const { text } = condenseFixture('go-test/build-failed-json')
    expect(text.split('\n')[0]).toMatch(/1 did not build/)
    for (const part of ['track/track.go:6:2', '[build failed]', 'have (Parcel)']) expect(text).toContain(part)
  })

  test.each(['go-test/timeout', 'go-test/timeout-json', 'go-test/timeout-verbose'])(
    '%s: the package failed, and the tests that were running are named',
    (name) => {
      const { text } = condenseFixture(name)
      expect(text).toMatch(/test timed out after 2s/)
      expect(text).toMatch(/TestWaits\/second/)
      expect(text).toMatch(/FAIL\texample\.com\/parcel\/slow|slow.*fail/i)
    },
  )

  test.each(['jest/suites-fail-to-run', 'vitest/suites-fail-to-load', 'playwright/load-error'])(
    '%s: a suite that does not load is a failure with its reason',
    (name) => {
      const { text } = condenseFixture(name)
      expect(missingFacts(fixture(name).facts, text)).toEqual([])
      expect(text).not.toMatch(/^.*\b0 failed\b.*$/m)
    },
  )

  test('an uncaught exception beside tests that all passed is told', () => {
    const { text } = condenseFixture('vitest/unhandled')
    for (const part of ['lost connection to the broker', 'timer went off', 'Errors  2 errors'])
      expect(text).toContain(part)
  })

  test('`0 failed` is no failure, and `ok` inside `token` no pass', () => {
    const passing = condenseFixture('cargo-test/many-passing').text
    expect(passing).toMatch(/test result: ok\. .* 0 failed/)
    expect(passing).not.toMatch(/exit code|FAILED/)
    const line = (i: number): string => `token ${i} checked, broken ${i % 7}`
    expect(condense(times(500, line), { command: './check', exitCode: 1 }).text).not.toMatch(/\bpassed\b|\bok\b/)
  })

  test('an exit code that is known is told where the output does not show the failure', () => {
    const text = `${times(60, (i) => `=== RUN   Test${i}\n--- PASS: Test${i} (0.00s)`)}\nPASS\nok  \texample.com/a\t0.01s\n`
    expect(condense(text, { command: 'go test -v ./...', exitCode: 1 }).text).toMatch(/exit code 1/)
    expect(condense(text, { command: 'go test -v ./... | tee log', exitCode: 1 }).text).not.toMatch(/exit code 1/)
  })
})

describe('no silent cut', () => {
  test('a diff with hundreds of changes keeps each changed line whole', () => {
    const { text } = condenseFixture('git-diff/many-changes')
    const shown = new Set(text.split('\n'))
    const changes = fixture('git-diff/many-changes')
      .text.split('\n')
      .filter((line) => /^[-+](?![-+])/.test(line))
    expect(changes.length).toBeGreaterThan(100)
    expect(changes.filter((line) => !shown.has(line))).toEqual([])
    const wide = `+${'const wide = 1; '.repeat(20)}end`
    const diff = `diff --git a/a.ts b/a.ts\nindex 1..2 100644\n--- a/a.ts\n+++ b/a.ts\n@@ -1,80 +1,81 @@\n${times(80, (i) => ` line ${i}`)}\n${wide}\n`
    expect(condense(diff, { command: 'git diff' }).text).toContain(wide)
  })

  test('the failure summary at the end of a task runner is kept, whatever came before', () => {
    const tasks = times(300, (i) => `@shop/pkg-${i}:build: cache hit, replaying output ${i}`)
    const end =
      ' Tasks:    299 successful, 300 total\nFailed:    @shop/api#build\n ERROR  run failed: command  exited (2)'
    const { text } = condense(`${tasks}\n${end}\n`, { command: 'turbo run build', exitCode: 2 })
    for (const line of end.split('\n')) expect(text).toContain(line)
  })

  test('each of 141 changed paths is named', () => {
    const { text } = condenseFixture('git-status/many-modified')
    const paths = [...fixture('git-status/many-modified').text.matchAll(/(?:modified|deleted): +(\S+)/g)]
    expect(paths.length).toBe(141)
    for (const [, path = ''] of paths) expect(text).toContain(path.slice(path.lastIndexOf('/') + 1))
  })

  test('49 failures are 49 failures', () => {
    const failure = (i: number): string =>
      `--- FAIL: TestOne${i} (0.00s)\n    one_test.go:${i + 10}: got ${i}, want ${i + 1}`
    const pass = (i: number): string => `--- PASS: TestTwo${i} (0.00s)`
    const text = `${times(200, pass)}\n${times(49, failure)}\nFAIL\nFAIL\texample.com/one\t0.1s\nFAIL\n`
    const { text: shown } = condense(text, { command: 'go test -v ./...', exitCode: 1 })
    for (let i = 0; i < 49; i += 1) {
      expect(shown).toContain(`--- FAIL: TestOne${i} `)
      expect(shown).toContain(`one_test.go:${i + 10}: got ${i}, want ${i + 1}`)
    }
  })

  test('no marker says that more follows where all is shown, and each says how many lines went', () => {
    for (const { family, name } of [...fixturesOf('git-diff'), ...fixturesOf('go-test'), ...fixturesOf('grep')]) {
      const { text } = condenseFixture(`${family}/${name}`)
      const gaps = [...text.matchAll(/^\[filtered: (\d+) lines? elided: /gm)].map((match) => Number(match[1]))
      const trailer = /^\[filtered: (\d+) of \d+ lines elided by /m.exec(text)
      if (trailer === null) continue
      expect(gaps.every((count) => count > 0)).toBe(true)
      expect(gaps.reduce((sum, count) => sum + count, 0)).toBe(Number(trailer[1]))
    }
  })
})

describe('no change of meaning', () => {
  test.each([
    'grep -c TODO src/*',
    'rg TODO | wc -l',
    'git diff | sed -n 1,40p',
    'gh pr list --json number | jq length',
  ])('what was narrowed by hand is left alone: %s', (command) => {
    const text = times(400, (i) => `src/file${i}.ts:${i}`)
    expect(condense(text, { command })).toEqual({ text, by: 'narrowed' })
  })

  test('arrays of JSON keep each value, and what was cut off in mid-stream is said to be so', () => {
    const enums = Array.from({ length: 60 }, (_, i) => ({ id: i, kind: { enum: ['red', 'green', 'blue', 'none'] } }))
    const { text } = condense(JSON.stringify(enums, null, 2), { command: 'cat schema.json' })
    for (const value of ['red', 'green', 'blue', 'none']) expect(text).toContain(value)
    expect(condenseFixture('json/minified-cut').text).toMatch(/cut off|incomplete/)
    const { text: log, command } = fixture('json/docker-log')
    expect(condense(log.slice(0, 30_000), { command }).text).toMatch(/cut off|incomplete/)
  })

  test('line numbers are those of the tool', () => {
    const { text, by } = condenseFixture('grep/grep-rn')
    expect(by).toBe('grep')
    expect(missingFacts(fixture('grep/grep-rn').facts, text)).toEqual([])
  })

  test('dot files and `.env` stay in a listing', () => {
    const names = [
      '.env',
      '.github',
      ...Array.from({ length: 200 }, (_, i) => `file-${String(i).padStart(3, '0')}.txt`),
    ]
    const text = times(names.length, (i) => `-rw-r--r-- 1 dev dev ${100 + i} Nov 30 04:32 ${names[i]}`)
    const { text: shown } = condense(`total 99\n${text}\n`, { command: 'ls -la' })
    for (const name of names) expect(shown).toContain(name)
    expect(condenseFixture('ls/many').text).toContain('.hidden')
  })

  test('`/*` inside a string is no comment', () => {
    const code = '+  const glob = "src/**/*.ts"; const url = "http://a/b"; // kept'
    const diff = `diff --git a/a.ts b/a.ts\nindex 1..2 100644\n--- a/a.ts\n+++ b/a.ts\n@@ -1,80 +1,81 @@\n${times(80, (i) => ` line ${i}`)}\n${code}\n`
    expect(condense(diff, { command: 'git diff' }).text).toContain(code)
  })

  test('of two commands no family decides: neither output is read as the other', () => {
    const text = `${fixture('git-status/mixed').text}\n${fixture('go-test/plain-failing').text}`
    const { text: shown, by } = condense(text, { command: 'git status; go test ./...' })
    expect(by).not.toMatch(/git-status|go-test/)
    expect(shown).toContain('--- FAIL: TestTake')
    expect(shown).toContain('Changes to be committed')
  })

  test('rows of one shape that differ stay apart', () => {
    const rows = Array.from({ length: 40 }, (_, i) => ({
      id: `ord-${i * 7}`,
      total: i * 13,
      status: i % 9 ? 'paid' : 'open',
    }))
    const { text } = condense(JSON.stringify(rows), { command: 'curl -s http://shop/orders' })
    for (const { id, total } of rows) expect(text).toMatch(new RegExp(`${id}\\b.*\\b${total}\\b`))
  })

  test('the health of each container and pod stays', () => {
    expect(condenseFixture('docker/ps-all').text).toMatch(/\(unhealthy\)[^\n]*api-unhealthy/)
    for (const name of ['docker/ps-all', 'kubectl/get-pods', 'kubectl/get-pods-wide'])
      expect(missingFacts(fixture(name).facts, condenseFixture(name).text)).toEqual([])
  })
})

describe('encoding', () => {
  test.each(['go-test/not-utf8', 'go-test/not-utf8-json'])('%s: a byte that is not UTF-8 ends nothing', (name) => {
    expect(missingFacts(fixture(name).facts, condenseFixture(name).text)).toEqual([])
    const text = `${times(300, (i) => `step ${i}`)}\n\ufffd\ufffd bad bytes\nError: the last line\n`
    expect(condense(text).text).toContain('Error: the last line')
  })

  test('no cut stands inside a character of several units', () => {
    const line = (i: number): string => `名前が見つかりません 🚀👩‍👩‍👧 ${'漢字🚀'.repeat(200)} ${i}`
    for (const maxTokens of [200, 333, 1000, 4000]) {
      const { text } = condense(times(40, line), { command: './run', maxTokens })
      expect(text.isWellFormed()).toBe(true)
    }
    const json = JSON.stringify(Array.from({ length: 50 }, (_, i) => ({ i, text: '🚀'.repeat(4000 + i) })))
    expect(condense(json, { maxTokens: 900 }).text.isWellFormed()).toBe(true)
  })

  test('`ESC[K` goes, and what it stands in is still recognised', () => {
    const { text, ...rest } = fixture('gcc/template-errors')
    const coloured = text.replace(/error:/g, '\u001b[01;31m\u001b[Kerror: \u001b[m\u001b[K'.trimEnd())
    const { text: shown, by } = condense(coloured, contextOf({ text: coloured, ...rest }))
    expect(by).toBe('gcc')
    expect(shown).not.toContain('\u001b')
  })

  test('3,439 states of a progress bar become the last one, counted', () => {
    const bar = times(3439, (i) => `Downloading ${i} of 3439`).replaceAll('\n', '\r')
    const { text } = condense(`start\n${bar}\nError: checksum differs\n${times(30, (i) => `note ${i}`)}\n`)
    expect(text).toContain('Downloading 3438 of 3439')
    expect(text).not.toContain('Downloading 3437')
    expect(text).toContain('[filtered: 1 line elided: redrawn terminal lines, last state:]')
    expect(text).toContain('Error: checksum differs')
    expect(estimateTokens(text)).toBeLessThan(1000)
  })
})

describe('own markers', () => {
  test('a filtered output is not filtered again, whatever the command', () => {
    for (const name of ['go-test/all-shop', 'eslint/stylish-many', 'golangci-lint/v2-json', 'service-log/postgres']) {
      const { text } = condenseFixture(name)
      for (const command of [fixture(name).command, 'cat out.txt', 'git status'])
        expect(condense(text, { command })).toEqual({ text, by: 'already-filtered' })
    }
  })

  test('whatever words the caller has for the full output, the trailer is recognised', () => {
    const { text } = fixture('go-test/all-shop')
    for (const hint of [
      'see {id}] now',
      'two\nlines {id}',
      '{id}'.repeat(40),
      'x'.repeat(300),
      '',
      'o_zaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
    ]) {
      const once = condense(text, { command: 'go test ./...', hint }).text
      expect(condense(once, { command: 'go test ./...' })).toEqual({ text: once, by: 'already-filtered' })
    }
  })

  test('no gap is marked at more cost than what it stands for', () => {
    const pair = (i: number): string => `--- PASS: T${i} (0.00s)\n--- FAIL: F${i} (0.00s)\n    a_test.go:${i}: no`
    const passing = times(300, (i) => `--- PASS: Many${i} (0.00s)`)
    const { text } = condense(`${passing}\n${times(60, pair)}\nFAIL\nFAIL\ta\t0.1s\n`, { command: 'go test -v' })
    expect(text).toMatch(/\[filtered: 30\d lines elided/)
    const passed = estimateTokens('--- PASS: T10 (0.00s)')
    for (const [marker] of text.matchAll(/^\[filtered: 1 line elided: .*$/gm))
      expect(estimateTokens(marker)).toBeLessThanOrEqual(passed)
  })
})
