import type { Draft } from '../draft.ts'
import type { Family } from '../family.ts'
import { type Named, writeNames, writePaths } from '../strategies/paths.ts'
import { linesOfFacts, unlessQuoted } from '../strategies/quoted-lines.ts'

const SUMMARY = /^\d+ director(?:y|ies)(?:, \d+ files?)?$/
const OWN = /^tree: |error opening dir|error, /

/** An entry below the root: how deep, and its name with what tree says of it. */
interface Leaf {
  readonly depth: number
  readonly name: string
}

/** Reads a line drawn with box characters or ASCII; each level takes four columns. */
function readEntry(line: string): Leaf | null {
  let at = 0
  while (/^(?:[│|][ \u00a0]{3}| {4})$/.test(line.slice(at, at + 4)) && at < 4000) at += 4
  if (!/^(?:├──|└──|\|--|`--)[ \u00a0]$/.test(line.slice(at, at + 4))) return null
  return { depth: at / 4 + 1, name: line.slice(at + 4) }
}

/** Writes entries by depth, one space a level; entries without any below them share a line. */
function writeTree(lines: readonly string[], draft: Draft): void {
  const entries = lines.map(readEntry)
  for (let i = 0; i < lines.length; ) {
    const entry = entries[i]
    if (!entry) {
      draft.keep(i)
      i += 1
      continue
    }
    const indent = ' '.repeat(Math.min(entry.depth, 200))
    if ((entries[i + 1]?.depth ?? 0) > entry.depth) {
      draft.restate(`${indent}${entry.name}${entry.name.endsWith('/') ? '' : '/'}`, [i])
      i += 1
      continue
    }
    const run: Named[] = []
    for (let next = entries[i]; next && next.depth === entry.depth; next = entries[i]) {
      if ((entries[i + 1]?.depth ?? 0) > next.depth) break
      if (/\s/.test(next.name)) {
        if (run.length > 0) break
        draft.restate(indent + next.name, [i])
      } else run.push({ name: next.name, line: i })
      i += 1
      if (run.length === 0) break
    }
    writeNames(indent, run, draft)
  }
}

/** `tree`: its structure by indent, every name, its summary. */
export const tree: Family = {
  name: 'tree',
  commands: ['tree'],
  decides: false,
  detect: (lines) => readEntry(lines[1] ?? '') !== null && SUMMARY.test(lines.at(-1) ?? ''),
  condense({ lines, program, facts }, draft) {
    if (lines.some((line) => readEntry(line) !== null)) {
      writeTree(lines, draft)
      return 'tree'
    }
    if (!program?.args.some((arg) => /^-[a-zA-Z]*f/.test(arg)) || !SUMMARY.test(lines.at(-1) ?? '')) return null
    const end = lines.length - 1
    const messages = linesOfFacts(facts())
    const paths: Named[] = []
    const told: number[] = []
    for (let line = 0; line < end; line += 1) {
      const name = lines[line] ?? ''
      if (name.trim() === '' || messages.has(line)) told.push(line)
      else paths.push({ name, line })
    }
    writePaths(paths, draft)
    for (const line of told) draft.keep(line)
    draft.keep(end)
    return 'tree'
  },
  view: unlessQuoted((line) => !OWN.test(line) && readEntry(line) !== null),
}
