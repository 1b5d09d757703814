import type { Family } from '../family.ts'
import { createFates, type Fates } from '../strategies/fates.ts'
import { middleOfLongRun } from '../strategies/long-run.ts'
import { condenseRust, viewOfMessage } from './rust/condense.ts'
import { foldBacktraces } from './rust/frames.ts'

const RESULT = /^test result: (?:ok|FAILED)\. \d+ passed; \d+ failed; \d+ ignored; \d+ measured; \d+ filtered out/
const RUNNING = /^running \d+ tests?$/
const PASSED = /^test .+ \.\.\. ok$/
/** A benchmark's time is what it was run for. */
const MEASURED = /^test .+ \.\.\. bench: /
const FAILED = /^test (.+) \.\.\. FAILED(?: <[\d.]+s>)?$/
/** A test's line with whatever stands behind it: its output, where that is not captured. */
const NAMED = /^test (\S{1,1000}(?: - .{1,200}?)?) \.\.\. /
const SECTION = /^---- (.+) stdout ----$/
const BINARY = /^ {3,9}(?:Running|Doc-tests) \S/
const TERSE = /^[.iF]{1,200}(?: \d+\/\d+)?$/
const HINT = /^note: run with `RUST_BACKTRACE=1`|^note: test exited abnormally; to see the full output/
const SAMPLE = 400

/** Lines that are not what a test printed. */
const STRUCTURE =
  /^(?:test |running \d|test result: |failures:$|---- |thread '|error|warning|note: |stack backtrace:| {3,9}(?:Running|Doc-tests|Finished) )/

/** `cargo test`: failing, ignored and unfinished tests with what they printed, the tally of each binary. */
export const cargoTest: Family = {
  name: 'cargo-test',
  commands: ['cargo test', 'cargo t', 'cargo bench'],
  decides: true,
  detect(lines) {
    const isTest = (line: string): boolean => RESULT.test(line)
    return lines.slice(0, SAMPLE).some(isTest) || lines.slice(-SAMPLE).some(isTest)
  },
  condense({ lines, program }, draft) {
    const fates = createFates(lines)
    const { read, built } = condenseRust(lines, fates)
    let binaries = 0
    for (let i = 0; i < lines.length; i += 1) {
      if (read[i] === 1) continue
      const line = lines[i] ?? ''
      if (RUNNING.test(line) || BINARY.test(line)) binaries += 1
    }
    if (binaries === 0 && !read.includes(1) && !lines.some((line) => RESULT.test(line) || FAILED.test(line)))
      return null
    const sections = new Set<string>()
    const failed = new Set<string>()
    for (const line of lines) {
      const section = SECTION.exec(line)?.[1]
      if (section !== undefined) sections.add(section)
      const name = section ?? (PASSED.test(line) || MEASURED.test(line) ? undefined : NAMED.exec(line)?.[1])
      if (name !== undefined) failed.add(name.replace(/ - should panic$/, ''))
    }
    let unfinished = false
    let from = -1
    for (let i = 0; i < lines.length; i += 1) {
      if (read[i] === 1) continue
      const line = lines[i] ?? ''
      if (RUNNING.test(line)) unfinished = true
      else if (RESULT.test(line) || /^error/.test(line)) unfinished = false
      decide(lines, i, { sections, failed }, fates)
      // Passing binaries in a row share a gap.
      if (BINARY.test(line) && from < 0) from = i
      if (FAILED.test(line) || line === 'failures:' || /^error/.test(line)) {
        if (from >= 0) fates.group(from, i)
        from = -1
      }
    }
    if (from >= 0) fates.group(from, lines.length)
    foldBacktraces(lines, fates)
    // A harness of a crate's own prints its measurements as text.
    if (!program?.args.includes('bench')) dropLongOutput(lines, read, fates)
    const cut = unfinished || (binaries === 0 && !built)
    if (cut) draft.restate('incomplete: the output ends before the last test result', [])
    fates.write(draft)
    return 'cargo-test'
  },
  view: viewOfMessage,
}

/** Names of tests that the output shows: those with a section of their own, and all that failed. */
interface Named {
  readonly sections: ReadonlySet<string>
  readonly failed: ReadonlySet<string>
}

function decide(lines: readonly string[], i: number, { sections, failed }: Named, fates: Fates): void {
  const line = lines[i] ?? ''
  if (line === '') fates.fold(i)
  else if (PASSED.test(line) || (TERSE.test(line) && !line.includes('F'))) fates.drop(i, 'passing tests')
  else if (RUNNING.test(line)) {
    // The tally says how many; a run without one keeps what it was to be.
    if (hasResult(lines, i)) fates.drop(i, 'passing tests')
  } else if (BINARY.test(line)) fates.say(i, line.trim().replace(/ \(\S{1,4000}\)$/, ''))
  else if (HINT.test(line)) fates.fold(i)
  else if (line === 'failures:') foldNames(lines, i, failed, fates)
  else {
    const name = FAILED.exec(line)?.[1]
    if (name !== undefined && sections.has(name)) fates.fold(i)
  }
}

/** Whether the binary that starts here ends with its tally. */
function hasResult(lines: readonly string[], at: number): boolean {
  for (let k = at + 1; k < lines.length; k += 1) {
    const line = lines[k] ?? ''
    if (RESULT.test(line)) return true
    if (RUNNING.test(line)) return false
  }
  return false
}

/** The list of failed tests' names at a binary's end: those that stand above already go. */
function foldNames(lines: readonly string[], at: number, failed: ReadonlySet<string>, fates: Fates): void {
  const isName = (line: number): boolean => /^ {4}\S/.test(lines[line] ?? '')
  if (!isName(at + 1)) {
    fates.fold(at)
    return
  }
  let unsaid = false
  for (let k = at + 1; k < lines.length && isName(k); k += 1) {
    if (failed.has((lines[k] ?? '').trim())) fates.fold(k)
    else unsaid = true
  }
  if (!unsaid) fates.fold(at)
}

function dropLongOutput(lines: readonly string[], read: Uint8Array, fates: Fates): void {
  for (let i = 0; i < lines.length; ) {
    let end = i
    while (end < lines.length && read[end] === 0 && fates.isKept(end) && !STRUCTURE.test(lines[end] ?? '')) end += 1
    middleOfLongRun(lines.slice(i, end)).forEach((may, k) => {
      if (may) fates.drop(i + k, 'printed output')
    })
    i = Math.max(end, i + 1)
  }
}
