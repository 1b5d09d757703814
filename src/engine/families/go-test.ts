import type { Program } from '../command.ts'
import type { Family } from '../family.ts'
import { readEvent, viewOfEvent } from './go-test/event.ts'
import { condenseJson } from './go-test/json.ts'
import { condensePlain } from './go-test/plain.ts'

const PLAIN =
  /^(?:--- (?:PASS|FAIL|SKIP): \S+ \(\d|=== RUN {3}\S|(?:ok {2}|FAIL)\t\S+\t(?:\d|\(cached\))|FAIL\t\S+ \[(?:build|setup) failed\]|\? {3}\t\S+\t\[no test files\])/
/** All that `go test` writes itself. */
const OWN =
  /^(?:\s*--- [A-Z]{4,5}: |=== [A-Z]{3,4} |ok {2}\t|FAIL|PASS$|\? {3}\t|exit status |coverage: |panic: |goroutine |\s+\S+\.go:\d+)/
const VERDICT = /^(?:ok {2}\t|FAIL\t|FAIL$|PASS$|\? {3}\t|panic: |exit status )/
const ACTIONS = /^(?:start|run|pause|cont|pass|bench|fail|output|skip|build-output|build-fail|attr)$/

function isEvent(line: string): boolean {
  const event = line.startsWith('{') ? readEvent(line) : null
  return event !== null && ACTIONS.test(event.action) && event.pkg !== ''
}

/**
 * Whether the output is an event stream. A test may print lines that look like events, so the command's own flag
 * decides where the command is known; else a text with results in the plain form is none.
 */
function isStream(lines: readonly string[], program: Program | null): boolean {
  if (program?.name === 'go') return program.args.some((arg) => /^--?json(?:=true)?$/.test(arg)) && lines.some(isEvent)
  return lines.some(isEvent) && !lines.some((line) => PLAIN.test(line))
}

/** Of a run's lines at least so many are its own: with a verdict, and without (cut off). */
const OWN_WITH_VERDICT = 0.2
const OWN_ALONE = 0.5

/** Whether a text in which lines of a run stand is that run's output, and does not only quote it. */
function isRun(lines: readonly string[]): boolean {
  if (!lines.some((line) => PLAIN.test(line))) return false
  const said = lines.filter((line) => line.trim() !== '')
  const share = lines.some((line) => VERDICT.test(line)) ? OWN_WITH_VERDICT : OWN_ALONE
  return said.filter((line) => OWN.test(line)).length >= said.length * share
}

/**
 * `go test`, with and without `-v` and `-json`. Failed, skipped and unfinished tests keep their output, packages that
 * fail or do not build keep theirs; passing tests and the runtime's stack frames go.
 */
export const goTest: Family = {
  name: 'go-test',
  commands: ['go test', 'gotestsum', 'go tool test2json'],
  decides: true,
  detect: (lines) => isRun(lines) || isStream(lines.slice(0, 200), null),
  condense({ lines, program, exitCode, viewed }, draft) {
    if (isStream(lines, program)) {
      condenseJson(lines, exitCode, draft, viewed)
      return 'go-test-json'
    }
    condensePlain(lines, exitCode, draft)
    return 'go-test'
  },
  view: (line) => (line.startsWith('{') ? viewOfEvent(line) : line),
}
