import type { Diagnostic } from '../../strategies/diagnostics.ts'
import { FROM, INCLUDED, isSystem, type Remark, type Unit } from './unit.ts'

/** A unit as a finding, and the lines of it that go. */
export interface GccFinding extends Diagnostic {
  readonly error: boolean
  readonly dropped: readonly { readonly line: number; readonly what: string }[]
}

/** Overloads that were tried: as many as the library has. */
const CANDIDATE =
  /^(?:\s*candidate|\s*template argument deduction|\s*substitution of deduced|explicit constructor is not a candidate)|is not derived from|mismatched types|expects? \d+ arguments?|cannot convert/
const LONG_CODE = 160
/** Notes in the library that an error in the user's own file keeps. */
const LIBRARY_NOTES = 2

/**
 * An error keeps its include chain, the user's own places on the way there, a line of code and its notes; a warning
 * its notes. Excerpts go, and notes inside the library.
 */
export function findingOf(unit: Unit, lines: readonly string[]): GccFinding {
  const error = unit.severity === 'error'
  const notes: string[] = []
  const kept: number[] = [unit.line]
  const dropped: { line: number; what: string }[] = []
  const drop = (line: number, what: string): void => {
    dropped.push({ line, what })
  }
  const addContext = (remark: Remark): void => {
    const chain: string[] = []
    for (const at of remark.context) {
      const line = lines[at] ?? ''
      const from = INCLUDED.exec(line)?.[1] ?? FROM.exec(line)?.[1]
      if (!error) {
        drop(at, 'scopes and include chains of warnings')
        continue
      }
      if (from !== undefined) chain.push(from)
      else if (isSystem(line)) {
        drop(at, 'steps inside the library')
        continue
      } else notes.push(line.startsWith(`${unit.path}: `) ? line.slice(unit.path.length + 2) : line)
      kept.push(at)
    }
    if (chain.length > 0) notes.push(`included from ${chain.join(', ')}`)
  }

  addContext(unit)
  if (error && unit.code !== '' && !isSystem(unit.path) && unit.code.length <= LONG_CODE) {
    notes.push(`| ${unit.code}`)
    kept.push(...unit.excerpt.slice(0, 1))
    for (const at of unit.excerpt.slice(1)) drop(at, 'source excerpts')
  } else for (const at of unit.excerpt) drop(at, 'source excerpts')

  let library = 0
  for (const note of unit.notes) {
    addContext(note)
    for (const at of note.excerpt) drop(at, 'source excerpts')
    const inLibrary = isSystem(note.path)
    if (inLibrary) library += 1
    if (inLibrary && (library > LIBRARY_NOTES || isSystem(unit.path) || CANDIDATE.test(note.text))) {
      drop(note.line, 'notes inside the library')
      continue
    }
    kept.push(note.line)
    const where =
      note.path === unit.path ? (note.place === unit.place ? '' : `${note.place} `) : `${note.path}:${note.place} `
    notes.push(`${where}note: ${note.text.trim()}`)
  }
  const text = `${unit.severity}: ${unit.text}`
  return {
    path: unit.path,
    place: unit.place,
    text: unit.text === '' ? unit.severity : text,
    notes,
    lines: kept,
    error,
    dropped,
  }
}
