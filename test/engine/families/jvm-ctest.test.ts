import { describe, expect, test } from 'vitest'
import { ctest } from '../../../src/engine/families/ctest.ts'
import { gradle } from '../../../src/engine/families/gradle.ts'
import { maven } from '../../../src/engine/families/maven.ts'
import { condense, condenseFixture, cuts, fixture } from '../../support/condense.ts'
import { condenseAs } from '../../support/condense-as.ts'

describe('ctest', () => {
  test('failed, timed-out, skipped and disabled tests stay, with what they printed', () => {
    const { text, by } = condenseFixture('ctest/verbose')
    expect(by).toBe('ctest')
    expect(text).toContain('26: valve.c:88: expected open (1), got closed (0)')
    expect(text).toContain('29: skipped: no pump attached')
    expect(text).not.toContain('part.7')
    expect(text).not.toMatch(/^7: /m)
  })

  test('a test that started and never ended stays, and the output is said to be incomplete', () => {
    const { text, command } = fixture('ctest/failing')
    const made = condense(text.slice(0, text.indexOf('28/32 Test')), { command }).text
    expect(made).toContain('      Start 28: pump.never_ends')
    expect(made).toContain('incomplete: the output ends before the tally')
    for (const cut of cuts(text, 20)) expect(condense(cut, { command }).text).not.toMatch(/100% tests passed/)
  })

  test('refuses what only looks alike', () => {
    expect(ctest.detect(['100% tests passed', '      Start  1: to read', '1/2 Test'])).toBe(false)
  })
})

describe('maven', () => {
  test('failures keep message, cause and the own frames; errors stand once; downloads go', () => {
    const { text, by } = condenseFixture('maven/first-run')
    expect(by).toBe('maven')
    expect(text).toContain('Caused by: java.lang.NumberFormatException: For input string: "twelve"')
    expect(text).toContain('\tat dev.orders.Orders.load(Orders.java:22)')
    expect(text).not.toContain('java.base/')
    expect(text).not.toContain('Download')
    expect(text).not.toContain('[Help 1] http')
    expect(condenseFixture('maven/compile-error').text.split('Broken.java:[9,20]')).toHaveLength(2)
  })

  test('a trace without own frames keeps its first one', () => {
    const { body } = condenseAs(
      maven,
      '[ERROR] a.B.c -- Time elapsed: 0 s <<< ERROR!\njava.lang.Error: x\n\tat java.base/java.util.A.b(A.java:1)\n\tat org.junit.A.b(A.java:2)\n\tat org.junit.A.c(A.java:3)\n\tat org.junit.A.d(A.java:4)\n',
    )
    expect(body).toContain('\tat java.base/java.util.A.b(A.java:1)')
    expect(body).not.toContain('A.java:3')
  })

  test.each([
    ['dependency:tree', '+- org.lib:lib:jar:1.2:compile'],
    ['versions:display-dependency-updates', '  org.a:lib ..... 1.1 -> 2.1'],
    ['help:active-profiles', ' - ci (source: dev.orders:orders:1.0.0)'],
    ['test -DskipTests', 'Tests are skipped.'],
    ['test', 'No tests to run.'],
    ['verify', 'There are 12 errors reported by Checkstyle 9.3 with google_checks.xml ruleset.'],
    ['verify', 'Total bugs: 3'],
  ])('what %s says at level INFO stays: %s', (goal, said) => {
    // Recorded up to the tests, which this goal does not run.
    const lines = fixture('maven/first-run').text.split('\n')
    const from = lines.findIndex((line) => line.includes('T E S T S'))
    const reports = Array.from({ length: 40 }, (_, i) => `[INFO] ${said}${i === 0 ? '' : ` ${i}`}`)
    const end = ['[INFO] BUILD SUCCESS', '[INFO] Total time:  1.234 s', '[INFO] Finished at: 2026-11-30T03:56:09Z']
    const made = condense([...lines.slice(0, from), ...reports, ...end].join('\n'), { command: `mvn -B ${goal}` }).text
    for (const line of [...reports, ...end.slice(0, 2)]) expect(made.split('\n')).toContain(line)
    expect(made).not.toContain('Downloaded')
  })

  test('cut off, it is said to be so, and the class that was running stays', () => {
    const { text, command } = fixture('maven/passing')
    for (const cut of cuts(text, 8)) {
      const made = condense(cut, { command }).text
      expect(made).toContain('incomplete: the output ends before BUILD SUCCESS or BUILD FAILURE\n')
      expect(made).not.toContain('[INFO] BUILD SUCCESS')
    }
    const running = condenseAs(maven, text.slice(0, text.indexOf('[INFO] Tests run: 40'))).body
    expect(running).toContain('[INFO] Running dev.orders.FineTest')
  })

  test('refuses what only looks alike', () => {
    expect(maven.detect(['[INFO] started', '[ERROR] failed to execute goal', 'BUILD SUCCESS'])).toBe(false)
  })
})

test.each([
  [
    'mvn test',
    '[INFO] Downloading from central: https://repo.maven.example/slow.jar',
    '[INFO] Scanning for projects...',
  ],
  ['gradle build', '> Task :slow:jar', '> Task :jar'],
])('%s: what ran when it was stopped stays', (command, last, first) => {
  const middle = Array.from({ length: 60 }, (_, i) => last.replace('slow', `part${i}`))
  const { text } = condense([first, ...middle, last].join('\n'), { command, exitCode: 137 })
  expect(text.split('\n')).toContain(last)
  expect(text).toContain('incomplete: ')
  expect(text).not.toContain('part30')
})

describe('gradle', () => {
  test.each([
    '> Task :test SKIPPED',
    '> Task :test NO-SOURCE',
    '> Task :app:testDebugUnitTest UP-TO-DATE',
    ':core:integrationTest FROM-CACHE',
  ])('tests that did not run stay beside the success: %s', (line) => {
    const tasks = Array.from({ length: 30 }, (_, i) => [`> Task :m${i}:compileTestJava NO-SOURCE`, `> Task :m${i}:jar`])
    const log = [...tasks.flat(), '> Task :testClasses UP-TO-DATE', line, '> Task :build', '', 'BUILD SUCCESSFUL in 1s']
    const { text } = condense(log.join('\n'), { command: 'gradle build', exitCode: 0 })
    expect(text.split('\n')).toContain(line)
    expect(text).not.toContain('compileTestJava')
    expect(text).toContain('BUILD SUCCESSFUL in 1s')
  })

  test('failed tests and tasks stay, with what went wrong; tasks and advice go', () => {
    const { text, by } = condenseFixture('gradle/failing')
    expect(by).toBe('gradle')
    expect(text).toContain('ATest > divides FAILED\n    java.lang.ArithmeticException at ATest.java:7')
    expect(text).toContain(':test FAILED')
    expect(text).toContain("* What went wrong:\nExecution failed for task ':test'.\n> There were failing tests.")
    expect(text).not.toContain('--stacktrace')
    expect(text).not.toContain(':testClasses')
  })

  test('of several failures each says what went wrong', () => {
    const failure = (n: number): string =>
      `${n}: Task failed with an exception.\n-----------\n* What went wrong:\nExecution failed for task ':t${n}'.\n> broken ${n}\n\n* Try:\n> Run with --stacktrace option to get the stack trace.\n> Run with --scan to get full insights.\n==============================================================================\n\n`
    const { body } = condenseAs(
      gradle,
      `FAILURE: Build completed with 2 failures.\n\n${failure(1)}${failure(2)}BUILD FAILED in 3s\n`,
    )
    expect(body).toContain('> broken 1')
    expect(body).toContain("Execution failed for task ':t2'.\n> broken 2")
    expect(body).toContain('BUILD FAILED in 3s')
    expect(body).not.toContain('--scan')
  })

  test('cut off, it is said to be so', () => {
    const tasks = Array.from({ length: 60 }, (_, i) => `> Task :lib${i}:compileJava UP-TO-DATE`)
    const text = `${tasks.join('\n')}\n\nBUILD SUCCESSFUL in 2s\n60 actionable tasks: 60 up-to-date\n`
    for (const cut of cuts(text, 4)) {
      const made = condense(cut, { command: './gradlew build' }).text
      expect(made).toContain('incomplete: the output ends before BUILD SUCCESSFUL or BUILD FAILED\n')
      expect(made).not.toContain('BUILD SUCCESSFUL in')
    }
    expect(condense(text, { command: './gradlew build' }).text).toContain('60 lines elided: tasks')
  })

  test('refuses what only looks alike', () => {
    expect(gradle.detect(['BUILD FAILED', ': compileJava', '> Task list'])).toBe(false)
  })
})
