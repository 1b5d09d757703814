import type { Draft } from '../draft.ts'
import { partAcrossFiles, pathAndPlace } from './across-files.ts'

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
 * Writes findings grouped by file, the path once: `src/a.ts` and, under it, ` 12:3 error …`. Findings of one file with
 * the same text share a line, every place kept: ` 12:3 14:9 error …`. A text that many files share stands first, once,
 * behind all its places: `a.go:12:3, b.go:4:5: …`. Otherwise order is that of first occurrence.
 */
export function writeDiagnostics(findings: readonly Diagnostic[], draft: Draft): void {
  const { shared, rest } = partAcrossFiles(findings)
  for (const group of shared) {
    for (const part of byWidth(group.findings, pathAndPlace)) {
      draft.restate(
        `${part.map(pathAndPlace).join(', ')}: ${group.text}`,
        part.flatMap((finding) => finding.lines),
      )
    }
  }
  writeByFile(rest, draft)
}

function writeByFile(findings: readonly Diagnostic[], draft: Draft): void {
  const files = new Map<string, Map<string, Diagnostic[]>>()
  for (const finding of findings) {
    let texts = files.get(finding.path)
    if (!texts) {
      texts = new Map()
      files.set(finding.path, texts)
    }
    const key = [finding.scope ?? '', finding.text, ...(finding.notes ?? [])].join('\n')
    const same = texts.get(key)
    if (same) same.push(finding)
    else texts.set(key, [finding])
  }
  for (const [path, texts] of files) {
    if (path !== '') draft.restate(path, [])
    for (const group of texts.values()) {
      for (const part of byWidth(group, (finding) => finding.place)) {
        const first = part[0]
        if (!first) continue
        const head = [placesOf(part), first.text].filter((word) => word !== '').join(' ')
        const below = [...(first.notes ?? []), ...part.flatMap((finding) => finding.advice ?? [])]
        const text = [` ${head}`, ...below.map(indented)].join('\n')
        draft.restate(
          text,
          part.flatMap((finding) => finding.lines),
        )
      }
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
