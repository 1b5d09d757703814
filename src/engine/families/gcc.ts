import type { Family } from '../family.ts'
import { writeDiagnostics } from '../strategies/diagnostics.ts'
import { createFates } from '../strategies/fates.ts'
import { condenseUnits, endOf } from './gcc/condense.ts'
import { readGccJson, viewOfGccJson } from './gcc/json.ts'
import { isCDiagnostic, readUnits } from './gcc/unit.ts'

const SAMPLE = 300

/** gcc and clang: errors before warnings, by file; excerpts go, include chains of errors stay. */
export const gcc: Family = {
  name: 'gcc',
  commands: ['gcc', 'g++', 'cc', 'c++', 'clang', 'clang++'],
  decides: false,
  detect: (lines) =>
    lines.slice(0, SAMPLE).some(isCDiagnostic) || lines.slice(-SAMPLE).some(isCDiagnostic) || isJson(lines),
  condense({ lines }, draft) {
    if (isJson(lines)) {
      lines.forEach((line, i) => {
        const read = readGccJson(line)
        if (read === null) {
          draft.keep(i)
          return
        }
        draft.restate(`${read.length} diagnostics`, [i])
        writeDiagnostics(
          [...read.filter(({ error }) => error), ...read.filter(({ error }) => !error)].map(({ finding }) => ({
            ...finding,
            lines: [],
          })),
          draft,
        )
      })
      return 'gcc-json'
    }
    const units = readUnits(lines)
    if (units.length === 0) return null
    const fates = createFates(lines)
    condenseUnits(units, lines, fates)
    fates.group(0, endOf(units))
    fates.write(draft)
    return 'gcc'
  },
  view: viewOfGccJson,
}

const isJson = (lines: readonly string[]): boolean => lines.slice(0, 20).some((line) => readGccJson(line) !== null)
