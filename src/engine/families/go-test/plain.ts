import type { Draft } from '../../draft.ts'
import { libraryFrames } from './frames.ts'
import { middleOfPrinted } from './printed.ts'

const RESULT = /^( *)--- (PASS|FAIL|SKIP|BENCH): (\S+)/
const EVENT = /^=== (RUN|PAUSE|CONT|NAME|ATTR) +(\S+)/
/** `ok  \tpkg\t0.1s`, `FAIL\tpkg\t0.2s`, `FAIL\tpkg [build failed]`, `?   \tpkg\t[no test files]`. */
const PACKAGE = /^(ok {2}|FAIL|\? {3})\t(\S+)/
const FEW_PACKAGES = 12
/** Somebody who runs so few tests wants to see what they print, also where they pass. */
export const FEW_TESTS = 3
const COVERAGE = /coverage: /
/** What a process says of its own end: no longer the running test's. */
const DUMP = /^(?:panic:|fatal error:|goroutine \d|SIG[A-Z]{3,5}\b)/
/** Under a result stand its logs (`    a_test.go:12: …`, with tabs before Go 1.14) and the results of its subtests. */
const UNDER_RESULT = /^(?: {4}|\t{1,20}\S{1,300}:\d{1,9}: |\t\t)/

const UNTESTED = /^\? {3}\t\S+\t\[no test files\]/
const PRINTED = 'output of passing tests'

/** Condenses `go test` and `go test -v`: the lines of passing tests and packages go, and runtime frames. */
export function condensePlain(lines: readonly string[], exitCode: number | null, draft: Draft): void {
  const library = libraryFrames(lines)
  // Few packages are named; of many, their number is what counts.
  const named = lines.filter((line) => line.startsWith('ok  \t')).length <= FEW_PACKAGES
  const verbose = lines.some((line) => EVENT.test(line))
  const count = { PASS: 0, FAIL: 0, SKIP: 0, BENCH: 0, open: 0 }
  const fates: (string | null)[] = []
  let cutOff = false
  let start = 0
  while (start < lines.length) {
    let end = start
    while (end < lines.length && !PACKAGE.test(lines[end] ?? '')) end += 1
    const tests = readPackage(lines, start, Math.min(end + 1, lines.length), fates, count)
    if (end === lines.length && tests > 0) cutOff = true
    start = end + 1
  }
  const failedPackages = lines.filter((line) => line.startsWith('FAIL\t')).length
  const untested = lines.filter((line) => UNTESTED.test(line)).length
  if (verbose || cutOff) {
    const parts = [`${count.PASS} passed`, `${count.FAIL} failed`]
    if (count.SKIP > 0) parts.push(`${count.SKIP} skipped`)
    if (count.open > 0) parts.push(`${count.open} never ended`)
    if (failedPackages > 0) parts.push(`${failedPackages} packages failed`)
    if (untested > 0) parts.push(`${untested} packages without tests`)
    if (cutOff) parts.push('incomplete: the output ends before a package verdict')
    if (exitCode !== null && exitCode !== 0) parts.push(`exit code ${exitCode}`)
    draft.restate(`go test: ${parts.join(', ')}`, [])
  } else if (untested > 0) {
    const ok = lines.filter((line) => line.startsWith('ok  \t')).length
    const verdicts = [`${ok} packages ok`, `${failedPackages} failed`, `${untested} without tests`]
    draft.restate(`go test: ${verdicts.join(', ')}`, [])
  }
  const few = count.PASS + count.FAIL + count.SKIP + count.open <= FEW_TESTS
  if (few) for (let i = 0; i < lines.length; i += 1) if (fates[i] === PRINTED) fates[i] = null
  const long = middleOfPrinted(lines, (i) => fates[i] === null)
  for (let i = 0; i < lines.length; i += 1) {
    const fate = fates[i] ?? null
    if (long[i]) draft.elide('printed output', [i])
    else if (library[i]) draft.elide('runtime frames', [i])
    else if (fate !== null && !(named && lines[i]?.startsWith('ok  \t'))) draft.elide(fate, [i])
    else draft.keep(i)
  }
}

/**
 * Decides the lines of one package, `from` to `to`: what goes as what, or null for what stays. A test that failed once
 * has failed, however often it ran (`-count`, reruns).
 * @returns how many tests it names
 */
function readPackage(
  lines: readonly string[],
  from: number,
  to: number,
  fates: (string | null)[],
  count: Record<'PASS' | 'FAIL' | 'SKIP' | 'BENCH' | 'open', number>,
): number {
  const status = new Map<string, string>()
  for (let i = from; i < to; i += 1) {
    const line = lines[i] ?? ''
    const result = RESULT.exec(line)
    if (result?.[2] && result[3]) {
      if (status.get(result[3]) !== 'FAIL') status.set(result[3], result[2])
      if (result[2] === 'PASS' || result[2] === 'FAIL' || result[2] === 'SKIP' || result[2] === 'BENCH')
        count[result[2]] += 1
    } else {
      const event = EVENT.exec(line)
      // It may have passed and run again (`-count`).
      if (event?.[1] === 'RUN' && event[2] && status.get(event[2]) !== 'FAIL') status.set(event[2], 'open')
    }
  }
  // Of benchmarks no end is told: of a package that passed, nothing is left open.
  if (!lines[to - 1]?.startsWith('ok  \t')) for (const value of status.values()) if (value === 'open') count.open += 1

  const passed = (test: string): boolean => {
    const known = status.get(test)
    return known === 'PASS' || known === 'BENCH'
  }
  let current = ''
  let underResult = ''
  for (let i = from; i < to; i += 1) {
    const line = lines[i] ?? ''
    const event = EVENT.exec(line)
    const result = RESULT.exec(line)
    const pkg = PACKAGE.exec(line)
    let fate: string | null = null
    if (event?.[2]) {
      current = event[2]
      underResult = ''
      fate = passed(current)
        ? 'passing tests'
        : status.get(current) === 'open' && event[1] === 'RUN'
          ? null
          : 'test events'
    } else if (result?.[3]) {
      underResult = result[3]
      current = ''
      fate = result[2] === 'PASS' ? 'passing tests' : null
    } else if (pkg) {
      fate = UNTESTED.test(line)
        ? 'packages without tests'
        : pkg[1] !== 'FAIL' && !COVERAGE.test(line) && !/\bno tests to run\b/.test(line)
          ? 'passing packages'
          : null
    } else if (line === 'PASS' && i < to - 1) {
      fate = 'passing packages'
    } else {
      if (DUMP.test(line)) current = ''
      // A line of its own ends what a result says: another program may follow.
      if (!UNDER_RESULT.test(line)) underResult = ''
      const owner = underResult !== '' ? underResult : current
      fate =
        owner !== '' &&
        passed(owner) &&
        !/^(?:panic:|fatal error:|FAIL|exit status|signal:|WARNING: DATA RACE|coverage:|#)/.test(line)
          ? PRINTED
          : null
    }
    fates[i] = fate
  }
  return status.size
}
