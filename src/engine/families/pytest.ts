import type { Family } from '../family.ts'
import { foldCoverageTable, opensCoverageTable } from '../strategies/coverage-table.ts'
import { createFates, type Fates } from '../strategies/fates.ts'
import { foldPythonFrames } from '../strategies/python-frames.ts'
import { ruledTitle } from '../test-names.ts'
import { factKey } from '../text/normal.ts'
import { foldFailure } from './pytest/failure.ts'
import { foldProgress } from './pytest/progress.ts'
import { pairUp, readSummaryLine, type SummaryLine } from './pytest/summary.ts'
import { isVerdict, readHeading, sectionTitle } from './pytest/titles.ts'
import { foldWarnings } from './pytest/warnings.ts'

interface Section {
  readonly title: string
  /** Its heading; -1 for what stands before the first. */
  readonly at: number
  readonly to: number
}

interface Block {
  readonly title: string
  readonly at: number
  readonly to: number
}

function sectionsOf(lines: readonly string[]): Section[] {
  const starts: { title: string; at: number }[] = [{ title: '', at: -1 }]
  for (let i = 0; i < lines.length; i += 1) {
    const line = lines[i] ?? ''
    if (line.endsWith('=') || /\d/.test(line.slice(0, 1))) {
      const title = sectionTitle(line) ?? (isVerdict(line) ? 'verdict' : null)
      if (title !== null) starts.push({ title, at: i })
    }
  }
  return starts.map((start, k) => ({ ...start, to: starts[k + 1]?.at ?? lines.length }))
}

function blocksOf(lines: readonly string[], section: Section): Block[] {
  const starts: { title: string; at: number }[] = []
  for (let i = section.at + 1; i < section.to; i += 1) {
    const title = ruledTitle(lines[i] ?? '', '_')
    if (title !== null) starts.push({ title, at: i })
  }
  return starts.map((start, k) => ({ ...start, to: starts[k + 1]?.at ?? section.to }))
}

const FAILING = new Set(['ERRORS', 'FAILURES'])

/**
 * pytest in all its forms, with pytest-xdist and pytest-cov: failures, errors, skips, warnings and verdicts stay, each
 * failure once, under its id; passing tests, source around the failing lines and frames of libraries go.
 */
export const pytest: Family = {
  name: 'pytest',
  commands: ['pytest', 'py.test', 'pytest-3'],
  decides: true,
  detect: (lines) =>
    lines.some(
      (line) =>
        line.endsWith('=') &&
        (line.includes(' test session starts ') ||
          line.includes(' short test summary info ') ||
          line.includes(' in ')) &&
        (sectionTitle(line) !== null || (line.startsWith('===') && isVerdict(line))),
    ),
  condense({ lines }, draft) {
    const sections = sectionsOf(lines)
    const fates = createFates(lines)
    const failing = sections.filter((section) => FAILING.has(section.title)).map((section) => blocksOf(lines, section))
    const blocks = failing.flat()
    const names = new Set(blocks.map((block) => readHeading(block.title).name))
    const summary: SummaryLine[] = []
    for (const section of sections) {
      if (section.title !== 'short test summary info') continue
      for (let i = section.at + 1; i < section.to; i += 1) {
        const entry = readSummaryLine(lines[i] ?? '', i, names)
        if (entry) summary.push(entry)
      }
    }
    const ended = sections.some((section) => section.title === 'verdict')
    const known = {
      failed: new Set(summary.map((entry) => `${entry.kind} ${entry.id}`)),
      ended,
      listed: summary.length > 0 || blocks.length > 0,
    }
    for (const section of sections) foldSection(lines, section, known, fates)
    foldBlocks(lines, blocks, summary, fates)
    if (!ended && sections.some((section) => section.title === 'test session starts'))
      draft.restate('incomplete: the output ends without a verdict of pytest', [])
    fates.write(draft)
    return 'pytest'
  },
}

function foldSection(
  lines: readonly string[],
  { title, at, to }: Section,
  known: Parameters<typeof foldProgress>[3],
  fates: Fates,
): void {
  if (title === '' || title === 'test session starts') {
    foldPythonFrames(lines, at + 1, to, fates)
    foldProgress(lines, at + 1, to, known, fates)
    if (at >= 0) fates.fold(at)
  } else if (title === 'PASSES') fates.dropRange(at, to, 'output of passing tests')
  else if (title.startsWith('warnings summary')) {
    foldWarnings(lines, at + 1, to, fates)
    fates.say(at, title)
  } else if (title === 'tests coverage') {
    for (let i = at + 1; i < to; i += 1) {
      if ((lines[i] ?? '').trim() === '') fates.fold(i)
      else if (ruledTitle(lines[i] ?? '', '_') !== null) fates.fold(i)
      else if (opensCoverageTable(lines[i] ?? '')) i = foldCoverageTable(lines, i, to, fates) - 1
    }
    fates.say(at, title)
  } else if (title !== 'verdict' && !FAILING.has(title)) fates.say(at, title)
}

/** Each failure under its id, once: the summary's line goes where its section stands, a body that stands above is named. */
function foldBlocks(
  lines: readonly string[],
  blocks: readonly Block[],
  summary: readonly SummaryLine[],
  fates: Fates,
): void {
  const lineOf = pairUp(summary)
  const seen = new Map<string, string>()
  const told = new Set<number>()
  const shown = new Set<string>()
  let last = ''
  for (const block of blocks) {
    const heading = readHeading(block.title)
    const entry = lineOf(heading)
    const id = entry?.id ?? heading.name
    const says = `${heading.kind} ${heading.phase === '' ? '' : `${heading.phase} `}`
    const body = lines.slice(block.at + 1, block.to)
    const key = body.map((line) => (line.includes('0x') ? factKey(line) : line)).join('\n')
    const same = seen.get(key)
    if (entry) told.add(entry.line)
    if (same !== undefined) {
      fates.say(block.at, `${says}${id}\n  as ${same === last ? 'above' : same}`)
      for (let i = block.at + 1; i < block.to; i += 1) fates.fold(i)
      continue
    }
    seen.set(key, id)
    last = id
    const message = entry?.message.replace(/\.\.\.$/, '').trim() ?? ''
    const isSaid = message === '' || body.some((line) => line.includes(message))
    fates.say(block.at, `${says}${id}${isSaid ? '' : ` - ${entry?.message}`}`)
    fates.group(block.at + 1, block.to)
    foldFailure(lines, block.at + 1, block.to, shown, fates)
  }
  for (const line of told) foldTold(lines, line, fates)
  foldHeading(lines, summary, told, fates)
}

/** A summary's line whose failure stands above, and with `-vv` the rest of its message. */
function foldTold(lines: readonly string[], at: number, fates: Fates): void {
  fates.fold(at)
  let end = at + 1
  while (end < lines.length && /^(?:\s|$)/.test(lines[end] ?? '')) end += 1
  for (let i = at + 1; i < end; i += 1) fates.drop(i, 'repeats of the failures above')
}

/** The summary's heading goes where nothing stays under it. */
function foldHeading(
  lines: readonly string[],
  summary: readonly SummaryLine[],
  told: ReadonlySet<number>,
  fates: Fates,
): void {
  if (summary.length === 0 || summary.length !== told.size) return
  const first = summary[0]?.line ?? 0
  const at = first - 1
  if (sectionTitle(lines[at] ?? '') === 'short test summary info') fates.fold(at)
}
