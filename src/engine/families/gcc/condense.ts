import { diagnosticsText } from '../../strategies/diagnostics-text.ts'
import type { Fates } from '../../strategies/fates.ts'
import { findingOf, type GccFinding } from './findings.ts'
import type { Unit } from './unit.ts'

/**
 * Decides the fates of these diagnostics' lines: grouped by file where the first of them stood, errors before warnings.
 * All other lines are the family's to decide.
 */
export function condenseUnits(units: readonly Unit[], lines: readonly string[], fates: Fates): void {
  const findings = units.map((unit) => findingOf(unit, lines))
  const first = firstLine(units)
  if (first < 0) return
  for (const finding of findings) {
    for (const { line, what } of finding.dropped) fates.drop(line, what)
  }
  const isError = (finding: GccFinding): boolean => finding.error
  const errors = diagnosticsText(findings.filter(isError))
  const warnings = diagnosticsText(findings.filter((finding) => !finding.error))
  fates.say(
    first,
    [...errors, ...warnings].join('\n'),
    findings.flatMap((finding) => finding.lines),
  )
}

function firstLine(units: readonly Unit[]): number {
  const unit = units[0]
  return unit === undefined ? -1 : Math.min(unit.line, ...unit.context)
}

/** The line after all of these diagnostics' lines. */
export function endOf(units: readonly Unit[]): number {
  const last = units.at(-1)
  if (last === undefined) return 0
  const remark = last.notes.at(-1) ?? last
  return (remark.excerpt.at(-1) ?? remark.line) + 1
}
