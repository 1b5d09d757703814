import type { Family } from '../family.ts'
import { foldCodeFrames } from '../strategies/code-frame.ts'
import { foldCoverageTable, opensCoverageTable } from '../strategies/coverage-table.ts'
import { createFates, type Fates } from '../strategies/fates.ts'
import { foldJsFrames } from '../strategies/js-frames.ts'
import { foldErrorFields } from './js-test/error-fields.ts'
import { foldTap, isTap } from './js-test/tap.ts'
import { createPath, readTreeLine } from './js-test/tree.ts'

const COUNT = /^(?:ℹ|#) (?:tests|suites|pass|fail|cancelled|skipped|todo) \d{1,9}$/
const FAILING = /^(?:✖ failing tests:|Failed tests:)$/
const DOTS = /^[.X]{2,}$/
const PASSING = 'passing tests'
const REPEATS = 'repeats of the failures below'

/** Node's own test runner with its spec, dot and TAP reporters, and other TAP streams. */
export const nodeTest: Family = {
  name: 'node-test',
  commands: ['tap', 'tape', 'borp'],
  decides: true,
  detect: (lines) =>
    isTap(lines) ||
    lines.some((line, i) => COUNT.test(line) && COUNT.test(lines[i + 1] ?? '')) ||
    lines.some((line) => FAILING.test(line)),
  condense({ lines }, draft) {
    const fates = createFates(lines)
    const ended = lines.some((line) => COUNT.test(line) || FAILING.test(line) || /^1\.\.\d/.test(line))
    if (isTap(lines)) foldTap(lines, fates)
    else {
      const at = lines.findIndex((line) => FAILING.test(line))
      const names = namesBelow(lines, at)
      foldTree(lines, at < 0 ? lines.length : at, names, ended, fates)
      if (at >= 0) foldFailures(lines, at, fates)
    }
    if (!ended) draft.restate('incomplete: the output ends before the runner has counted its tests', [])
    fates.write(draft)
    return isTap(lines) ? 'tap' : 'node-test'
  },
}

/** Names of the tests that the list of failures tells of. */
function namesBelow(lines: readonly string[], at: number): ReadonlySet<string> {
  const names = new Set<string>()
  if (at < 0) return names
  for (let i = at; i < lines.length; i += 1) {
    const tree = readTreeLine(lines[i] ?? '')
    if (tree && tree.mark === 'fail') names.add(tree.name)
  }
  return names
}

function foldTree(
  lines: readonly string[],
  to: number,
  failing: ReadonlySet<string>,
  ended: boolean,
  fates: Fates,
): void {
  const path = createPath()
  let from = 0
  for (let i = 0; i < to; i += 1) {
    const line = lines[i] ?? ''
    if (line.trim() === '') {
      fates.fold(i)
      continue
    }
    if (opensCoverageTable(line)) {
      fates.group(from, i)
      i = foldCoverageTable(lines, i, to, fates) - 1
      from = i + 1
      continue
    }
    if (/^ℹ duration_ms /.test(line)) fates.fold(i)
    // Of a run that was stopped the signs alone tell of failures.
    if (DOTS.test(line) && (ended || !line.includes('X'))) fates.drop(i, 'progress')
    const tree = readTreeLine(line)
    if (tree === null) continue
    const parents = path.of(tree.indent)
    if (tree.mark === 'suite') {
      path.enter(tree.indent, tree.name)
      fates.drop(i, 'suites of the list')
    } else if (tree.mark === 'pass') fates.drop(i, PASSING)
    else if (tree.mark === 'fail' && failing.has(tree.name)) fates.drop(i, REPEATS)
    else fates.say(i, `${tree.sign} ${[...parents, tree.name].join(' > ')}`)
  }
  if (from < to) fates.group(from, to)
  foldJsFrames(lines, 0, to, fates)
}

function foldFailures(lines: readonly string[], at: number, fates: Fates): void {
  let block = at
  const bodies = new Map<string, string>()
  const close = (end: number): void => {
    fates.group(block, end)
    foldCodeFrames(lines, block, end, fates)
    foldJsFrames(lines, block, end, fates)
    foldErrorFields(lines, block, end, fates)
    nameRepeat(lines, block, end, bodies, fates)
    block = end
  }
  for (let i = at; i < lines.length; i += 1) {
    const line = lines[i] ?? ''
    if (line.trim() === '') fates.fold(i)
    else if (/^test at \S/.test(line) || (/^✖ /.test(line) && !/^test at \S/.test(lines[i - 1] ?? ''))) close(i)
  }
  close(lines.length)
}

/** A failure that says what one above says: its message goes, and that one is named. */
function nameRepeat(
  lines: readonly string[],
  from: number,
  to: number,
  bodies: Map<string, string>,
  fates: Fates,
): void {
  let head = from
  while (head < to && !/^[✖⚠] /.test(lines[head] ?? '')) head += 1
  const body = lines
    .slice(head + 1, to)
    .join('\n')
    .trim()
  if (head === to || body === '') return
  const same = bodies.get(body)
  if (same === undefined) {
    bodies.set(body, readTreeLine(lines[head] ?? '')?.name ?? '')
    return
  }
  fates.say(head, `${lines[head]}\n  as ${same}`)
  for (let i = head + 1; i < to; i += 1) fates.fold(i)
}
