import { isStraight } from './commits.ts'

/** Trailers that say what a commit means for others stay. */
const TELLING = /^(?:BREAKING[ -]CHANGE|Fixes|Closes|Resolves|Refs|Reverts|Relates|This reverts commit)\b/i
/** Lines of a body that stay after the subject; fewer than LEAST more are not worth a marker. */
const KEPT = 2
const LEAST = 3
const INDENT = '    '

/** A line of a commit's message: git indents them by four spaces, behind the graph where there is one. */
export interface MessageLine {
  readonly graph: string
  readonly text: string
}

/** @returns null for a line of another kind, also for a blank one */
export function readMessage(line: string): MessageLine | null {
  let at = 0
  while (line[at] === '|' || line[at] === ' ') at += 1
  if (at === line.length || !line.slice(0, at).endsWith(INDENT)) return null
  // More than four spaces after the graph are the message's own.
  const graph = line.lastIndexOf('|', at - 1)
  const start = graph < 0 ? INDENT.length : graph + 2 + INDENT.length
  return start > at ? null : { graph: line.slice(0, start - INDENT.length), text: line.slice(start) }
}

/** The lines of the message between `from` and `to` (exclusive) that may go: of a long body all but its begin and its trailers. */
export function shortenMessage(lines: readonly string[], from: number, to: number): ReadonlySet<number> {
  let end = from
  while (end < to && !isStraight(lines[end] ?? '')) end += 1
  const body: number[] = []
  for (let i = end; i < to; i += 1) if (!isStraight(lines[i] ?? '')) body.push(i)
  const gone = body.slice(KEPT).filter((line) => !TELLING.test(readMessage(lines[line] ?? '')?.text ?? ''))
  return new Set(gone.length < LEAST ? [] : gone)
}
