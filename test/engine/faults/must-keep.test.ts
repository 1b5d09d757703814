/** What a filter must never lose, by family: over the recorded outputs, whose lines say what is at stake. */
import { describe, expect, test } from 'vitest'
import { openTables } from '../../../src/engine/value-table.ts'
import { condenseFixture, fixturesOf } from '../../support/condense.ts'

const bare = (line: string): string =>
  line
    .replace(/\u001b\[[\d;]*m/g, '')
    .replace(/\s+/g, ' ')
    .trim()

/** Every match of the pattern in a family's recordings; its groups, or the whole of it, must stand in the output. */
function expectKept(family: string, pattern: RegExp, cases = /./): void {
  let found = 0
  for (const { name, text } of fixturesOf(family)) {
    if (!cases.test(name)) continue
    const { text: filtered } = condenseFixture(`${family}/${name}`)
    const opened = openTables(filtered.split('\n'))
    const shown = bare(`${filtered}\n${opened?.texts.join('\n') ?? ''}`)
    for (const line of text.split('\n')) {
      const match = pattern.exec(bare(line))
      if (!match) continue
      found += 1
      for (const part of match.length > 1 ? match.slice(1) : match) expect(shown, `${family}/${name}`).toContain(part)
    }
  }
  expect(found, 'lines at stake in the recordings').toBeGreaterThan(0)
}

describe('test runners', () => {
  test.each([
    ['go-test', /^(?:ok|FAIL)\s+(\S+)/, /^(?!.*(?:json|tail|all-)).*$/],
    ['pytest', /^=+ (\d+ (?:failed|passed).* in )[\d.]+s/],
    ['cargo-test', /^test result: (.*?);? finished/],
    ['cargo-nextest', /^Summary \[.*\] (.*)$/],
    ['jest', /^Tests: (.*)$/, /^(?!tty)/],
    ['mocha', /^(\d+ (?:passing|failing|pending))/],
    ['maven', /^\[(?:ERROR|INFO|WARNING)\] Tests run: (\d+, Failures: \d+, Errors: \d+, Skipped: \d+)$/],
    ['ctest', /^(\d+% tests passed, \d+ tests? failed out of \d+)/],
    ['unittest', /^(?:FAILED|OK) \((.*)\)$/],
    ['node-test', /^(?:ℹ|#) ((?:tests|pass|fail|skipped|todo) \d+)$/, /^(?!cut)/],
  ] as const)("%s: the runner's own tally", (family, pattern, cases = /./) => expectKept(family, pattern, cases))

  test.each([
    ['go-test', /^\s*--- FAIL: (\S+)/, /^(?!.*json)/],
    ['pytest', /^(?:FAILED|ERROR) (\S+::\S+)/],
    ['cargo-test', /^test (\S+) \.\.\. FAILED/],
    ['cargo-nextest', /^(?:FAIL|TIMEOUT|SIGABRT) \[.*\] \([\d /]*\) \S+ (\S+)/],
    ['jest', /^● (.*)$/, /^(?!tty)/],
    ['ctest', /^\d+ - (\S+) \((?:Failed|SEGFAULT|Timeout|Not Run)\)/],
    ['unittest', /^(?:FAIL|ERROR): (\S+)/],
    ['maven', /^\[ERROR\] (\S+\.\S+:\d+)/],
  ] as const)('%s: each test that failed, by its name', (family, pattern, cases = /./) =>
    expectKept(family, pattern, cases),
  )
  test.each([
    ['pytest', /^SKIPPED \[\d+\] (\S+)/],
    ['go-test', /^--- SKIP: (\S+)/, /^(?!.*json)/],
    ['cargo-test', /^test (\S+) \.\.\. ignored/, /^(?!bytes|many|passing)/],
  ] as const)('%s: skipped tests', (family, pattern, cases = /./) => expectKept(family, pattern, cases))

  test('go test: coverage, race, seed', () => {
    expectKept('go-test', /^(coverage: [\d.]+% of statements)/, /^cover/)
    expectKept('go-test', /^(WARNING: DATA RACE)/, /^race/)
    expectKept('go-test', /^(-test\.shuffle \d+)/, /^shuffle/)
  })
})

describe('compilers and linters', () => {
  test.each([
    ['go-build', /^(?:vet: )?(\S+\.go):(\d+:\d+): (.*)$/, /^(?!.*json)/],
    ['go-vet', /^(?:vet: )?(\S+\.go):(\d+:\d+): (.*)$/, /^(?!.*json)/],
    ['golangci-lint', /^(\S+\.go):(\d+:\d+): (.*) \((\w+)\)$/, /text|colour|excerpts|line/],
    ['tsc', /^(\S+?\.[jt]s)\((\d+,\d+)\): error (TS\d+): (.*)$/],
    ['flake8', /^(\S+\.py):(\d+:\d+): (.*)$/],
    ['pylint', /^(\S+\.py):(\d+:\d+): (.*) \((\S+)\)$/],
    ['mypy', /^(\S+\.py):(\d+): error: (.*?) \[(\S+)\]$/, /^many|^context/],
    ['ruff', /^(\S+\.py):(\d+:\d+): (\w+) (?:\[\*\] )?(.*)$/, /^concise/],
    ['eslint', /^(\S+\.[jt]s): line (\d+), col (\d+), (?:Error|Warning) - (.*) \(/, /^compact/],
    ['gcc', /^(\S+\.[ch]):(\d+:\d+): error: (.*)$/, /^(?!.*template)/],
  ] as const)('%s: the place and the message of every finding', (family, pattern, cases = /./) =>
    expectKept(family, pattern, cases),
  )

  test('errors with have and want, expected and found', () => {
    expectKept('go-build', /^((?:have|want) \(.*\))$/, /^(?!.*json)/)
    expectKept('cargo-build', /(expected `\S+`, found `?\S+)/, /^(?!.*json)/)
  })
  test('what is fixable is said', () => {
    expectKept('eslint', /(\d+ errors? and \d+ warnings? potentially fixable)/)
    expectKept('ruff', /(\[\*\] \d+ fixable)/)
  })
  test("the linter's own crash or configuration error, whole", () => {
    expectKept('golangci-lint', /^(.+)$/, /config-error|unknown-linter/)
    expectKept('eslint', /^(.+)$/, /^config/)
    expectKept('mypy', /^(.+)$/, /^config-error|^usage-error/)
    expectKept('ruff', /^(.+)$/, /^config-error|^usage-error/)
  })
})

describe('git', () => {
  test('status: every path, branch and state', () => {
    expectKept('git-status', /^(?:new file|modified|deleted|typechange|both modified): +(?:.*\/)?([^/]+)$/)
    expectKept('git-status', /^(On branch \S+|HEAD detached (?:at|from) \S+)$/)
    expectKept('git-status', /^Your branch (?:is|and) (.*)$/)
    expectKept('git-status', /^renamed: +(\S+) -> (\S+)$/)
  })
  test('diff: every changed line of hand-written files', () => {
    expectKept('git-diff', /^([-+](?![-+]{2}).+)$/, /^hand-written|^many-files|^tricky|^unstaged/)
  })
  test('log: each sha, and the summary of a stat', () => {
    expectKept('git-log', /^(?:commit )?([0-9a-f]{7,40})\b/, /^(?!graph|patch|reflog|colour)/)
    expectKept('git-log', /^(\d+ files? changed.*)$/, /^stat|^shortstat/)
  })
})

describe('searches and listings', () => {
  test('grep: errors, binary matches, every file', () => {
    expectKept('grep', /^(grep: .*|rg: .*)$/)
    expectKept('grep', /^(?:\.\/)?(?:\S*\/)?([^/:\s]+):\d+:/, /^grep-rn|^git-grep|^rg$/)
  })
  test('find, ls and tree: what is denied, every name', () => {
    expectKept('find', /^(find: .*)$/)
    expectKept('ls', /^(ls: .*)$/)
    expectKept('ls', /^-\S+ +\d+ \S+ \S+ +\S+ \w+ +\d+ +\S+ (.+)$/, /^many|^la/)
    expectKept('tree', /[├└]── (?:.*\/)?([^/\s]+)$/, /^plain|^all/)
  })
})

describe('package managers, containers, plans, builds', () => {
  test('npm: vulnerabilities, deprecations, the versions that conflict', () => {
    expectKept('npm', /^(\d+ vulnerabilities .*)$/)
    expectKept('npm', /^npm warn deprecated (\S+)/)
    expectKept('npm', /^npm error (?:code|Found:|Could not resolve) ?(.*)$/)
  })
  test('docker and kubectl: all names, every row that is not healthy', () => {
    expectKept('docker', /(?:unhealthy|Restarting|Exited|Created).* (\S+)$/, /^ps-all$/)
    expectKept('kubectl', /^(\S+) +\d\/\d +(?:CrashLoopBackOff|Error|Pending|ImagePullBackOff|Evicted)/, /^get-pods/)
    expectKept('docker', /^(?:#\d+ )?ERROR: (.*)$/, /^build/)
  })
  test('terraform: the summary and each action', () => {
    expectKept('terraform', /^(Plan: \d+ to add.*)$/)
    expectKept('terraform', /^# (\S+) (?:will be|must be)/, /^plan-(?:mixed|create|tainted)/)
  })
  test('make and ninja: the failing target and its error', () => {
    expectKept('make', /^(make(?:\[\d\])?: \*\*\* .*)$/)
    expectKept('ninja', /^(FAILED: .*|ninja: .*)$/, /^(?!success)/)
  })
  test('logs: what ended the process, each distinct error', () => {
    expectKept('service-log', /(?:FATAL|PANIC): +(.{1,60})/)
    expectKept('service-log', /^(\w+Error: .{1,60})/)
  })
})
