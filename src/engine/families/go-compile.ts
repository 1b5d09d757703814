import type { Family } from '../family.ts'
import { readPlaceLine } from '../strategies/place-line.ts'
import { condenseMessages } from './go-compile/messages.ts'
import { condenseVetJson, viewOfVetJson, viewOfVetLine } from './go-compile/vet-json.ts'
import { viewOfEvent } from './go-test/event.ts'

const PACKAGE = /^# \S+(?: \[\S+\])?$/
const inGo = (line: string): boolean => /\.go$/.test(readPlaceLine(line)?.path ?? '')

const detect = (lines: readonly string[]): boolean =>
  lines.slice(0, 200).some((line, i) => PACKAGE.test(line) && inGo(lines[i + 1] ?? ''))

/** `go build`, also with `-json`: messages by file under their package, what they have and want with them. */
export const goBuild: Family = {
  name: 'go-build',
  commands: ['go build', 'go install', 'go run', 'go generate', 'go list'],
  decides: false,
  detect,
  condense({ lines }, draft) {
    return condenseMessages(lines, lines.map(told), draft) ? 'go-build' : null
  },
  view: viewOfEvent,
}

/** `go vet`, also with `-json` and `-c`. */
export const goVet: Family = {
  name: 'go-vet',
  commands: ['go vet'],
  decides: false,
  detect: () => false,
  condense({ lines }, draft) {
    if (lines.slice(0, 50).some((line) => line === '{')) return condenseVetJson(lines, draft)
    return condenseMessages(lines, lines, draft) ? 'go-vet' : null
  },
  view: viewOfVetLine,
  viewJson: viewOfVetJson,
}

/** What a line says; null for an event that says only that a package failed to build, which its messages say. */
function told(line: string): string | null {
  const text = viewOfEvent(line)
  return text === '' && line !== '' ? null : text
}
