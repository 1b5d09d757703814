import type { Family } from '../family.ts'
import { unlessQuoted } from '../strategies/quoted-lines.ts'
import { isOfHistory } from './git-log/commits.ts'
import { writeHistory } from './git-log/write.ts'

const COMMIT = /^(?:\* )?commit [0-9a-f]{40}(?: \(.*\))?$/
const HEADERS = /^(?:\| )?(?:Merge|Author): {1,5}\S/

/** `git log` in its forms: every commit, its names and its summary stay; long messages are shortened. */
export const gitLog: Family = {
  name: 'git-log',
  commands: ['git log', 'git whatchanged', 'git reflog', 'git shortlog'],
  decides: false,
  detect: (lines) => COMMIT.test(lines[0] ?? '') && HEADERS.test(lines[1] ?? ''),
  condense({ lines }, draft) {
    if (!writeHistory(lines, draft)) draft.keepRange(0, lines.length)
    return 'git-log'
  },
  view: unlessQuoted(isOfHistory),
}
