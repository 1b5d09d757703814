import type { Program } from '../command.ts'
import type { Draft } from '../draft.ts'
import type { Family } from '../family.ts'
import { factsOf } from '../signals.ts'
import { headingOfPaths, type Named, writePaths } from '../strategies/paths.ts'
import { linesOfFacts, unlessQuoted } from '../strategies/quoted-lines.ts'
import { estimateTokens } from '../text/tokens.ts'
import { wordsOf } from './grep/cut.ts'
import { type Hit, looksQuoted, OWN_MESSAGE, readSearch } from './grep/hits.ts'
import { isStream, writeJson } from './grep/json.ts'
import { formOf } from './grep/options.ts'
import { writeHits } from './grep/write.ts'

const LISTS =
  /^(?:-[a-zA-Z]*[lLc][a-zA-Z]*|--files-with-matches|--files-without-match|--files|--count|--count-matches|--name-only)$/

/** What was read as no hit (one file's lines without numbers) stands whole up to this many tokens. */
const MOST_UNREAD = 12_000

const costOfUnread = (lines: readonly string[], hits: readonly (Hit | null)[]): number =>
  lines.reduce((cost, line, i) => cost + (hits[i] ? 0 : estimateTokens(line)), 0)

/** Lists of files, or of files with their counts, are grouped by folder. */
function writeList(lines: readonly string[], messages: ReadonlySet<number>, draft: Draft): void {
  const paths: Named[] = []
  const told: number[] = []
  for (const [line, name] of lines.entries()) {
    if (OWN_MESSAGE.test(name) || messages.has(line) || name.trim() === '' || name.length > 4096) told.push(line)
    else paths.push({ name, line })
  }
  draft.restate(headingOfPaths(paths, 'files'), [])
  writePaths(paths, draft)
  for (const line of told) draft.keep(line)
}

const isList = (program: Program | null): boolean => program?.args.some((arg) => LISTS.test(arg)) ?? false

/** `grep`, `rg` and `git grep`: every file and every line that matches, the file's name once. */
export const grep: Family = {
  name: 'grep',
  commands: ['grep', 'egrep', 'fgrep', 'rg', 'git grep', 'ag', 'ack'],
  decides: false,
  detect: isStream,
  condense({ lines, program }, draft) {
    const words = wordsOf(program)
    if (isStream(lines)) {
      writeJson(lines, words, draft)
      return 'grep-json'
    }
    if (isList(program)) {
      writeList(lines, linesOfFacts(factsOf(lines)), draft)
      return 'grep-list'
    }
    const hits = readSearch(lines, formOf(program))
    if (costOfUnread(lines, hits) > MOST_UNREAD) return null
    writeHits(lines, hits, words, draft)
    return 'grep'
  },
  view: unlessQuoted(looksQuoted),
}
