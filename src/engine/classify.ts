import { ciLog } from './ci-log.ts'
import type { Program } from './command.ts'
import { familyOf } from './families/all.ts'
import type { Family } from './family.ts'

/** The family of an output: a CI job's log by its text, whatever gave it; else that of the program, or of the text. */
export function classify(program: Program | null, lines: readonly string[]): Family | null {
  return ciLog.detect(lines) ? ciLog : familyOf(program, lines)
}
