import type { Fact } from '../signals.ts'

/**
 * The view of a family whose lines quote other texts (search hits, diffs, rows of a listing): what a quoted line says is
 * no fact of this run, whatever words it holds, and the family itself answers for it. Every other line is read.
 * @param quotes whether a line quotes
 */
export function unlessQuoted(quotes: (line: string) => boolean): (line: string) => string {
  return (line) => (quotes(line) ? '' : line)
}

/** The lines that tell a fact: among names and rows they are messages, and stand as they are. */
export function linesOfFacts(facts: ReadonlyMap<string, Fact>): ReadonlySet<number> {
  const lines = new Set<number>()
  for (const fact of facts.values()) lines.add(fact.line)
  return lines
}
