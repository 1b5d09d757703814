import type { Draft } from '../draft.ts'

const LEVELS = ['fatal', 'error', 'warning', 'info', 'debug', 'trace'] as const
type Level = (typeof LEVELS)[number]

/** A level as loggers write it: `ERROR`, `[warn]`, `level=info`, `"level":"debug"`, near the start of the line. */
const LEVEL =
  /(?:^|[\s|[(<"=:])(fatal|critical|panic|emerg|error|err|warning|warn|notice|info|debug|trace|verbose)(?=[\s|\])>":,]|$)/i
const REACH = 200

const LEVEL_OF: Readonly<Record<string, Level>> = {
  fatal: 'fatal',
  critical: 'fatal',
  panic: 'fatal',
  emerg: 'fatal',
  error: 'error',
  err: 'error',
  warning: 'warning',
  warn: 'warning',
  notice: 'info',
  info: 'info',
  debug: 'debug',
  trace: 'trace',
  verbose: 'trace',
}

/** Counts a log's lines by level; the lines themselves go, but for the signals that the engine's check puts back. */
export function condenseToStats(lines: readonly string[], draft: Draft): void {
  const counts = new Map<Level, number>()
  let other = 0
  for (const line of lines) {
    const word = LEVEL.exec(line.slice(0, REACH))?.[1]?.toLowerCase()
    const level = word === undefined ? undefined : LEVEL_OF[word]
    if (level === undefined) other += 1
    else counts.set(level, (counts.get(level) ?? 0) + 1)
  }
  const parts = LEVELS.flatMap((level) => (counts.has(level) ? [`${counts.get(level)} ${level}`] : []))
  if (other > 0) parts.push(`${other} without a level`)
  draft.restate(`lines by level: ${parts.join(', ')}`, [])
  draft.elideRange('lines counted by level', 0, lines.length)
}
