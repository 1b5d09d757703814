import type { Draft } from '../draft.ts'
import { factsOf } from '../signals.ts'
import { numberlessOf } from '../text/normal.ts'

/** A kind of line that is known to say nothing: the pattern, and what the marker calls such lines. */
export type KnownLine = readonly [pattern: RegExp, what: string]

/** Runs of at least this many lines that differ in numbers alone are folded. */
const ALIKE = 8

/** What a line of a known kind is called in its marker; null for every other line. */
export function whatOf(line: string, known: readonly KnownLine[]): string | null {
  for (const [pattern, what] of known) if (pattern.test(line)) return what
  return null
}

/** Lines `from` to `to` (exclusive): those of a known kind go, all others stay. */
export function elideKnown(
  lines: readonly string[],
  from: number,
  to: number,
  known: readonly KnownLine[],
  draft: Draft,
): void {
  for (let i = from; i < to; i += 1) {
    const what = whatOf(lines[i] ?? '', known)
    if (what === null) draft.keep(i)
    else draft.elide(what, [i])
  }
}

/**
 * Lines in order, of which the middle of each long run of alike lines (a progress counter, one line a file) goes; its
 * first and last stay, and so does every line with a fact.
 * @param at the input line of each text, in reading order
 */
export function foldAlike(texts: readonly string[], at: readonly number[], draft: Draft): void {
  const facts = new Set<number>()
  for (const fact of factsOf(texts).values()) facts.add(fact.line)
  const templates = texts.map(numberlessOf)
  for (let i = 0; i < texts.length; ) {
    let end = i + 1
    while (end < texts.length && templates[end] === templates[i] && !facts.has(end)) end += 1
    const folds = end - i >= ALIKE && templates[i] !== ''
    for (let k = i; k < end; k += 1) {
      const line = at[k] ?? -1
      if (folds && k > i && k < end - 1) draft.elide('lines like those around', [line])
      else draft.keep(line)
    }
    i = end
  }
}
