import type { Diagnostic } from '../../strategies/diagnostics.ts'
import { diagnosticsText } from '../../strategies/diagnostics-text.ts'
import type { Fates } from '../../strategies/fates.ts'
import { type KnownLine, whatOf } from '../../strategies/known-lines.ts'
import { type RustBlock, readBlock } from './block.ts'
import { readMessage } from './json.ts'
import { writeBlocks } from './write.ts'

/** Lines that cargo itself writes while it works; verbs are aligned to the right. */
const CARGO_LINES: readonly KnownLine[] = [
  [
    /^ {0,9}(?:Compiling|Checking|Fresh|Dirty|Documenting|Building|Packaging|Scraping) \S|^ {0,9}Running `/,
    'crates built',
  ],
  [
    /^ {0,9}(?:Downloading|Downloaded|Updating|Locking|Adding|Removing|Upgrading|Downgrading|Fetching|Cloning|Unpacking|Syncing) \S|^ {0,9}Blocking waiting for file lock/,
    'dependencies',
  ],
  [
    /^For more information about (?:this|an) error, try `rustc --explain|^Some errors have detailed explanations: /,
    'hints',
  ],
]
const COMPILING = /^ {0,9}(?:Compiling|Checking) \S/
/** How cargo ends a build, where the line is no diagnostic of rustc's. */
const ENDS = /^error\b|^ {0,9}Finished |^\{"reason":"build-finished"/
const SHORT = /^([^\s:]{1,4000}\.rs):(\d+:\d+): ((?:error(?:\[E\d{4}\])?|warning): .*)$/

/** What was read of cargo's and rustc's lines; all else is the family's to decide. */
export interface RustReading {
  readonly diagnostics: number
  /** 1 for each line whose fate is decided. */
  readonly read: Uint8Array
  /** False where crates were being built and cargo never says how that went. */
  readonly built: boolean
}

/**
 * Decides the fates of cargo's progress lines and of rustc's diagnostics (human, short and JSON form), wherever they
 * stand: the diagnostics stand where the first one stood, errors before warnings.
 */
export function condenseRust(lines: readonly string[], fates: Fates): RustReading {
  const read = new Uint8Array(lines.length)
  const blocks: RustBlock[] = []
  const errors: Diagnostic[] = []
  const warnings: Diagnostic[] = []
  let first = -1
  let last = -1
  for (let i = 0; i < lines.length; i += 1) {
    const line = lines[i] ?? ''
    const block = readBlock(lines, i)
    if (block) {
      blocks.push(block)
      if (first < 0) first = i
      read.fill(1, i, block.to)
      last = block.to
      i = block.to - 1
      continue
    }
    const what = whatOf(line, CARGO_LINES)
    if (what !== null) {
      fates.drop(i, what)
      read[i] = 1
      continue
    }
    const finding = findingOf(line, i)
    if (finding === null) continue
    if (finding === 'artifact') fates.drop(i, 'build artifacts')
    else {
      ;(finding.error ? errors : warnings).push(finding.diagnostic)
      if (first < 0) first = i
      last = i + 1
    }
    read[i] = 1
  }
  const built = !lines.some((line) => COMPILING.test(line)) || lines.some((line, i) => read[i] === 0 && ENDS.test(line))
  if (first < 0) return { diagnostics: 0, read, built }

  const written = writeBlocks(blocks, lines)
  const texts = [...diagnosticsText(errors), ...diagnosticsText(warnings), ...written.map((entry) => entry.text)]
  for (const entry of written) {
    for (const { line, what } of entry.dropped) fates.drop(line, what)
  }
  const told = [...errors, ...warnings, ...written].flatMap((entry) => entry.lines)
  fates.say(first, texts.join('\n'), told)
  fates.group(first, last)
  return { diagnostics: blocks.length + errors.length + warnings.length, read, built }
}

function findingOf(line: string, at: number): { error: boolean; diagnostic: Diagnostic } | 'artifact' | null {
  const message = readMessage(line)
  if (message?.kind === 'artifact') return 'artifact'
  if (message?.kind === 'diagnostic') return { error: message.error, diagnostic: { ...message.finding, lines: [at] } }
  const short = SHORT.exec(line)
  if (!short) return null
  const [, path = '', place = '', text = ''] = short
  return { error: text.startsWith('error'), diagnostic: { path, place, text, lines: [at] } }
}

/** What a line of JSON says in rustc's short form; any other line itself. */
export function viewOfMessage(line: string): string {
  const message = readMessage(line)
  if (message === null || message.kind === 'finished') return line
  if (message.kind === 'artifact') return ''
  const { path, place, text } = message.finding
  return path === '' ? text : `${path}:${place}: ${text}`
}
