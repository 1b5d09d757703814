import type { Entry } from './draft.ts'
import type { LineFates } from './filter.ts'
import { gapMarker } from './marker.ts'
import { estimateTokens, JOIN_BOUND } from './text/tokens.ts'

export interface Rendered {
  readonly body: string
  readonly lines: LineFates
}

/** A gap of so many lines or fewer is kept where its marker costs more. */
const SHORT_GAP = 3

interface Gap {
  readonly whats: Set<string>
  /** Its first lines: all of them where it is short. */
  readonly first: number[]
  count: number
}

/**
 * Writes entries as text, a marker at each gap, and counts the lines' fates.
 * Gaps that stand together share a marker; a gap that costs no more than its marker is kept instead.
 * @param show an input line as it is shown
 * @param redrawn whether that line's earlier states were overwritten: it counts as elided, its last state is shown
 */
export function renderEntries(
  entries: readonly Entry[],
  count: number,
  show: (line: number) => string,
  redrawn: (line: number) => boolean,
): Rendered {
  const text: string[] = []
  let kept = 0
  let restated = 0
  let elided = 0
  let gap: Gap | null = null
  let states: number[] = []

  const flushStates = (): void => {
    if (states.length === 0) return
    elided += states.length
    text.push(gapMarker(states.length, 'redrawn terminal lines, last state:'))
    for (const line of states) text.push(show(line))
    states = []
  }
  const keep = (line: number): void => {
    if (redrawn(line)) {
      states.push(line)
      return
    }
    flushStates()
    kept += 1
    text.push(show(line))
  }
  const flushGap = (): void => {
    if (!gap) return
    const { whats, first, count } = gap
    gap = null
    const marker = gapMarker(count, [...whats].join(', '))
    if (count <= SHORT_GAP && costOf(first, show) <= estimateTokens(marker)) {
      for (const line of first) keep(line)
      return
    }
    flushStates()
    elided += count
    text.push(marker)
  }

  for (const entry of entries) {
    if (entry.kind === 'elide') {
      if (entry.lines.length === 0) continue
      gap ??= { whats: new Set(), first: [], count: 0 }
      gap.whats.add(entry.what)
      if (gap.count < SHORT_GAP) for (const line of entry.lines.slice(0, SHORT_GAP)) gap.first.push(line)
      gap.count += entry.lines.length
      continue
    }
    flushGap()
    if (entry.kind === 'keep') keep(entry.line)
    else {
      flushStates()
      restated += entry.lines.length
      text.push(entry.text)
    }
  }
  flushGap()
  flushStates()
  return { body: text.join('\n'), lines: { in: count, kept, restated, elided } }
}

/** Lines of one run that are measured together. */
const RUN_LINES = 40

/**
 * A bound below the estimated tokens of what entries are written as, however many lines of their gaps are put back: what
 * is kept or restated stands in it as it is. Counts no further than `enough`.
 */
export function leastTokens(
  entries: readonly Entry[],
  show: (line: number) => string,
  redrawn: (line: number) => boolean,
  enough: number,
): number {
  let tokens = 0
  let run: string[] = []
  let inStates = false
  const measure = (): void => {
    // A seam before it and one behind it.
    if (run.length > 0) tokens += Math.max(0, estimateTokens(run.join('\n')) - 2 * JOIN_BOUND)
    run = []
  }
  for (const entry of entries) {
    if (tokens > enough) return tokens
    if (entry.kind !== 'keep') {
      measure()
      if (entry.kind === 'restate') run.push(entry.text)
      measure()
      continue
    }
    // A marker stands where the states of redrawn lines begin.
    if (redrawn(entry.line) !== inStates || run.length >= RUN_LINES) measure()
    inStates = redrawn(entry.line)
    run.push(show(entry.line))
  }
  measure()
  return tokens
}

function costOf(lines: readonly number[], show: (line: number) => string): number {
  let cost = 0
  for (const line of lines) cost += estimateTokens(show(line)) + 1
  return cost
}
