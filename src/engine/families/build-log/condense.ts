import type { Draft } from '../../draft.ts'
import { createFates, type Fates } from '../../strategies/fates.ts'
import { condenseUnits } from '../gcc/condense.ts'
import { readUnits, type Unit } from '../gcc/unit.ts'
import { type BuildLine, foldObjects, kindOf } from './lines.ts'

/** The output of a failing target stays whole up to this many lines; beyond it, its diagnostics are grouped. */
const WHOLE = 60
/** So many commands at the end of a log without a failure are kept: how far it came, and what was linked. */
const LAST = 2

/** Marks under a line of code, which say no more than the column. */
const UNDERLINE = /^ *\|[\s^~]*$/

const WHAT: Partial<Record<BuildLine, string>> = {
  command: 'build commands',
  step: 'build steps',
  chore: 'build steps',
  check: 'checks',
  leaving: 'directory changes',
}

/**
 * Condenses the log of make, ninja or cmake: commands and steps go, counted; the failing target and its output stay
 * whole, as does every line that is not known; diagnostics of other targets are grouped by file.
 * @returns whether the text is such a log
 */
export function condenseBuildLog(lines: readonly string[], draft: Draft): boolean {
  const kinds = lines.map(kindOf)
  const units = readUnits(lines)
  if (units.length === 0 && kinds.every((kind) => kind === 'other')) return false
  const fates = createFates(lines)
  const failing = failingLines(lines, kinds)
  let commands = failing.includes(1) ? LAST : 0
  for (let i = lines.length - 1; i >= 0; i -= 1) {
    const kind = kinds[i] ?? 'other'
    const what = WHAT[kind]
    if (failing[i] === 1) {
      if (UNDERLINE.test(lines[i] ?? '')) fates.fold(i)
      continue
    }
    if (kind === 'other') {
      if (lines[i] === '') fates.fold(i)
    } else if (kind === 'command' || kind === 'step') {
      commands += 1
      if (commands <= LAST) fates.say(i, foldObjects(lines[i] ?? ''))
      else if (what !== undefined) fates.drop(i, what)
    } else if (what !== undefined && i < lines.length - 1) fates.drop(i, what)
  }
  dropDirectories(kinds, units, fates)
  condenseUnits(
    units.filter((unit) => !isWithin(unit, failing)),
    lines,
    fates,
  )
  groupGaps(kinds, failing, lines.length, fates)
  fates.write(draft)
  return true
}

const isWithin = (unit: Unit, failing: Uint8Array): boolean => failing[unit.line] === 1

/** 1 for each line of a failing target: its command, its output, and the line that says that it failed. */
function failingLines(lines: readonly string[], kinds: readonly BuildLine[]): Uint8Array {
  const failing = new Uint8Array(lines.length)
  let start = 0
  for (let i = 0; i < lines.length; i += 1) {
    const kind = kinds[i]
    if (kind === 'recipe-failed') {
      if (i - start <= WHOLE) failing.fill(1, start, i + 1)
      start = i + 1
    } else if (kind === 'ninja-failed') {
      let end = i + 1
      // The command follows, then its output up to the next step.
      while (end < lines.length && (kinds[end] === 'other' || (kinds[end] === 'command' && end === i + 1))) end += 1
      if (end - i <= WHOLE) failing.fill(1, i, end)
      else failing.fill(1, i, i + 2)
      start = end
      i = end - 1
    } else if (kind === 'command' || kind === 'step') start = i
    else if (kind !== 'other') start = i + 1
  }
  return failing
}

/** A folder that was entered stays named where something failed before it was left. */
function dropDirectories(kinds: readonly BuildLine[], units: readonly Unit[], fates: Fates): void {
  const errors = new Set(units.filter((unit) => unit.severity === 'error').map((unit) => unit.line))
  const open: number[] = []
  const named: number[] = []
  /** So many of the open ones are named already. */
  let told = 0
  kinds.forEach((kind, i) => {
    if (kind === 'entering') {
      open.push(i)
      fates.drop(i, 'directory changes')
    } else if (kind === 'leaving') {
      open.pop()
      told = Math.min(told, open.length)
    } else if (kind === 'recipe-failed' || kind === 'failed' || kind === 'ninja-failed' || errors.has(i))
      while (told < open.length) {
        named.push(open[told] ?? 0)
        told += 1
      }
  })
  for (const at of named) fates.keep(at)
}

/** What goes between two failures goes in one gap. */
function groupGaps(kinds: readonly BuildLine[], failing: Uint8Array, count: number, fates: Fates): void {
  let from = 0
  for (let i = 0; i <= count; i += 1) {
    if (i < count && failing[i] === 0 && kinds[i] !== 'failed') continue
    if (i - from > 1) fates.group(from, i)
    from = i + 1
  }
}
