import type { Draft } from '../draft.ts'
import type { Family } from '../family.ts'
import { type Named, writeNames } from '../strategies/paths.ts'
import { linesOfFacts, unlessQuoted } from '../strategies/quoted-lines.ts'
import { describeUsual, isFolder, type Row, readRow, usualOf, writeRow } from './ls/rows.ts'

const OWN = /^(?:ls|gls|exa|eza): /
const TOTAL = /^total \d/

function writeLong(lines: readonly string[], read: readonly (Row | null)[], draft: Draft): void {
  const rows = read.filter((row) => row !== null)
  const files = usualOf(
    rows.filter((row) => !isFolder(row) && !row.mode.startsWith('l')),
    false,
  )
  const folders = usualOf(rows.filter(isFolder), true)
  const said = [describeUsual(files), `folders (name/) ${describeUsual(folders)}`, 'folders’ link counts left out']
  draft.restate(`unless a line says otherwise: ${said.filter((part) => part !== '').join('; ')}`, [])
  for (const [i, line] of lines.entries()) {
    const row = read[i]
    const text = row ? writeRow(row, isFolder(row) ? folders : files) : null
    if (text !== null && text.length < line.length) draft.restate(text, [i])
    else draft.keep(i)
  }
}

/** Names one a line: those of a folder share a line below its heading. */
function writeShort(lines: readonly string[], messages: ReadonlySet<number>, draft: Draft): void {
  let names: Named[] = []
  let blank: number[] = []
  const flush = (): void => {
    writeNames('', names, draft)
    names = []
  }
  for (const [i, line] of lines.entries()) {
    if (line === '') {
      flush()
      blank.push(i)
    } else if (OWN.test(line) || messages.has(i)) {
      flush()
      draft.keep(i)
    } else if (
      line.endsWith(':') &&
      (i === 0 || lines[i - 1] === '' || OWN.test(lines[i - 1] ?? '') || messages.has(i - 1))
    ) {
      flush()
      if (blank.length === 0) draft.keep(i)
      else draft.restate(line, [...blank, i])
      blank = []
    } else names.push({ name: line, line: i })
  }
  flush()
  for (const line of blank) draft.keep(line)
}

/** `ls`: every name; in the long form the columns that most rows share are said once. */
export const ls: Family = {
  name: 'ls',
  commands: ['ls', 'gls'],
  decides: false,
  detect: (lines) => TOTAL.test(lines[0] ?? '') && lines.slice(1, 20).every((line) => readRow(line) !== null),
  condense({ lines, facts }, draft) {
    const read = lines.map(readRow)
    if (read.some((row) => row !== null)) writeLong(lines, read, draft)
    else writeShort(lines, linesOfFacts(facts()), draft)
    return 'ls'
  },
  view: unlessQuoted((line) => readRow(line) !== null),
}
