import type { StatusLine } from './changes.ts'

const SECTION =
  /^(Changes to be committed|Changes not staged for commit|Untracked files|Unmerged paths|Ignored files)(?:, but not .*)?:$/
const HINT =
  /^ {1,40}\(.*\)$|^(?:no changes added to commit|nothing added to commit but untracked files present) \(use .*\)$/
const ENTRY =
  /^\t(modified|new file|deleted|renamed|copied|typechange|both modified|both added|both deleted|added by us|added by them|deleted by us|deleted by them): +(\S.*)$/
const PATH = /^\t(\S.*)$/

/** Reads the human form; null where a line of a section is not understood. */
export function readHuman(lines: readonly string[]): StatusLine[] | null {
  let section = ''
  return lines.map((line): StatusLine => {
    const heading = SECTION.exec(line)
    if (heading?.[1]) {
      section = heading[1]
      return { kind: 'keep' }
    }
    if (line === '') return { kind: 'hint', what: 'hints' }
    if (HINT.test(line))
      return section === '' && !/^ {1,40}\(use /.test(line) ? { kind: 'keep' } : { kind: 'hint', what: 'hints' }
    const entry = ENTRY.exec(line)
    if (entry?.[1] && entry[2]) {
      return { kind: 'change', change: { label: `${entry[1]}:`, path: entry[2], counts: [stateOf(section, entry[1])] } }
    }
    const path = PATH.exec(line)
    if (path?.[1] && (section === 'Untracked files' || section === 'Ignored files')) {
      const state = section === 'Untracked files' ? 'untracked' : 'ignored'
      return { kind: 'change', change: { label: state === 'untracked' ? '??' : '!!', path: path[1], counts: [state] } }
    }
    return { kind: 'keep' }
  })
}

function stateOf(section: string, word: string): string {
  if (section === 'Unmerged paths') return 'conflicted'
  return section === 'Changes to be committed' ? 'staged' : word
}
