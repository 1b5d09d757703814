import type { Draft } from '../draft.ts'
import { type Diagnostic, writeDiagnostics } from './diagnostics.ts'
import { type PrintedJson, readJson } from './json-report.ts'

/** What a line of JSON says, one finding a line: what the check for lost signals reads. */
export function viewOfJson(line: string, read: (value: unknown) => readonly Diagnostic[]): string {
  const json = readJson(line)
  return json === null ? line : linesOfFindings(read(json.value))
}

/** Findings as a compiler would print them, one a line. */
export function linesOfFindings(findings: readonly Diagnostic[]): string {
  return findings
    .map((finding) => {
      const text = [finding.text, ...(finding.notes ?? [])].join('\n')
      return finding.path === '' ? text : `${finding.path}:${finding.place === '' ? '' : `${finding.place}:`} ${text}`
    })
    .join('\n')
}

/**
 * Writes findings read from JSON in the place of its lines; other lines stand as they are.
 * @param heading counts, and what is left out; JSON that is cut off gets none, since what it counts is not all
 */
export function writeJsonFindings(
  lines: readonly string[],
  json: PrintedJson,
  heading: string,
  findings: readonly Diagnostic[],
  draft: Draft,
): void {
  draft.keepRange(0, json.from)
  const restated: number[] = []
  for (let i = json.from; i < json.to; i += 1) restated.push(i)
  const cut = `incomplete: the JSON is cut off; what could be read of it (findings: ${findings.length}):`
  draft.restate(json.complete ? heading : cut, restated)
  writeDiagnostics(findings, draft)
  draft.keepRange(json.to, lines.length)
}

/** `no-var 403, eqeqeq 7`: how often each name occurs, the most frequent first, then by first occurrence. */
export function countsOf(names: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .map(([name, count]) => `${name} ${count}`)
    .join(', ')
}
