import type { Family } from '../family.ts'
import { createFates, type Fates } from '../strategies/fates.ts'
import { middleOfLongRun } from '../strategies/long-run.ts'
import { condenseRust, viewOfMessage } from './rust/condense.ts'
import { foldBacktraces } from './rust/frames.ts'

const STATUS = /^ {0,12}(?:TRY \d{1,3} )?[A-Z][A-Z-]{2,12} \[[ >]{0,4}\d[\d.]{0,12}s\] (?:\([ \d/─-]{1,20}\) )?\S/
const PASSED = /^ {0,12}(?:SETUP )?PASS \[/
const RULE = /^─{4,}$/
const RUN_ID = /^ {1,6}Nextest run ID /
const STARTING = /^ {1,8}Starting \d+ tests? across /
const SUMMARY = /^ {1,8}Summary \[/
const STREAM = /^ {2}(?:stdout|stderr|output) ───/
/** What libtest writes around the one test that nextest runs in a process. */
const FRAME =
  /^ {4}(?:running 1 test|test .+ \.\.\. FAILED|failures:|test result: FAILED\. 0 passed; 1 failed; .*|note: run with `RUST_BACKTRACE=1` .*)$/
const SAMPLE = 200

/** `cargo nextest run`: failed, timed-out and aborted tests with their output, the summary; passing tests go. */
export const cargoNextest: Family = {
  name: 'cargo-nextest',
  commands: ['cargo nextest'],
  decides: true,
  detect(lines) {
    const head = lines.slice(0, SAMPLE)
    if (head.some((line) => RUN_ID.test(line)) && head.some((line) => STARTING.test(line))) return true
    const tail = lines.slice(-SAMPLE)
    return tail.some((line) => SUMMARY.test(line)) && tail.some((line) => STATUS.test(line))
  },
  condense({ lines }, draft) {
    const fates = createFates(lines)
    const { read, built } = condenseRust(lines, fates)
    const isOurs = lines.some((line) => STATUS.test(line) || STARTING.test(line) || SUMMARY.test(line))
    if (!isOurs && !read.includes(1)) return null
    const shown = new Set<string>()
    let start = 0
    let ended = lines.some((line, i) => read[i] === 0 && /^error/.test(line))
    let summary = false
    for (let i = 0; i < lines.length; i += 1) {
      if (read[i] === 1) continue
      const line = lines[i] ?? ''
      if (STARTING.test(line)) start = i + 1
      if (SUMMARY.test(line)) {
        if (start > 0) fates.group(start, i)
        start = 0
        ended = true
        summary = true
      }
      if (line.trim() === '' || RULE.test(line) || FRAME.test(line)) fates.fold(i)
      else if (PASSED.test(line)) fates.drop(i, 'passing tests')
      else if (RUN_ID.test(line)) fates.fold(i)
      else if (STATUS.test(line)) {
        // After the summary, failures are listed again.
        if (summary && shown.has(line)) fates.fold(i)
        shown.add(line)
      }
    }
    foldNames(lines, read, fates)
    foldEmptyStreams(lines, fates)
    foldBacktraces(lines, fates)
    dropLongOutput(lines, read, fates)
    if (isOurs ? !ended : !built) draft.restate('incomplete: the output ends before the summary', [])
    fates.write(draft)
    return 'cargo-nextest'
  },
  view: viewOfMessage,
}

/** libtest's list of failed names, which holds the one test alone. */
function foldNames(lines: readonly string[], read: Uint8Array, fates: Fates): void {
  for (let i = 0; i < lines.length; i += 1)
    if (read[i] === 0 && lines[i] === '    failures:' && /^ {8}\S+$/.test(lines[i + 1] ?? '')) fates.fold(i + 1)
}

/** `stdout ───` with nothing below it that stays. */
function foldEmptyStreams(lines: readonly string[], fates: Fates): void {
  let below = false
  for (let i = lines.length - 1; i >= 0; i -= 1) {
    const line = lines[i] ?? ''
    if (STREAM.test(line)) {
      if (!below) fates.fold(i)
      below = false
    } else if (fates.isKept(i)) below = line.startsWith('    ') && !STATUS.test(line) && !SUMMARY.test(line)
  }
}

function dropLongOutput(lines: readonly string[], read: Uint8Array, fates: Fates): void {
  for (let i = 0; i < lines.length; ) {
    let end = i
    while (end < lines.length && read[end] === 0 && /^ {4}/.test(lines[end] ?? '') && fates.isKept(end)) end += 1
    middleOfLongRun(lines.slice(i, end)).forEach((may, k) => {
      if (may) fates.drop(i + k, 'printed output')
    })
    i = Math.max(end, i + 1)
  }
}
