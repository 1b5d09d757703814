import type { Draft } from '../../draft.ts'
import type { Diagnostic } from '../../strategies/diagnostics.ts'
import { readPlaceLine } from '../../strategies/place-line.ts'
import { createReport } from '../../strategies/report.ts'

/** Context that `go vet -c` prints: a number, a tab, the line. */
const CONTEXT = /^\d{1,9}\t/

/**
 * Condenses what the compiler and vet print: `a.go:3:5: message`, below it what it has and wants, indented.
 * @param told what each line says: the line itself, or the output in an event; null for an event without words
 * @returns whether there was any message
 */
export function condenseMessages(lines: readonly string[], told: readonly (string | null)[], draft: Draft): boolean {
  const report = createReport(draft)
  for (let i = 0; i < lines.length; ) {
    const text = told[i] ?? null
    const read = readPlaceLine(text ?? '')
    if (!read?.path.endsWith('.go')) {
      if (text === null) report.elide('build events', i)
      else if (text === lines[i]) report.keep(i)
      else report.say(text, [i])
      i += 1
      continue
    }
    const notes: string[] = []
    const restated = [i]
    const context: number[] = []
    for (i += 1; i < lines.length; i += 1) {
      const line = told[i] ?? ''
      if (CONTEXT.test(line)) context.push(i)
      else if (/^\s+\S/.test(line)) {
        notes.push(line)
        restated.push(i)
      } else break
    }
    const finding: Diagnostic = { ...read, notes, lines: restated }
    report.finding(finding)
    for (const line of context) report.elide('source excerpts', line)
  }
  return report.end() > 0
}
