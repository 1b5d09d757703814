import type { Draft } from '../draft.ts'
import type { Family } from '../family.ts'
import { createFates, type Fates } from '../strategies/fates.ts'
import { foldPythonFrames } from '../strategies/python-frames.ts'
import { factKey } from '../text/normal.ts'

const RAN = /^Ran \d{1,9} tests? in \d{1,9}\.\d{1,6}s$/
const VERDICT = /^(?:OK|FAILED|NO TESTS RAN)(?: \(.{1,300}\))?$/
const HEADING = /^(?:ERROR|FAIL|UNEXPECTED SUCCESS): \S/
const RULE = /^(?:={70}|-{70})$/
const DOTS = /^[.EFsxu]{2,}$/
const RESULT = /^(.{0,2000}?) \.\.\. (ok|FAIL|ERROR|skipped .{0,500}|expected failure|unexpected success)$/
const STARTED = /^\w{1,200} \(\S{1,500}\)$/
const REPEATS = 'repeats of the failures below'
const PASSING = 'passing tests'
const LONG_OUTPUT = 60

/** Python's unittest, with and without `-v` and `-b`: failures with their tracebacks stay, passing tests go. */
export const unittest: Family = {
  name: 'unittest',
  commands: ['unittest'],
  decides: true,
  detect: (lines) => lines.some((line, i) => RAN.test(line) && RULE.test(lines[i - 1] ?? '')),
  condense({ lines }, draft) {
    const fates = createFates(lines)
    const first = lines.findIndex((line, i) => HEADING.test(line) && RULE.test(lines[i - 1] ?? ''))
    foldList(lines, first < 0 ? lines.length : first - 1, first >= 0, fates)
    if (first >= 0) foldFailures(lines, first, fates)
    lines.forEach((line, i) => {
      if (line.trim() === '' || RULE.test(line)) fates.fold(i)
    })
    sayIncomplete(lines, draft)
    fates.write(draft)
    return 'unittest'
  },
}

function sayIncomplete(lines: readonly string[], draft: Draft): void {
  const began = lines.some((line) => RESULT.test(line) || DOTS.test(line) || HEADING.test(line))
  if (began && !lines.some((line) => VERDICT.test(line)))
    draft.restate('incomplete: the output ends without a verdict of unittest', [])
}

/** Results one by one, or as letters, in the lines up to `to`. */
function foldList(lines: readonly string[], to: number, listed: boolean, fates: Fates): void {
  fates.group(0, to)
  const ended = lines.some((line) => VERDICT.test(line))
  for (let i = 0; i < to; i += 1) {
    const line = lines[i] ?? ''
    if (DOTS.test(line)) {
      if (listed || /^[.]+$/.test(line) || ended) fates.drop(i, 'progress')
      continue
    }
    const result = RESULT.exec(line)
    if (!result) continue
    // A test's first line of documentation stands on a line of its own, with the result.
    const name = STARTED.test(lines[i - 1] ?? '') && !RESULT.test(lines[i - 1] ?? '') ? i - 1 : i
    const what = result[2] === 'ok' ? PASSING : REPEATS
    if (result[2] === 'ok' || (listed && (result[2] === 'FAIL' || result[2] === 'ERROR')))
      fates.dropRange(name, i + 1, what)
  }
}

/** Failures under `FAIL: name`, each with its traceback; a body that stands above is named. */
function foldFailures(lines: readonly string[], first: number, fates: Fates): void {
  const seen = new Map<string, string>()
  let traceback = false
  for (let at = first; at < lines.length; ) {
    let end = at + 1
    while (
      end < lines.length &&
      !(HEADING.test(lines[end] ?? '') && RULE.test(lines[end - 1] ?? '')) &&
      !RAN.test(lines[end] ?? '')
    )
      end += 1
    const key = lines
      .slice(at + 1, end)
      .map((line) => (line.includes('0x') ? factKey(line) : line))
      .join('\n')
    const same = seen.get(key)
    if (same !== undefined) {
      fates.say(at, `${lines[at]}\n  as ${same}`)
      for (let i = at + 1; i < end; i += 1) fates.fold(i)
    } else {
      seen.set(key, lines[at] ?? '')
      fates.group(at, end)
      foldPythonFrames(lines, at, end, fates)
      for (let i = at; i < end; i += 1) {
        if (/^Traceback \(most recent call last\):$/.test(lines[i] ?? '')) {
          if (traceback) fates.fold(i)
          traceback = true
        }
      }
      foldOutput(lines, at, end, fates)
    }
    at = RAN.test(lines[end] ?? '') ? lines.length : end
  }
}

/** What a failing test printed (`-b`), if long: its middle goes. */
function foldOutput(lines: readonly string[], from: number, to: number, fates: Fates): void {
  let start = from
  while (start < to && !/^(?:Stdout|Stderr):$/.test(lines[start] ?? '')) start += 1
  if (to - start <= LONG_OUTPUT) return
  for (let i = start + 16; i < to - 30; i += 1)
    if (!/warn|error|exception|fail|fatal|traceback|critical|timed? ?out/i.test(lines[i] ?? ''))
      fates.drop(i, 'captured output')
}
