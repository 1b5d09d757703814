import type { Family } from '../family.ts'
import { foldCodeFrames } from '../strategies/code-frame.ts'
import { foldCoverageTable, opensCoverageTable } from '../strategies/coverage-table.ts'
import { createFates, type Fates } from '../strategies/fates.ts'
import { foldJsFrames } from '../strategies/js-frames.ts'
import { foldErrorFields } from './js-test/error-fields.ts'
import { createPath, readTreeLine } from './js-test/tree.ts'

const PASSING_COUNT = /^ {2}\d{1,9} passing \(\d{1,9}m?s?\)$/
const FAILURE = /^ {2}\d{1,6}\) \S/
const NUMBERED = /^(\s{2,60})\d{1,6}\) (.+)$/
const PENDING = /^(\s{2,60})- (.+)$/
const DOTS = /^ {2}[.!,․]+$/

/** mocha: spec and dot reporters. Failures and pending tests stay; passing tests and frames of packages go. */
export const mocha: Family = {
  name: 'mocha',
  commands: ['mocha', '_mocha', 'electron-mocha'],
  decides: true,
  detect: (lines) => lines.some((line) => PASSING_COUNT.test(line)),
  condense({ lines }, draft) {
    const fates = createFates(lines)
    const at = lines.findIndex((line) => PASSING_COUNT.test(line))
    const listed = at >= 0 && lines.slice(at).some((line) => FAILURE.test(line))
    foldTree(lines, at < 0 ? lines.length : at, listed, fates)
    if (at >= 0) foldFailures(lines, at, fates)
    else foldJsFrames(lines, 0, lines.length, fates)
    if (at < 0 && lines.some((line) => readTreeLine(line) !== null || NUMBERED.test(line) || DOTS.test(line)))
      draft.restate('incomplete: the output ends without a verdict of mocha', [])
    fates.write(draft)
    return 'mocha'
  },
}

function foldTree(lines: readonly string[], to: number, listed: boolean, fates: Fates): void {
  fates.group(0, to)
  const path = createPath()
  for (let i = 0; i < to; i += 1) {
    const line = lines[i] ?? ''
    const tree = readTreeLine(line)
    const numbered = NUMBERED.exec(line)
    const pending = PENDING.exec(line)
    if (line.trim() === '') fates.fold(i)
    // Of a run that was stopped the signs alone tell of failures.
    else if (DOTS.test(line) && (to < lines.length || !line.includes('!'))) fates.drop(i, 'progress')
    else if (tree?.mark === 'pass') fates.drop(i, 'passing tests')
    else if (numbered) {
      if (listed) fates.drop(i, 'repeats of the failures below')
      else fates.say(i, `failed: ${[...path.of((numbered[1] ?? '').length), numbered[2]].join(' > ')}`)
    } else if (pending) fates.say(i, `- ${[...path.of((pending[1] ?? '').length), pending[2]].join(' > ')}`)
    else {
      const suite = /^(\s{2,60})(\S.*)$/.exec(line)
      if (suite && isSuite(lines, i, (suite[1] ?? '').length)) {
        path.enter((suite[1] ?? '').length, suite[2] ?? '')
        fates.drop(i, 'suites of the list')
      }
    }
  }
}

/** Whether a deeper test or suite follows at once: then an indented line without a sign names a suite. */
function isSuite(lines: readonly string[], at: number, indent: number): boolean {
  const next = lines[at + 1] ?? ''
  return (
    next.search(/\S/) === indent + 2 &&
    (readTreeLine(next) !== null ||
      NUMBERED.test(next) ||
      PENDING.test(next) ||
      isSuiteBelow(lines, at + 1, indent + 2))
  )
}

function isSuiteBelow(lines: readonly string[], at: number, indent: number): boolean {
  for (let i = at + 1; i < lines.length && i < at + 6; i += 1) {
    const line = lines[i] ?? ''
    if (line.search(/\S/) <= indent) return false
    if (readTreeLine(line) !== null || NUMBERED.test(line) || PENDING.test(line)) return true
  }
  return false
}

function foldFailures(lines: readonly string[], at: number, fates: Fates): void {
  let block = at
  const close = (end: number): void => {
    fates.group(block, end)
    foldCodeFrames(lines, block, end, fates)
    foldJsFrames(lines, block, end, fates)
    foldErrorFields(lines, block, end, fates)
    block = end
  }
  for (let i = at; i < lines.length; i += 1) {
    const line = lines[i] ?? ''
    if (line.trim() === '') fates.fold(i)
    else if (FAILURE.test(line)) close(i)
    else if (opensCoverageTable(line)) {
      close(i)
      i = foldCoverageTable(lines, i, lines.length, fates) - 1
      block = i + 1
    }
  }
  close(lines.length)
}
