import type { Draft } from '../../draft.ts'
import { libraryFrames } from './frames.ts'
import { FEW_TESTS } from './plain.ts'
import { middleOfPrinted } from './printed.ts'

/** One event of `go test -json` (cmd/test2json), as far as it is read here. */
interface TestEvent {
  readonly action: string
  readonly pkg: string
  readonly test: string
  readonly output: string
}

/** Output of one test, or of a package itself, with the events' line numbers. */
interface Unit {
  readonly pkg: string
  readonly test: string
  status: 'open' | 'pass' | 'fail' | 'skip' | 'bench'
  readonly lines: number[]
  readonly output: { line: number; text: string }[]
}

/** @returns null for a line that is no test event */
export function readEvent(line: string): TestEvent | null {
  if (!line.startsWith('{') || !line.endsWith('}')) return null
  return scanEvent(line) ?? parseEvent(line)
}

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const BACKSLASH = 0x5c
const CLOSE = 0x7d

/**
 * Reads an event as `go test` writes it: one flat object without spaces, most strings without escapes. Anything else
 * gives null, and JSON.parse decides. Three times as fast as that, for streams of many megabytes.
 */
function scanEvent(line: string): TestEvent | null {
  const event = { action: '', pkg: '', importPath: '', test: '', output: '' }
  let at = 1
  for (;;) {
    if (line.charCodeAt(at) !== QUOTE) return null
    const keyEnd = line.indexOf('"', at + 1)
    if (keyEnd < 0 || line.charCodeAt(keyEnd + 1) !== COLON) return null
    const key = line.slice(at + 1, keyEnd)
    const start = keyEnd + 2
    let end: number
    if (line.charCodeAt(start) === QUOTE) {
      end = line.indexOf('"', start + 1)
      while (end > 0 && line.charCodeAt(end - 1) === BACKSLASH) {
        let escapes = 1
        while (line.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes += 1
        if (escapes % 2 === 0) break
        end = line.indexOf('"', end + 1)
      }
      if (end < 0) return null
      const name = MEMBERS.get(key)
      if (name !== undefined) {
        const value = stringAt(line, start, end)
        if (value === null) return null
        event[name] = value
      }
      end += 1
    } else {
      end = start
      for (let unit = line.charCodeAt(end); unit !== COMMA && unit !== CLOSE; unit = line.charCodeAt(end)) {
        if (Number.isNaN(unit) || unit === QUOTE || unit === 0x7b || unit === 0x5b) return null
        end += 1
      }
    }
    const next = line.charCodeAt(end)
    if (next === CLOSE && end === line.length - 1) break
    if (next !== COMMA) return null
    at = end + 1
  }
  if (event.action === '') return null
  return { action: event.action, pkg: event.pkg || event.importPath, test: event.test, output: event.output }
}

type Member = 'action' | 'pkg' | 'importPath' | 'test' | 'output'
const MEMBERS: ReadonlyMap<string, Member> = new Map([
  ['Action', 'action'],
  ['Package', 'pkg'],
  ['ImportPath', 'importPath'],
  ['Test', 'test'],
  ['Output', 'output'],
])

/** The string between the quotes at `start` and `end`; null where it is no valid JSON string. */
function stringAt(line: string, start: number, end: number): string | null {
  const escaped = line.indexOf('\\', start + 1)
  if (escaped < 0 || escaped > end) return line.slice(start + 1, end)
  // Nearly every output ends in its only escape, the line feed.
  if (escaped === end - 2 && line.charCodeAt(end - 1) === 0x6e) return `${line.slice(start + 1, escaped)}\n`
  try {
    const value: unknown = JSON.parse(line.slice(start, end + 1))
    return typeof value === 'string' ? value : null
  } catch {
    return null
  }
}

function parseEvent(line: string): TestEvent | null {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return null
  }
  if (typeof value !== 'object' || value === null) return null
  const text = (key: string): string => {
    const member: unknown = Reflect.get(value, key)
    return typeof member === 'string' ? member : ''
  }
  const action = text('Action')
  return action === ''
    ? null
    : { action, pkg: text('Package') || text('ImportPath'), test: text('Test'), output: text('Output') }
}

/** What an event's Output says; the line itself where it is no event (cut off, or printed by another program). */
export function viewOfEvent(line: string): string {
  const event = readEvent(line)
  return event === null ? line : event.output.replace(/\n$/, '')
}

/** What a benchmark measured. */
const MEASURED = /\d ns\/op\b/
/** Whether a test printed it: no framing, no result. */
const isPrinted = (text: string): boolean => !FRAMING.test(text) && !/^\s{0,200}--- [A-Z]{4,5}: /.test(text)

/** Lines that only frame a test's run. */
const RESULT = /^[ \t]{0,200}--- (?:FAIL|SKIP|BENCH): (.{0,1000}) \(\d[\d.]{0,20}s\)$/m
const FRAMING = /^=== (?:RUN|PAUSE|CONT|NAME|ATTR)\b/
const PASSED_PACKAGE = /^(?:ok {2}\t|\? {3}\t|PASS$|testing: warning: no tests to run$)/

/**
 * Condenses an event stream: failed, skipped and unfinished tests with their output, build output and the packages'
 * verdicts stay; passing tests go. Output of parallel tests is put together again by test.
 */
export function condenseJson(lines: readonly string[], exitCode: number | null, draft: Draft): void {
  const units = new Map<string, Unit>()
  const plain: number[] = []
  for (let i = 0; i < lines.length; i += 1) {
    const event = readEvent(lines[i] ?? '')
    if (event === null) {
      plain.push(i)
      continue
    }
    const key = `${event.pkg}\n${event.test}`
    let unit = units.get(key)
    if (!unit) {
      unit = { pkg: event.pkg, test: event.test, status: 'open', lines: [], output: [] }
      units.set(key, unit)
    }
    unit.lines.push(i)
    if (event.output !== '') unit.output.push({ line: i, text: event.output })
    // What failed once has failed, however often it ran (`-count`, reruns).
    const status = STATUS_OF.get(event.action)
    if (status && unit.status !== 'fail') unit.status = status
  }

  let tests = 0
  for (const unit of units.values()) {
    if (unit.test === '') continue
    tests += 1
    // Of benchmarks no event tells the end: nothing is left open of a package that passed.
    const ended = units.get(`${unit.pkg}\n`)?.status === 'pass' || unit.output.some(({ text }) => MEASURED.test(text))
    if (unit.status === 'open' && ended) unit.status = 'bench'
  }
  const few = tests <= FEW_TESTS
  const failed = exitCode !== null && exitCode !== 0 ? `; exit code ${exitCode}` : ''
  draft.restate(`${headingOf([...units.values()])}${failed}`, [])
  const placed: { at: number; write: () => void }[] = plain.map((line) => ({ at: line, write: () => draft.keep(line) }))
  for (const unit of units.values()) {
    const first = unit.lines[0] ?? 0
    // A package's own lines start before its tests' and end with its verdict: it stands where that does.
    const at = unit.test === '' ? (unit.lines.at(-1) ?? 0) : first
    const passed = unit.status === 'pass' || (unit.test === '' && unit.status === 'skip')
    placed.push({ at, write: () => (passed ? writePassed(unit, draft, few) : writeUnit(unit, draft)) })
  }
  placed.sort((a, b) => a.at - b.at)
  for (const item of placed) item.write()
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
const isBuild = (unit: Unit): boolean => unit.test === '' && unit.output.some((part) => part.text.startsWith('# '))

/** Counts as the events give them; it claims nothing of a stream that ends early. */
function headingOf(units: readonly Unit[]): string {
  const tests = { pass: 0, fail: 0, skip: 0, open: 0, bench: 0 }
  const packages = { pass: 0, fail: 0, skip: 0, open: 0, bench: 0 }
  let builds = 0
  for (const unit of units) {
    if (unit.test !== '') tests[unit.status] += 1
    else if (isBuild(unit)) builds += 1
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
function writePassed(unit: Unit, draft: Draft, few: boolean): void {
  if (unit.test !== '') {
    const printed = new Set(unit.output.filter(({ text }) => isPrinted(text)).map(({ line }) => line))
    if (few && printed.size > 0) writeUnit(unit, draft)
    else
      for (const line of unit.lines)
        draft.elide(printed.has(line) ? 'output of passing tests' : 'passing tests', [line])
    return
  }
  const said = unit.output.filter((part) => SAID_OF_PASSED.test(part.text))
  const shown = new Set(said.map((part) => part.line))
  draft.elide(
    unit.status === 'skip' ? 'packages without tests' : 'passing packages',
    unit.lines.filter((line) => !shown.has(line)),
  )
  for (const part of said) draft.restate(part.text.trimEnd(), [part.line])
}

/** What a passing package says that its passing alone does not: coverage, a seed, that no test was to run. */
const SAID_OF_PASSED = /coverage: |^-test\.shuffle |no tests to run/

/** A unit that failed, was skipped or never ended: its output line by line, without framing and library frames. */
function writeUnit(unit: Unit, draft: Draft): void {
  const texts: { text: string; lines: number[] }[] = []
  let open: { text: string; lines: number[] } | null = null
  for (const part of unit.output) {
    if (open === null) {
      open = { text: '', lines: [] }
      texts.push(open)
    }
    open.text += part.text
    open.lines.push(part.line)
    if (part.text.endsWith('\n')) open = null
  }
  // The result stands before what the test said, so that no line is read as another test's.
  const result = texts.findIndex(({ text }) => RESULT.exec(text)?.[1] === unit.test)
  if (result > 0) texts.unshift(...texts.splice(result, 1))
  const shown = texts.map((entry) => entry.text.replace(/\n$/, ''))
  const library = libraryFrames(shown)
  const isFraming = (text: string): boolean =>
    FRAMING.test(text) ||
    (unit.status === 'bench' && text === unit.test) ||
    (unit.test === '' && unit.status !== 'open' && PASSED_PACKAGE.test(text))

  // Events without words of their own are restated by what the unit says of itself.
  const withOutput = new Set(unit.output.map((part) => part.line))
  let wordless = unit.lines.filter((line) => !withOutput.has(line))
  texts.forEach((entry, i) => {
    if (isFraming(shown[i] ?? '')) wordless = wordless.concat(entry.lines)
  })
  if (unit.status === 'open' && !isBuild(unit)) {
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
