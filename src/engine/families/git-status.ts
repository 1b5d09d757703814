import type { Draft } from '../draft.ts'
import type { Family } from '../family.ts'
import { createFates } from '../strategies/fates.ts'
import { type Change, countsOf, groupPaths, type StatusLine } from './git-status/changes.ts'
import { readHuman } from './git-status/human.ts'
import { readPorcelain } from './git-status/porcelain.ts'

const HUMAN_HEAD =
  /^(?:On branch \S|HEAD detached (?:at|from) |Not currently on any branch|interactive rebase in progress|rebase in progress|No commits yet$)/
const HUMAN_SECTION =
  /^(?:Changes to be committed|Changes not staged for commit|Untracked files|Unmerged paths|nothing to commit|no changes added to commit|You are currently )/

/** Changes of one section under its heading, each path named, each directory once; all hints in one gap. */
function write(lines: readonly string[], read: readonly StatusLine[], draft: Draft): void {
  const fates = createFates(lines)
  fates.group(0, lines.length)
  const changes = read.flatMap((line, index) => (line.kind === 'change' ? [{ change: line.change, index }] : []))
  if (changes.length > 0) draft.restate(countsOf(changes.map((entry) => entry.change)), [])
  for (let i = 0; i < read.length; ) {
    const line = read[i]
    if (line?.kind !== 'change') {
      if (lines[i] === '') fates.fold(i)
      else if (line?.kind === 'hint') fates.drop(i, line.what)
      i += 1
      continue
    }
    const group: { change: Change; index: number }[] = []
    for (let next = read[i]; next?.kind === 'change'; next = read[i]) {
      group.push({ change: next.change, index: i })
      i += 1
    }
    for (const part of groupPaths(group)) fates.say(part.lines[0] ?? 0, part.text, part.lines.slice(1))
  }
  fates.write(draft)
}

/** `git status` in its human form and in porcelain 1 and 2: opens with counts, names every path, drops the hints. */
export const gitStatus: Family = {
  name: 'git-status',
  commands: ['git status'],
  decides: true,
  detect: (lines) => HUMAN_HEAD.test(lines[0] ?? '') && lines.some((line) => HUMAN_SECTION.test(line)),
  condense({ lines }, draft) {
    const read =
      HUMAN_HEAD.test(lines[0] ?? '') || lines.some((line) => HUMAN_SECTION.test(line))
        ? readHuman(lines)
        : readPorcelain(lines)
    if (read === null) return null
    write(lines, read, draft)
    return 'git-status-stats'
  },
}
