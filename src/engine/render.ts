import type { Entry } from './draft.ts'
import type { LineFates } from './filter.ts'
import { gapMarker } from './marker.ts'
import { estimateTokens } from './text/tokens.ts'

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

function costOf(lines: readonly number[], show: (line: number) => string): number {
  let cost = 0
  for (const line of lines) cost += estimateTokens(show(line)) + 1
  return cost
}
