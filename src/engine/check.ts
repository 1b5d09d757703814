import type { Entry } from './draft.ts'
import { rankSignals } from './rank.ts'
import { type Fact, factsOf } from './signals.ts'
import { printedJson } from './strategies/json-report.ts'
import { cutLineWithFacts } from './strategies/long-line.ts'
import { estimateTokens } from './text/tokens.ts'

/** Where put-back lines do not fit the budget, those of more units are cut. */
const LONG_LINE = 1000

/** What a check found missing, and the entries with it put back. */
export interface Checked {
  readonly entries: readonly Entry[]
  /** Facts put back, and facts left out since the budget was spent (said in the gaps' markers). */
  readonly restored: number
  readonly overBudget: number
}

/** The text of an output's entries, one string a line; a gap stands as an empty line. */
function linesOf(entries: readonly Entry[], show: (line: number) => string): string[] {
  const lines: string[] = []
  for (const entry of entries) {
    if (entry.kind === 'keep') lines.push(show(entry.line))
    else if (entry.kind === 'elide') lines.push('')
    else for (const line of entry.text.split('\n')) lines.push(line)
  }
  return lines
}

/** The facts of an input, and the texts that they were read from. */
export interface InputFacts {
  readonly facts: ReadonlyMap<string, Fact>
  /** One text a line, or more where an encoded line (NDJSON) holds several. */
  readonly texts: readonly string[]
  /** For each text the input line that it is of; null where text i is of line i. */
  readonly owner: readonly number[] | null
  /** Whether some text is not the line itself. */
  readonly encoded: boolean
}

/**
 * Reads the input's facts.
 * @param view the text that an encoded line holds (may have several lines)
 * @param viewed what the view gives for each line, where that is known
 * @param viewJson the same for JSON printed over several lines: what it says is its first line's
 * @param silent 1 for each line that is known to hold none
 */
export function readFacts(
  lines: readonly string[],
  view?: (line: string) => string,
  viewJson?: (value: unknown) => string,
  silent: Uint8Array | null = null,
  viewed?: readonly string[],
): InputFacts {
  if (!view && !silent) return { facts: factsOf(lines), texts: lines, owner: null, encoded: false }
  const encoded = view !== undefined
  const show = (line: string, i: number): string => viewed?.[i] ?? (view ? view(line) : line)
  const texts = lines.map((line, i) => (silent?.[i] === 1 ? '' : show(line, i)))
  for (const [from, { to, value }] of viewJson ? printedJson(lines) : []) {
    texts.fill('', from, to)
    texts[from] = viewJson?.(value) ?? ''
  }
  if (texts.some((text) => text.includes('\n'))) return readSplit(texts)
  return { facts: factsOf(texts), texts, owner: null, encoded }
}

/** Of texts with line feeds in them each line is a text. */
function readSplit(texts: readonly string[]): InputFacts {
  const split: string[] = []
  const owner: number[] = []
  for (const [i, text] of texts.entries()) {
    for (const part of text.split('\n')) {
      split.push(part)
      owner.push(i)
    }
  }
  return { facts: factsOf(split), texts: split, owner, encoded: true }
}

/**
 * Finds the facts of the input that the condensed entries no longer hold, and puts each back as its line.
 * @param show an input line as it is shown
 * @param budget estimated tokens that put-back lines may cost; beyond it the more telling go first
 */
export function checkSignals(
  entries: readonly Entry[],
  show: (line: number) => string,
  input: () => InputFacts,
  budget: number,
): Checked {
  if (!entries.some((entry) => entry.kind !== 'keep')) return { entries, restored: 0, overBudget: 0 }
  const { facts, texts, owner, encoded } = input()
  if (facts.size === 0) return { entries, restored: 0, overBudget: 0 }
  const outputFacts = factsOf(linesOf(entries, show))
  const missing: Fact[] = []
  for (const [key, fact] of facts) if (!outputFacts.has(key)) missing.push(fact)
  if (missing.length === 0) return { entries, restored: 0, overBudget: 0 }

  const cuts = new Map<number, string>()
  const back = withinBudget(missing, texts, budget, cuts)
  const restore = new Map<number, string[]>()
  for (const fact of back) {
    for (const at of fact.header >= 0 ? [fact.header, fact.line] : [fact.line]) {
      const line = owner === null ? at : (owner[at] ?? 0)
      const parts = restore.get(line)
      const text = cuts.get(at) ?? texts[at] ?? ''
      if (!parts) restore.set(line, [text])
      else if (!parts.includes(text)) parts.push(text)
    }
  }
  const over = missing.length - back.length
  return {
    entries: putBack(entries, restore, show, (line) => encoded || cuts.has(line), over),
    restored: back.length,
    overBudget: over,
  }
}

/**
 * All of the facts where they fit the budget; else as many as fit, the more telling first, overlong lines cut.
 * @param cuts gets what stands in the place of each line that is cut
 */
function withinBudget(
  missing: readonly Fact[],
  lines: readonly string[],
  budget: number,
  cuts: Map<number, string>,
): readonly Fact[] {
  const perLine = new Set(missing.map((fact) => fact.line))
  let cost = 0
  for (const line of perLine) cost += estimateTokens(lines[line] ?? '') + 1
  if (cost <= budget) return missing
  const chosen = new Set<number>()
  let left = budget
  for (const { line } of rankSignals(missing)) {
    const text = lines[line] ?? ''
    const cut = text.length > LONG_LINE && left > 0 ? cutLineWithFacts(text) : null
    const price = estimateTokens(cut ?? text) + 1
    if (price > left) continue
    left -= price
    chosen.add(line)
    if (cut !== null) cuts.set(line, cut)
  }
  return missing.filter((fact) => chosen.has(fact.line))
}

/** What goes on below a line above it: ` 12:3 message` under the name of a file. */
const BELOW = /^[ \t]/

/** Gives the lines in `restore` the fate kept, where they were elided or restated. */
function putBack(
  entries: readonly Entry[],
  restore: ReadonlyMap<number, readonly string[]>,
  show: (line: number) => string,
  isRestated: (line: number) => boolean,
  overBudget: number,
): Entry[] {
  const result: Entry[] = []
  // What came out of the middle of findings stands behind them: it must not part them from their file's name.
  let behind: Entry[] = []
  const isBack = flagsOf(restore.keys())
  const shown = (line: number): Entry =>
    isRestated(line)
      ? { kind: 'restate', text: (restore.get(line) ?? []).join('\n'), lines: [line] }
      : { kind: 'keep', line }
  for (const entry of entries) {
    if (behind.length > 0 && !(entry.kind === 'restate' && BELOW.test(entry.text))) {
      result.push(...behind)
      behind = []
    }
    if (entry.kind === 'keep') {
      result.push(entry)
    } else if (entry.kind === 'restate') {
      const back = entry.lines.filter((line) => isBack[line] === 1)
      if (back.length === 0) result.push(entry)
      else {
        result.push({ ...entry, lines: entry.lines.filter((line) => isBack[line] !== 1) })
        for (const line of back) behind.push(shown(line))
      }
    } else {
      const { what } = entry
      let run: number[] = []
      for (const line of entry.lines) {
        if (isBack[line] !== 1) {
          run.push(line)
          continue
        }
        if (run.length > 0) result.push({ kind: 'elide', what, lines: run })
        run = []
        result.push(shown(line))
      }
      if (run.length > 0) result.push({ kind: 'elide', what, lines: run })
    }
  }
  result.push(...behind)
  return overBudget > 0 ? sayMore(result, show, overBudget) : result
}

/** 1 for each of these lines: quicker to ask than a map, for outputs of many lines. */
function flagsOf(lines: Iterable<number>): Uint8Array {
  const all = [...lines]
  const flags = new Uint8Array(all.reduce((most, line) => Math.max(most, line), -1) + 1)
  for (const line of all) flags[line] = 1
  return flags
}

/** Says in the marker of the gap that spares most how many signals did not fit: no other gap is less likely to stay open. */
function sayMore(entries: readonly Entry[], show: (line: number) => string, signals: number): Entry[] {
  let widest = -1
  let most = -1
  entries.forEach((entry, i) => {
    if (entry.kind !== 'elide') return
    let chars = 0
    for (const line of entry.lines) chars += show(line).length + 1
    if (chars <= most) return
    widest = i
    most = chars
  })
  return entries.map((entry, i) =>
    i === widest && entry.kind === 'elide' ? { ...entry, what: `${entry.what}, with ${signals} more signals` } : entry,
  )
}
