import type { Draft } from '../draft.ts'
import { groupBy } from './table.ts'
import { partByValues } from './value-groups.ts'

/** One finding of a compiler or linter. */
export interface Diagnostic {
  readonly path: string
  /** As the tool writes it behind the path: `12:3`, `(12,3)`, `12`; empty for a finding on a whole file. */
  readonly place: string
  /** Everything after the place on one line, as it is to be read: `error TS2322: …`, `warning … no-var`. */
  readonly text: string
  /** Further lines that stay: notes, have and want, related places. */
  readonly notes?: readonly string[]
  /** Lines that help rather than tell: they stand below, but two findings that differ in them alone are still merged. */
  readonly advice?: readonly string[]
  /** What it stands in (a function, a class), where the tool says so on a line before: findings of two are not merged. */
  readonly scope?: string
  /** Input lines that it restates. */
  readonly lines: readonly number[]
}

/** Places on one line take at most this many characters, so that the message behind them is still read as theirs. */
const PLACES_WIDTH = 1200

/**
 * Writes findings, errors before warnings. Those with like messages stand in tables, the message once, where that is
 * shorter; the others by file, the path once: `src/a.ts` and, under it, ` 12:3 error …`. Findings of one file with the
 * same text share a line, every place kept: ` 12:3 14:9 error …`. Otherwise order is that of first occurrence.
 */
export function writeDiagnostics(findings: readonly Diagnostic[], draft: Draft): void {
  draft.expect?.(numbersIn(findings))
  const { tables, rest } = partByValues(findings)
  const told = ({ findings: of, text }: (typeof tables)[number]): void =>
    draft.restate(
      text,
      of.flatMap((finding) => finding.lines),
    )
  const isMinor = (finding: Diagnostic | undefined): boolean => MINOR.test(finding?.text ?? '')
  for (const table of tables) if (!isMinor(table.findings[0])) told(table)
  const files = groupBy(rest, (finding) => finding.path)
  const withError = new Set(rest.filter((finding) => !isMinor(finding)).map((finding) => finding.path))
  const order = [...files].sort((a, b) => Number(withError.has(b[0])) - Number(withError.has(a[0])))
  for (const [path, group] of order) {
    const errors = group.filter((finding) => !isMinor(finding))
    writeFile(path, [...errors, ...group.filter(isMinor)], draft)
  }
  for (const table of tables) if (isMinor(table.findings[0])) told(table)
}

/** However findings are grouped, each place is written, and each number in it is a token at least. */
function numbersIn(findings: readonly Diagnostic[]): number {
  let numbers = 0
  for (const { place } of findings) numbers += place.match(/\d+/g)?.length ?? 0
  return numbers
}

/** Warnings, by word or by pylint's class of code. Notes are none: they may introduce the errors below them. */
const MINOR = /^(?:[Ww]arning|WARNING|[Ii]nformation|[Rr]emark)\b|^[WCRI]\d{4}: /

function writeFile(path: string, findings: readonly Diagnostic[], draft: Draft): void {
  if (path !== '') draft.restate(path, [])
  const same = groupBy(findings, ({ scope, text, notes }) => [scope ?? '', text, ...(notes ?? [])].join('\n'))
  for (const group of same.values()) {
    for (const part of byWidth(group, (finding) => finding.place)) {
      const first = part[0]
      if (!first) continue
      const head = [placesOf(part), first.text].filter((word) => word !== '').join(' ')
      const below = [...(first.notes ?? []), ...part.flatMap((finding) => finding.advice ?? [])]
      draft.restate(
        [` ${head}`, ...below.map(indented)].join('\n'),
        part.flatMap((finding) => finding.lines),
      )
    }
  }
}

/** Bare line numbers need the comma, that a message which starts with a number is not read as one of them. */
function placesOf(group: readonly Diagnostic[]): string {
  const places = group.map((finding) => finding.place).filter((place) => place !== '')
  return places.join(places.every((place) => /\D/.test(place)) ? ' ' : ', ')
}

/** A tab is indent enough. */
const indented = (note: string): string => (note.startsWith('\t') ? note : `  ${note.trim()}`)

function byWidth(group: readonly Diagnostic[], show: (finding: Diagnostic) => string): Diagnostic[][] {
  const parts: Diagnostic[][] = []
  let width = PLACES_WIDTH
  for (const finding of group) {
    const own = show(finding).length + 2
    width += own
    const last = parts.at(-1)
    if (last && width <= PLACES_WIDTH) last.push(finding)
    else {
      parts.push([finding])
      width = own
    }
  }
  return parts
}
