import { foldCodeFrames } from '../../strategies/code-frame.ts'
import { foldCoverageTable, opensCoverageTable } from '../../strategies/coverage-table.ts'
import type { Fates } from '../../strategies/fates.ts'
import { foldJsFrames } from '../../strategies/js-frames.ts'
import { foldTap, isTap } from '../js-test/tap.ts'
import { createPath, readTreeLine } from '../js-test/tree.ts'
import { foldTestOutput } from './output.ts'

const RULE = /^⎯+(?:\[\d{1,7}\/\d{1,7}\])?⎯*$/
const TITLE = /^⎯{3,100} (.{1,200}) ⎯{3,100}$/
const FAIL = /^ FAIL {2}(.+)$/
const DOTS = /^[·x\-*.]{3,}$/
const BANNER = /^ (?:RUN|DEV) {2}v\d/
const TIMINGS = /^ {2,4}(?:Start at|Duration|Isolate) {2}|^ {13}at least ~\d/
const FILES = /^ Test Files {2}\S/
const COUNTS = /^ {1,6}(?:Test Files|Tests) {2}/
/** The window that a terminal shows while tests run. */
const RUNNING = /^ ❯ \S.{0,500} (?:\[queued\]|\d{1,7}\/\d{1,7})$/
/** How far a file of that window has come. */
const STATE = / (?:\[queued\]|\d{1,7}\/\d{1,7})$/
const HINT =
  /^(?:If this is a long-running test, pass a timeout value|- the error was thrown (?:while Vitest|after the test)|\s{7}press )/
const ANNOTATION = /^::(?:error|warning) file=.{0,2000},title=/
const MESSAGE = /^\s{1,40}→ /
const REPEATS = 'repeats of the failures below'
const PASSING = 'passing tests'
/** Passing files with skipped tests are named up to this many. */
const MOST_SKIPPING = 10
/** So few passing tests cost no more than the marker that counts them. */
const FEW = 2

/** Decides the fates of vitest's report. @returns whether it holds the run's verdict */
export function foldVitest(lines: readonly string[], fates: Fates): boolean {
  if (isTap(lines)) {
    foldTap(lines, fates)
    return lines.some((line) => /^1\.\.\d/.test(line))
  }
  const start = lines.findIndex((line) => TITLE.test(line))
  const listing = start < 0 ? lines.length : start
  const failing = new Set<string>()
  for (const line of lines) {
    const name = FAIL.exec(line)?.[1]
    if (name !== undefined) failing.add(name)
  }
  foldTree(lines, listing, failing, fates)
  foldRest(lines, listing, fates)
  foldTestOutput(lines, listing, failing, fates)
  const ended = hasEnded(lines)
  if (!ended) keepUnfinished(lines, listing, fates)
  return ended
}

function hasEnded(lines: readonly string[]): boolean {
  for (let i = lines.length - 1; i >= 0; i -= 1) if (FILES.test(lines[i] ?? '') && !isRunning(lines, i)) return true
  return false
}

/** What alone tells of failures and of running files in a run that was stopped: its letters, and its last window. */
function keepUnfinished(lines: readonly string[], to: number, fates: Fates): void {
  let last = to - 1
  while (last >= 0 && !RUNNING.test(lines[last] ?? '')) last -= 1
  const done = new Set<string>()
  for (let i = last + 1; i < to; i += 1) done.add(fileOf(readTreeLine(lines[i] ?? '')?.name ?? ''))
  for (let i = last; i >= 0 && RUNNING.test(lines[i] ?? ''); i -= 1)
    if (!done.has((lines[i] ?? '').slice(' ❯ '.length).replace(STATE, ''))) fates.keep(i)
  for (let i = 0; i < to; i += 1) if (DOTS.test(lines[i] ?? '') && (lines[i] ?? '').includes('x')) fates.keep(i)
}

/** Whether the counts at a line belong to the window of a run that goes on. */
function isRunning(lines: readonly string[], at: number): boolean {
  for (let i = at - 1; i >= 0 && i > at - 40; i -= 1) {
    const line = lines[i] ?? ''
    if (RUNNING.test(line)) return true
    if (line.trim() !== '') return false
  }
  return false
}

/** The list of files and tests, lines up to `to`. */
function foldTree(lines: readonly string[], to: number, failing: ReadonlySet<string>, fates: Fates): void {
  fates.group(0, to)
  const path = createPath()
  const files = new Set([...failing].map(fileOf))
  const lastNames = new Set([...failing].map(lastPart))
  const skipping: number[] = []
  const passing: number[] = []
  let running = false
  // A failure's message may have several lines; they end with the next line of the list.
  let repeating = false
  for (let i = 0; i < to; i += 1) {
    const line = lines[i] ?? ''
    if (line.trim() === '') {
      fates.fold(i)
      continue
    }
    if (RUNNING.test(line)) running = true
    if (running) {
      if (RUNNING.test(line) || COUNTS.test(line) || TIMINGS.test(line)) {
        fates.drop(i, 'redrawn progress')
        if (/^ {3}Duration /.test(line)) running = false
        continue
      }
      running = false
    }
    if (BANNER.test(line) || TIMINGS.test(line)) {
      fates.drop(i, 'banner and timings')
      repeating = false
      continue
    }
    if (DOTS.test(line)) {
      fates.drop(i, PASSING)
      continue
    }
    const tree = readTreeLine(line)
    if (tree === null) {
      if (repeating && !COUNTS.test(line) && !/^(?:stdout|stderr) \| /.test(line)) fates.drop(i, REPEATS)
      else {
        repeating = false
        if (MESSAGE.test(line)) fates.keep(i)
      }
      continue
    }
    repeating = false
    const inPath = path.of(tree.indent)
    const full = [...inPath, tree.name].join(' > ')
    if (tree.mark === 'suite') {
      path.enter(tree.indent, tree.name)
      fates.drop(i, 'files and suites of the list')
      if (inPath.length === 0 && !files.has(fileOf(tree.name))) fates.keep(i)
    } else if (tree.mark === 'pass') {
      path.enter(tree.indent, tree.name)
      fates.drop(i, PASSING)
      passing.push(i)
      if (/\(\d{1,7} tests?.{0,60} skipped/.test(line)) skipping.push(i)
    } else if (tree.mark === 'skip') fates.say(i, `${tree.sign} ${full}`)
    else if (failing.has(full) || failing.has(tree.name) || lastNames.has(lastPart(tree.name))) {
      fates.drop(i, REPEATS)
      repeating = true
    } else {
      fates.say(i, `${tree.sign} ${full}`)
    }
  }
  if (passing.length <= FEW) for (const line of passing) fates.keep(line)
  if (skipping.length <= MOST_SKIPPING) for (const line of skipping) fates.keep(line)
}

const lastPart = (name: string): string => name.slice(name.lastIndexOf(' > ') + 3).trim()

/** The file in a line of the list, or in a failure's id: without project, counts, and the names in it. */
const fileOf = (name: string): string =>
  name
    .replace(/^\|.{1,100}?\| /, '')
    .replace(/ (?:\(\d|> |\[ ).*$/, '')
    .trim()

/** Failures, errors outside tests, snapshots, verdict, coverage, annotations. */
function foldRest(lines: readonly string[], from: number, fates: Fates): void {
  let block = from
  const close = (at: number): void => {
    if (at > block) {
      fates.group(block, at)
      foldCodeFrames(lines, block, at, fates)
      foldJsFrames(lines, block, at, fates)
    }
    block = at
  }
  for (let i = from; i < lines.length; i += 1) {
    const line = lines[i] ?? ''
    const title = TITLE.exec(line)?.[1]
    if (line.trim() === '') fates.fold(i)
    else if (title !== undefined) {
      close(i)
      // Errors outside tests are marked by their rules alone.
      if (!/^Un(?:handled|caught)/.test(title)) fates.say(i, title)
    } else if (RULE.test(line)) {
      fates.fold(i)
      close(i)
    } else if (FAIL.test(line)) {
      if (!FAIL.test(lines[i - 1] ?? '')) close(i)
    } else if (HINT.test(line)) fates.fold(i)
    else if (TIMINGS.test(line)) fates.drop(i, 'timings')
    else if (ANNOTATION.test(line)) fates.drop(i, 'repeats of the failures as annotations')
    else if (FILES.test(line)) close(i)
    else if (opensCoverageTable(line)) {
      close(i)
      i = foldCoverageTable(lines, i, lines.length, fates) - 1
      block = i + 1
    }
  }
  close(lines.length)
  if (from === lines.length) foldVerdictTables(lines, fates)
}

/** A report without failures may hold a coverage table. */
function foldVerdictTables(lines: readonly string[], fates: Fates): void {
  for (let i = 0; i < lines.length; i += 1)
    if (opensCoverageTable(lines[i] ?? '')) i = foldCoverageTable(lines, i, lines.length, fates) - 1
}
