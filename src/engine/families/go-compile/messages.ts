import type { Draft } from '../../draft.ts'
import type { Diagnostic } from '../../strategies/diagnostics.ts'
import { readPlaceLine } from '../../strategies/place-line.ts'
import { createReport } from '../../strategies/report.ts'

/** Context that `go vet -c` prints: a number, a tab, the line. */
const CONTEXT = /^\d{1,9}\t/

/**
 * Condenses what the compiler and vet print: `a.go:3:5: message`, below it what it has and wants, indented.
 * @param wordless lines that say nothing of their own
 * @returns whether there was any message
 */
export function condenseMessages(lines: readonly string[], wordless: readonly boolean[], draft: Draft): boolean {
  const report = createReport(draft)
  for (let i = 0; i < lines.length; ) {
    const read = readPlaceLine(lines[i] ?? '')
    if (!read?.path.endsWith('.go')) {
      if (wordless[i]) report.elide('build events', i)
      else report.keep(i)
      i += 1
      continue
    }
    const notes: string[] = []
    const restated = [i]
    const context: number[] = []
    for (i += 1; i < lines.length; i += 1) {
      const line = lines[i] ?? ''
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
