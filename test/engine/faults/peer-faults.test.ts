/** Faults that other filters of tool output show: each test is named by what is right. */
import { expect, test } from 'vitest'
import { condense, condenseFixture, fixture } from '../../support/condense.ts'
import { contextOf } from '../../support/fixtures.ts'

const linesOf = (text: string): string[] => text.split('\n')
const times = (count: number, line: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => line(i)).join('\n')
/** Lines of the recording that match, none of which may be missing. */
function expectKept(name: string, pattern: RegExp): void {
  const { text } = condenseFixture(name)
  const wanted = linesOf(fixture(name).text).filter((line) => pattern.test(line))
  expect(wanted.length).toBeGreaterThan(0)
  const shown = linesOf(text).map((line) => line.trim())
  expect(wanted.filter((line) => !shown.includes(line.trim()))).toEqual([])
}

test('plain go test: every failure is named, and tests were found', () => {
  expectKept('go-test/plain-failing', /--- FAIL: |_test\.go:\d+: /)
  expect(condenseFixture('go-test/all-shop').text).toContain('--- FAIL: TestTake')
  expect(condenseFixture('go-test/plain-failing').text).not.toMatch(/no tests/i)
})

test('go test -json with skips alone: the skipped tests, each with its reason', () => {
  const { text } = condenseFixture('go-test/skips-json')
  for (const skip of [
    'TestDatabase',
    'SHOP_DATABASE_URL is not set',
    'TestRegistry',
    'needs windows',
    'TestLong/large',
  ])
    expect(text).toContain(skip)
  expect(text).not.toMatch(/no tests found/i)
})

test('go test -json cut off in mid-run: incomplete, and which test never ended', () => {
  const { text } = condenseFixture('go-test/cut-off-json')
  expect(linesOf(text)[0]).toMatch(/never ended.*incomplete/)
  expect(text).toMatch(/--- never ended: TestContentCharset /)
})

test('testify: expected and actual, Diff, Messages and the test name, all of it', () => {
  for (const name of ['go-test/testify', 'go-test/testify-verbose', 'go-test/testify-module-verbose'])
    expectKept(name, /^\s+(?:Error Trace|Error|Messages|Test):|\t(?:expected|actual {2}): |\t[-+] /)
  const { text } = condenseFixture('go-test/testify-json')
  for (const part of ['Error Trace:', 'expected: ', 'actual  : ', 'Diff:', 'Test:', 'Messages:'])
    expect(text).toContain(part)
})

test('a panic in a test: frames of the user stay, frames of the runtime go, counted', () => {
  for (const name of ['go-test/nil-deref', 'go-test/nil-deref-verbose', 'go-test/panic-subtest']) {
    expectKept(name, /^\t\/home\/dev\/\S+\.go:\d+/)
    expect(condenseFixture(name).text).toMatch(/\[filtered: \d+ lines elided: [^\]]*runtime frames/)
  }
})

test('a build error of over 120 characters is whole', () => {
  const long = `cannot use value (variable of type ${'map[string][]'.repeat(20)}int) as string value in argument to take`
  const text = `# example.com/shop\n${times(40, (i) => `./a.go:${i + 1}:2: ${i === 20 ? long : `undefined: name${i}`}`)}\n`
  const { text: shown, by } = condense(text, { command: 'go build ./...', exitCode: 1 })
  expect(by).toBe('go-build')
  expect(shown).toContain(long)
})

test('the same input five times: one output', () => {
  const { text, ...rest } = fixture('go-test/all-shop')
  const outputs = Array.from({ length: 5 }, () => condense(text, contextOf({ text, ...rest })).text)
  expect(new Set(outputs).size).toBe(1)
})

test('golangci-lint JSON: path, line, column, message and linter of each issue, not counts alone', () => {
  const issues = ['errcheck', 'govet', 'revive', 'gosec', 'lll', 'unused', 'nestif'].map((linter, i) => ({
    FromLinter: linter,
    Text: `message number ${i} of ${linter}`,
    SourceLines: ['\tx := 1'],
    Pos: { Filename: `pkg/deep/file${i}.go`, Line: 10 + i, Column: 2 + i },
  }))
  const { text } = condense(`${JSON.stringify({ Issues: issues, Report: { Linters: [] } })}\n`, {
    command: 'golangci-lint run',
  })
  issues.forEach(({ Text, FromLinter, Pos }) => {
    expect(text).toContain(`${Pos.Filename}\n ${Pos.Line}:${Pos.Column} ${Text} (${FromLinter})`)
  })
})

test('diff lines that read `+++i;` and `--- a comment` are changes, and stay', () => {
  expectKept('git-diff/tricky-content', /^\+\+\+\+i;|^-- a comment|^--- a line that|^-- old filter|^\+\+\+ b\/odd\.sql/)
})

test('a binary file, a mode change, a pure rename and a missing newline stay, a line each', () => {
  expectKept(
    'git-diff/cached',
    /^Binary files |^(?:old|new) mode |^rename (?:from|to) |^\\ No newline|^similarity index 100/,
  )
})

test('leading context may go, but the hunk still says where its lines are', () => {
  const context = times(3, (i) => ` before ${i}`)
  const hunk = (i: number): string =>
    `@@ -${i * 50 + 1},7 +${i * 50 + 1},7 @@ func f${i}()\n${context}\n-old ${i}\n+new ${i}\n${context}`
  const text = `diff --git a/a.go b/a.go\nindex 1..2 100644\n--- a/a.go\n+++ b/a.go\n${times(30, hunk)}\n`
  const shown = linesOf(condense(text, { command: 'git diff' }).text)
  for (let i = 0; i < 30; i += 1) {
    const at = shown.indexOf(`-old ${i}`)
    const before = shown.slice(0, at).reverse()
    // The number said straight above the change, or all of the context under a true header.
    if (before[0] !== `(${i * 50 + 4})`)
      expect(before.slice(0, 4).at(-1)).toContain(`@@ -${i * 50 + 1},7 +${i * 50 + 1},7 @@`)
  }
})

test('two log errors that differ in disk and order id: one template, both values of each', () => {
  const noise = (i: number): string =>
    `2026-01-02T03:04:${String(i % 60).padStart(2, '0')}.000Z INFO  request served path=/orders id=${i} took=12ms`
  const error = (disk: string, order: number): string =>
    `2026-01-02T03:05:00.000Z ERROR disk ${disk} is full, order ${order} not written`
  const text = `${times(80, noise)}\n${error('sda1', 4711)}\n${times(40, noise)}\n${error('sdb2', 4712)}\n`
  const { text: shown } = condense(text, { command: 'cat app.log' })
  for (const value of ['sda1', '4711', 'sdb2', '4712']) expect(shown).toContain(value)
})

test('`Killed`, frames of the own code and the score of the OOM killer stay in a log', () => {
  const noise = (i: number): string =>
    `Jan  2 03:04:${String(i % 60).padStart(2, '0')} host app[12]: served request ${i}`
  const end = `Jan  2 03:05:01 host kernel: Out of memory: Killed process 4711 (worker) total-vm:812344kB, oom_score_adj:900
Traceback (most recent call last):
  File "/srv/shop/orders.py", line 42, in place
    raise OrderError(7)
shop.OrderError: 7
Killed`
  const { text } = condense(`${times(150, noise)}\n${end}\n`, { command: 'journalctl -u app' })
  for (const part of ['Killed process 4711', 'oom_score_adj:900', 'orders.py", line 42', 'OrderError: 7', '\nKilled'])
    expect(text).toContain(part)
})

test('`make[1]: *** No rule to make target` is the error, and nothing says ok', () => {
  const text = `${times(60, (i) => `gcc -O2 -c -o obj/m${i}.o src/m${i}.c`)}
make[1]: Entering directory '/srv/lib'
make[1]: *** No rule to make target 'missing.c', needed by 'missing.o'.  Stop.
make[1]: Leaving directory '/srv/lib'
make: *** [Makefile:4: lib] Error 2
`
  const { text: shown } = condense(text, { command: 'make', exitCode: 2 })
  expect(shown).toContain("make[1]: *** No rule to make target 'missing.c', needed by 'missing.o'.  Stop.")
  expect(shown).toContain('make: *** [Makefile:4: lib] Error 2')
  expect(shown).not.toMatch(/\bok\b/i)
})

test('60 lines of a compiler, then the error: the end stays', () => {
  expectKept('make/late-error', /error|\*\*\*/i)
  for (const [name, end] of [
    ['terraform/plan-mixed', /^Plan: /],
    ['terraform/plan-create', /^Plan: /],
    ['terraform/apply-fails', /^Error: |^│ Error: /],
  ] as const)
    expect(condenseFixture(name).text).toMatch(new RegExp(end.source, 'm'))
})

test('gcc: the chain of includes stays with its error', () => {
  const { text } = condenseFixture('gcc/include-chain')
  const chain = [...fixture('gcc/include-chain').text.matchAll(/(?:In file included from|^ +from) (\S+?:\d+)/gm)]
  expect(chain.length).toBeGreaterThan(1)
  for (const [, place] of chain) expect(text).toContain(place)
})

test('pytest: 3 collection errors beside 1400 passed are the errors', () => {
  const errors = times(
    3,
    (i) => `_____________ ERROR collecting tests/test_e${i}.py _____________
tests/test_e${i}.py:1: in <module>
    import gone${i}
E   ModuleNotFoundError: No module named 'gone${i}'`,
  )
  const text = `============================= test session starts ==============================
collected 1400 items / 3 errors

${times(20, (i) => `tests/test_${i}.py ${'.'.repeat(70)} [${5 * (i + 1)}%]`)}

==================================== ERRORS ====================================
${errors}
=========================== short test summary info ============================
${times(3, (i) => `ERROR tests/test_e${i}.py`)}
================== 1400 passed, 3 errors in 9.87s ===================
`
  const { text: shown } = condense(text, { command: 'pytest', exitCode: 1 })
  for (let i = 0; i < 3; i += 1) {
    expect(shown).toContain(`tests/test_e${i}.py`)
    expect(shown).toContain(`No module named 'gone${i}'`)
  }
  expect(shown).toContain('1400 passed, 3 errors')
})

test('pytest: a failure is told once, with its place', () => {
  const { text } = condenseFixture('pytest/default')
  expect(text.split('tests/test_cart.py::test_total').length - 1).toBe(1)
  expect(text).toContain('tests/test_cart.py:20: AssertionError')
})

test('cargo: 21 warnings, then E0308: the error stands first', () => {
  const { text } = condenseFixture('cargo-build/warnings-then-error')
  expect(text.indexOf('error[E0308]')).toBeGreaterThan(-1)
  expect(text.indexOf('error[E0308]')).toBeLessThan(text.indexOf('warning: unused'))
})

test.each(['tsc/not-tsc', 'tsc/ts5058-5', 'tsc/ts5058-7'])('%s is a failure, told whole', (name) => {
  const { text } = condenseFixture(name)
  expect(text).toMatch(/This is not the tsc command|TS5058/)
  expect(text).not.toMatch(/completed|success/i)
})
