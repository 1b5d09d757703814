import { foldCodeFrames } from '../../strategies/code-frame.ts'
import { foldCoverageTable, opensCoverageTable } from '../../strategies/coverage-table.ts'
import type { Fates } from '../../strategies/fates.ts'
import { foldJsFrames } from '../../strategies/js-frames.ts'
import { createPath, readTreeLine } from '../js-test/tree.ts'

/** With colours a space stands before the word. */
const FILE = /^ ?(PASS|FAIL|RUNS) {1,3}\S/
const SUITES = /^Test Suites: {1,8}(?:\d|.{1,80}\d total$)/
const RUNS = /^ ?RUNS {1,3}(\S.*)$/
const BULLET = /^ {2}● {1,2}(\S.*)$/
const SUMMARY = /^(?:Test Suites: |Snapshot Summary$|Summary of all failing tests$|Jest has detected|Jest did not exit)/
const AGAIN = 'Summary of all failing tests'
const COUNTS = /^(?:Test Suites|Tests|Snapshots|Time): {1,12}/
const ESTIMATE = /^Time: {1,12}\S.{0,40} estimated|^[█ ]{10,}$/
const PASSING = 'passing tests'
const REPEATS = 'repeats of the failures below'
const ADVICE_OPENS = /^ {4}Jest failed to parse a file\. This happens e\.g\./
const ADVICE_CLOSES = /^ {4}Details:$/
const HINT =
  /^\s{4,12}Add a timeout value to this test to increase the timeout|^Ran all test suites|^'?This usually means that there are asynchronous operations/
const CAUSE = /^ {4}Cause:$/

/** Decides the fates of jest's report. */
export function foldJest(lines: readonly string[], fates: Fates): void {
  const failing = new Set<string>()
  for (const line of lines) {
    const name = BULLET.exec(line)?.[1]
    if (name !== undefined) failing.add(name)
  }
  foldLists(lines, failing, fates)
  foldFailures(lines, fates)
  foldRepeatedSummary(lines, fates)
  if (!hasEnded(lines)) keepRunning(lines, fates)
}

/** Whether a report holds the run's verdict; the counts below the files that run belong to a window. */
export function hasEnded(lines: readonly string[]): boolean {
  let window = false
  for (const line of lines) {
    if (SUITES.test(line) && !window) return true
    if (line.trim() !== '') window = RUNS.test(line)
  }
  return false
}

/** The files of the last window, where they have no line of their own behind it. */
function keepRunning(lines: readonly string[], fates: Fates): void {
  let last = lines.length - 1
  while (last >= 0 && !RUNS.test(lines[last] ?? '')) last -= 1
  const done = new Set(lines.slice(last + 1).flatMap((line) => (FILE.test(line) ? line.split(' ') : [])))
  for (let i = last; i >= 0; i -= 1) {
    const file = RUNS.exec(lines[i] ?? '')?.[1]
    if (file === undefined) return
    if (!done.has(file.slice(file.lastIndexOf(' ') + 1))) fates.keep(i)
  }
}

/** Files and the lists of their tests. */
function foldLists(lines: readonly string[], failing: ReadonlySet<string>, fates: Fates): void {
  const path = createPath()
  const names = new Set([...failing].map(lastPart))
  let inList = false
  let from = 0
  for (let i = 0; i < lines.length; i += 1) {
    const line = lines[i] ?? ''
    const status = FILE.exec(line)?.[1]
    if (line.trim() === '') {
      fates.fold(i)
      continue
    }
    if (status !== undefined) {
      inList = true
      path.of(0)
      if (status === 'PASS') fates.drop(i, PASSING)
      else if (status === 'RUNS') fates.drop(i, 'redrawn progress')
      continue
    }
    if (BULLET.test(line) || SUMMARY.test(line)) {
      if (inList) fates.group(from, i)
      inList = false
      continue
    }
    if (!inList) {
      from = i + 1
      continue
    }
    const tree = readTreeLine(line)
    if (tree === null) {
      const suite = /^( {2,60})(\S.*)$/.exec(line)
      if (suite && isFollowedByTest(lines, i)) {
        path.enter((suite[1] ?? '').length, suite[2] ?? '')
        fates.drop(i, 'suites of the list')
      }
    } else if (tree.mark === 'pass') fates.drop(i, PASSING)
    else {
      const full = [...path.of(tree.indent), tree.name].join(' › ')
      if (tree.mark === 'fail' && (failing.has(full) || names.has(tree.name))) fates.drop(i, REPEATS)
      else fates.say(i, `${tree.sign} ${full}`)
    }
  }
}

/** Whether a test or a deeper suite's line follows: an indented line without a sign is a suite's name then. */
function isFollowedByTest(lines: readonly string[], at: number): boolean {
  for (let i = at + 1; i < lines.length && i <= at + 6; i += 1) {
    const line = lines[i] ?? ''
    if (readTreeLine(line) !== null) return true
    if (!/^ {2,60}\S/.test(line) || BULLET.test(line)) return false
  }
  return false
}

const lastPart = (name: string): string => name.slice(name.lastIndexOf(' › ') + 3).trim()

/** Failures under their bullets, suites that did not run, console output, and what follows. */
function foldFailures(lines: readonly string[], fates: Fates): void {
  let block = -1
  let advice = false
  const close = (at: number): void => {
    if (block >= 0) {
      fates.group(block, at)
      foldCodeFrames(lines, block, at, fates)
      foldJsFrames(lines, block, at, fates)
      foldCause(lines, block, at, fates)
    }
    block = -1
  }
  for (let i = 0; i < lines.length; i += 1) {
    const line = lines[i] ?? ''
    if (BULLET.test(line)) {
      close(i)
      block = i
      advice = false
    } else if (FILE.test(line) || SUMMARY.test(line) || /^ {2}console\.\w+$/.test(line)) {
      close(i)
      if (!SUMMARY.test(line) && /^ /.test(line)) block = i
    } else if (opensCoverageTable(line)) {
      close(i)
      i = foldCoverageTable(lines, i, lines.length, fates) - 1
    } else if (ADVICE_OPENS.test(line)) advice = true
    if (ADVICE_CLOSES.test(line)) advice = false
    if (advice && line.trim() !== '') fates.drop(i, 'advice of jest')
    else if (HINT.test(line)) fates.fold(i)
    else if (ESTIMATE.test(line) && !COUNTS.test(line)) fates.drop(i, 'redrawn progress')
  }
  close(lines.length)
}

/** A cause that says what its error says already: its heading and its message go, its place stays. */
function foldCause(lines: readonly string[], from: number, to: number, fates: Fates): void {
  const said = new Set<string>()
  let inCause = false
  for (let i = from; i < to; i += 1) {
    const line = lines[i] ?? ''
    if (CAUSE.test(line)) inCause = true
    else if (inCause && line.trim() !== '' && said.has(line.trim())) fates.fold(i)
    said.add(line.trim())
  }
}

/** With many suites jest prints every failure a second time. */
function foldRepeatedSummary(lines: readonly string[], fates: Fates): void {
  const at = lines.indexOf(AGAIN)
  if (at < 0) return
  const before = new Set<string>()
  for (let i = 0; i < at; i += 1) before.add(lines[i] ?? '')
  let end = at + 1
  while (end < lines.length && !/^(?:Snapshot Summary$|Test Suites: )/.test(lines[end] ?? '')) end += 1
  // The counts may have been drawn over a line of the first report: only what stands there goes.
  for (let i = at; i < end; i += 1)
    if (i === at || before.has(lines[i] ?? '')) fates.drop(i, 'repeats of the failures above')
}
