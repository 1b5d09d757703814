import type { Family } from '../family.ts'
import { condenseJson, readEvent, viewOfEvent } from './go-test/json.ts'
import { condensePlain } from './go-test/plain.ts'

const PLAIN =
  /^(?:--- (?:PASS|FAIL|SKIP): \S+ \(\d|=== RUN {3}\S|(?:ok {2}|FAIL)\t\S+\t(?:\d|\(cached\))|FAIL\t\S+ \[(?:build|setup) failed\]|\? {3}\t\S+\t\[no test files\])/
const ACTIONS = /^(?:start|run|pause|cont|pass|bench|fail|output|skip|build-output|build-fail|attr)$/

function isEvent(line: string): boolean {
  const event = line.startsWith('{') ? readEvent(line) : null
  return event !== null && ACTIONS.test(event.action) && event.pkg !== ''
}

/** Whether a text is an event stream: a line that reads as an event among its first ten that start an object. */
function isStream(lines: readonly string[]): boolean {
  let seen = 0
  for (let i = 0; i < lines.length && i < 200 && seen < 10; i += 1) {
    if (!lines[i]?.startsWith('{')) continue
    if (isEvent(lines[i] ?? '')) return true
    seen += 1
  }
  return false
}

/**
 * `go test`, with and without `-v` and `-json`. Failed, skipped and unfinished tests keep their output, packages that
 * fail or do not build keep theirs; passing tests and the runtime's stack frames go.
 */
export const goTest: Family = {
  name: 'go-test',
  commands: ['go test', 'gotestsum', 'go tool test2json'],
  decides: true,
  detect: (lines) => isStream(lines) || lines.some((line) => PLAIN.test(line)),
  condense({ lines }, draft) {
    if (isStream(lines)) {
      condenseJson(lines, draft)
      return 'go-test-json'
    }
    condensePlain(lines, draft)
    return 'go-test'
  },
  view: (line) => (line.startsWith('{') ? viewOfEvent(line) : line),
}
