import { createDraft } from '../../src/engine/draft.ts'
import type { Family } from '../../src/engine/family.ts'
import { renderEntries } from '../../src/engine/render.ts'
import { factsOf } from '../../src/engine/signals.ts'
import { splitLines } from '../../src/engine/text/lines.ts'
import { redrawn, showLine } from '../../src/engine/text/terminal.ts'

/** What a family makes of a text by itself: without the check for lost signals, a size limit or a trailer. */
export function condenseAs(
  family: Family,
  text: string,
): { strategy: string | null; body: string; fault: string | null; sum: number; lines: number } {
  const raw = splitLines(text)
  const lines = raw.map(showLine)
  const draft = createDraft(lines.length)
  const strategy = family.condense({ lines, exitCode: null, program: null, facts: () => factsOf(lines) }, draft)
  const { entries, fault } = draft.finish()
  const shown = renderEntries(
    entries,
    lines.length,
    (i) => lines[i] ?? '',
    (i) => redrawn(raw[i] ?? ''),
  )
  return {
    strategy,
    body: shown.body,
    fault,
    sum: shown.lines.kept + shown.lines.restated + shown.lines.elided,
    lines: lines.length,
  }
}

/** Lines of a text as a family's `detect` gets them. */
export const shownLines = (text: string): string[] => splitLines(text).map(showLine)
