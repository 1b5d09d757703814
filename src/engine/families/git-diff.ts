import type { Family } from '../family.ts'
import { unlessQuoted } from '../strategies/quoted-lines.ts'
import { isOfHistory } from './git-log/commits.ts'
import { writeHistory } from './git-log/write.ts'

const FILE = /^diff --(?:git|cc|combined) \S/
const HEADER =
  /^(?:index [0-9a-f]{4,64}(?:,[0-9a-f]{4,64})*\.\.|old mode \d|new file mode \d|deleted file mode \d|similarity index \d)/

/** A file of a revision (`git show HEAD:x`) is printed as it is: no diff. */
const FILE_OF_REVISION = /^[^-:][^:]{0,200}:./

/**
 * `git diff` and `git show`: every added and removed line of files written by hand stays, unchanged lines go; lock files,
 * generated and minified files are counted.
 */
export const gitDiff: Family = {
  name: 'git-diff',
  commands: ['git diff', 'git show', 'git stash show', 'git diff-tree', 'git diff-index', 'git diff-files'],
  decides: true,
  detect: (lines) => FILE.test(lines[0] ?? '') && HEADER.test(lines[1] ?? ''),
  condense({ lines, program }, draft) {
    if (program?.args[0] === 'show' && program.args.some((arg) => FILE_OF_REVISION.test(arg))) return null
    if (!writeHistory(lines, draft)) draft.keepRange(0, lines.length)
    return 'git-diff'
  },
  view: unlessQuoted(isOfHistory),
}
