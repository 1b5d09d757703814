import type { Draft } from '../../draft.ts'
import { EventReader } from './event.ts'
import { libraryFrames } from './frames.ts'
import { FEW_TESTS } from './plain.ts'
import { middleOfPrinted } from './printed.ts'

/** One test, or a package itself, with the events' line numbers; `output`: of those that say something. */
interface Unit {
  readonly pkg: string
  readonly test: string
  status: 'open' | 'pass' | 'fail' | 'skip' | 'bench'
  readonly lines: number[]
  readonly output: number[]
}

/** Lines that only frame a test's run. */
const RESULT = /^[ \t]{0,200}--- (?:FAIL|SKIP|BENCH): (.{0,1000}) \(\d[\d.]{0,20}s\)$/m
const FRAMING = /^=== (?:RUN|PAUSE|CONT|NAME|ATTR)\b/
const PASSED_PACKAGE = /^(?:ok {2}\t|\? {3}\t|PASS$|testing: warning: no tests to run$)/

/** What a benchmark measured. */
const MEASURED = /\d ns\/op\b/
/** Whether a test printed it: no framing, no result. */
const isPrinted = (text: string): boolean => !FRAMING.test(text) && !/^\s{0,200}--- [A-Z]{4,5}: /.test(text)

/** An event stream, read. */
interface Stream {
  readonly units: readonly Unit[]
  /** Lines that are no events. */
  readonly plain: readonly number[]
  /** What each line says: an event's output without its line end. */
  readonly said: readonly string[]
  /** The same, but for lines that frame a test's run or say that it passed: those hold no fact. */
  readonly telling: readonly string[]
  /** Lines whose output goes on in the next one of the test. */
  readonly goesOn: ReadonlySet<number>
}

function readStream(lines: readonly string[]): Stream {
  const event = new EventReader()
  const units: Unit[] = []
  const unitFor = createFinder(units)
  const plain: number[] = []
  const said: string[] = []
  const telling: string[] = []
  const goesOn = new Set<number>()
  let unit: Unit | undefined
  for (let i = 0; i < lines.length; i += 1) {
    const line = lines[i] ?? ''
    if (!event.read(line)) {
      plain.push(i)
      said.push(line)
      telling.push(line)
      continue
    }
    if (unit?.test !== event.test || unit.pkg !== event.pkg) unit = unitFor(event.pkg, event.test)
    unit.lines.push(i)
    said.push(event.text)
    telling.push(isRoutine(event.text) ? '' : event.text)
    if (event.ended || event.text !== '') unit.output.push(i)
    if (!event.ended && event.text !== '') goesOn.add(i)
    // What failed once has failed, however often it ran (`-count`, reruns).
    const status = event.action === 'output' ? undefined : STATUS_OF.get(event.action)
    if (status && unit.status !== 'fail') unit.status = status
  }
  return { units, plain, said, telling, goesOn }
}

/** Finds the unit of a package's test; a new one comes at the end of `units`. */
function createFinder(units: Unit[]): (pkg: string, test: string) => Unit {
  const packages = new Map<string, Map<string, Unit>>()
  return (pkg, test) => {
    let tests = packages.get(pkg)
    if (!tests) {
      tests = new Map()
      packages.set(pkg, tests)
    }
    let unit = tests.get(test)
    if (!unit) {
      unit = { pkg, test, status: 'open', lines: [], output: [] }
      tests.set(test, unit)
      units.push(unit)
    }
    return unit
  }
}

function isRoutine(text: string): boolean {
  return (text.startsWith('=== ') || text.startsWith('--- ')) && ROUTINE.test(text) && !/\n|\[redacted: /.test(text)
}
const ROUTINE = /^(?:=== (?:RUN|PAUSE|CONT|NAME)|--- PASS)/

/**
 * Condenses an event stream: failed, skipped and unfinished tests with their output, build output and the packages'
 * verdicts stay; passing tests go. Output of parallel tests is put together again by test.
 * @param viewed is told what each line says that may hold a fact
 */
export function condenseJson(
  lines: readonly string[],
  exitCode: number | null,
  draft: Draft,
  viewed: (texts: readonly string[]) => void = () => {},
): void {
  const stream = readStream(lines)
  const { units, plain } = stream
  viewed(stream.telling)

  const few = endBenchmarks(stream) <= FEW_TESTS
  const failed = exitCode !== null && exitCode !== 0 ? `; exit code ${exitCode}` : ''
  draft.restate(`${headingOf(stream)}${failed}`, [])
  const placed: { at: number; write: () => void }[] = plain.map((line) => ({ at: line, write: () => draft.keep(line) }))
  for (const unit of units) {
    const first = unit.lines[0] ?? 0
    // A package's own lines start before its tests' and end with its verdict: it stands where that does.
    const at = unit.test === '' ? (unit.lines.at(-1) ?? 0) : first
    const passed = unit.status === 'pass' || (unit.test === '' && unit.status === 'skip')
    placed.push({ at, write: () => (passed ? writePassed(unit, stream, draft, few) : writeUnit(unit, stream, draft)) })
  }
  placed.sort((a, b) => a.at - b.at)
  for (const item of placed) item.write()
}

/**
 * No event tells the end of a benchmark: one that has measured is over, as is all of a package that passed.
 * @returns the number of tests and benchmarks
 */
function endBenchmarks({ units, said }: Stream): number {
  const passed = new Set(units.filter(({ test, status }) => test === '' && status === 'pass').map(({ pkg }) => pkg))
  let tests = 0
  for (const unit of units) {
    if (unit.test === '') continue
    tests += 1
    if (unit.status !== 'open') continue
    if (passed.has(unit.pkg) || unit.output.some((line) => MEASURED.test(said[line] ?? ''))) unit.status = 'bench'
  }
  return tests
}

const STATUS_OF: ReadonlyMap<string, Unit['status']> = new Map([
  // It may have passed and run again (`-count`).
  ['run', 'open'],
  ['pass', 'pass'],
  ['fail', 'fail'],
  ['skip', 'skip'],
  ['bench', 'bench'],
  ['build-fail', 'fail'],
])

/** Whether a unit is the build of a package, which has no tests and no verdict of its own. */
const isBuild = (unit: Unit, { said }: Stream): boolean =>
  unit.test === '' && unit.output.some((line) => said[line]?.startsWith('# '))

/** Counts as the events give them; it claims nothing of a stream that ends early. */
function headingOf(stream: Stream): string {
  const tests = { pass: 0, fail: 0, skip: 0, open: 0, bench: 0 }
  const packages = { pass: 0, fail: 0, skip: 0, open: 0, bench: 0 }
  let builds = 0
  for (const unit of stream.units) {
    if (unit.test !== '') tests[unit.status] += 1
    else if (isBuild(unit, stream)) builds += 1
    else packages[unit.status] += 1
  }
  const parts = [`${tests.pass + tests.bench} passed`, `${tests.fail} failed`]
  if (tests.skip > 0) parts.push(`${tests.skip} skipped`)
  if (tests.open > 0) parts.push(`${tests.open} never ended`)
  const scope = [`${packages.pass} ok`, `${packages.fail} failed`]
  if (packages.skip > 0) scope.push(`${packages.skip} without tests`)
  if (builds > 0) scope.push(`${builds} did not build`)
  if (packages.open > 0) scope.push(`${packages.open} incomplete: the output ends before their verdict`)
  return `go test: ${parts.join(', ')}; packages: ${scope.join(', ')}`
}

/** A passing unit goes, but for the coverage that its package reports, and what it printed where few ran. */
function writePassed(unit: Unit, stream: Stream, draft: Draft, few: boolean): void {
  const { said } = stream
  if (unit.test !== '') {
    const printed = new Set(unit.output.filter((line) => isPrinted(said[line] ?? '')))
    if (few && printed.size > 0) writeUnit(unit, stream, draft)
    else
      for (const line of unit.lines)
        draft.elide(printed.has(line) ? 'output of passing tests' : 'passing tests', [line])
    return
  }
  const shown = new Set(unit.output.filter((line) => SAID_OF_PASSED.test(said[line] ?? '')))
  draft.elide(
    unit.status === 'skip' ? 'packages without tests' : 'passing packages',
    unit.lines.filter((line) => !shown.has(line)),
  )
  for (const line of shown) draft.restate((said[line] ?? '').trimEnd(), [line])
}

/** What a passing package says that its passing alone does not: coverage, a seed, that no test was to run. */
const SAID_OF_PASSED = /coverage: |^-test\.shuffle |no tests to run/

/** A unit that failed, was skipped or never ended: its output line by line, without framing and library frames. */
function writeUnit(unit: Unit, stream: Stream, draft: Draft): void {
  const texts: { text: string; lines: number[] }[] = []
  let open: { text: string; lines: number[] } | null = null
  for (const line of unit.output) {
    if (open === null) {
      open = { text: '', lines: [] }
      texts.push(open)
    }
    open.text += stream.said[line] ?? ''
    open.lines.push(line)
    if (!stream.goesOn.has(line)) open = null
  }
  // The result stands before what the test said, so that no line is read as another test's.
  const result = texts.findIndex(({ text }) => RESULT.exec(text)?.[1] === unit.test)
  if (result > 0) texts.unshift(...texts.splice(result, 1))
  const shown = texts.map((entry) => entry.text)
  const library = libraryFrames(shown)
  const isFraming = (text: string): boolean =>
    FRAMING.test(text) ||
    (unit.status === 'bench' && text === unit.test) ||
    (unit.test === '' && unit.status !== 'open' && PASSED_PACKAGE.test(text))

  // Events without words of their own are restated by what the unit says of itself.
  const withOutput = new Set(unit.output)
  let wordless = unit.lines.filter((line) => !withOutput.has(line))
  texts.forEach((entry, i) => {
    if (isFraming(shown[i] ?? '')) wordless = wordless.concat(entry.lines)
  })
  if (unit.status === 'open' && !isBuild(unit, stream)) {
    draft.restate(
      unit.test === '' ? `--- no verdict: package ${unit.pkg}` : `--- never ended: ${unit.test} (${unit.pkg})`,
      wordless,
    )
    wordless = []
  }
  const long = middleOfPrinted(shown, (i) => !library[i] && !isFraming(shown[i] ?? ''))
  texts.forEach((entry, i) => {
    const text = shown[i] ?? ''
    if (long[i]) draft.elide('printed output', entry.lines)
    else if (library[i]) draft.elide('runtime frames', entry.lines)
    else if (!isFraming(text)) {
      draft.restate(text, [...entry.lines, ...wordless])
      wordless = []
    }
  })
  draft.elide('test events', wordless)
}
