import type { Draft } from './draft.ts'
import { estimateTokens, JOIN_BOUND } from './text/tokens.ts'

/** Thrown by a bounded draft that has become too large: whoever writes it need not go on. */
export const TOO_LARGE = Symbol('the draft is over its bound')

/** Lines and UTF-16 units that are measured together, at most. */
const RUN_LINES = 40
const RUN_CHARS = 2000

/**
 * A draft that throws TOO_LARGE once what it is written as is sure to be over a bound, however many lines of its gaps are
 * put back: what is kept or restated stands in it as it is.
 * @param show an input line as it is shown
 * @param redrawn as in `renderEntries`
 * @param bound estimated tokens
 */
export function boundDraft(
  draft: Draft,
  show: (line: number) => string,
  redrawn: (line: number) => boolean,
  bound: number,
): Draft {
  let tokens = 0
  let run: string[] = []
  let chars = 0
  let inStates = false

  function measure(): void {
    if (run.length === 0) return
    // Measured apart, since a seam before it and one behind it may cost less than nothing.
    tokens += Math.max(0, estimateTokens(run.join('\n')) - 2 * JOIN_BOUND)
    run = []
    chars = 0
    if (tokens > bound) throw TOO_LARGE
  }
  function keep(line: number): void {
    const states = redrawn(line)
    // A marker stands where the states of redrawn lines begin.
    if (states !== inStates || run.length >= RUN_LINES || chars >= RUN_CHARS) measure()
    inStates = states
    const text = show(line)
    run.push(text)
    chars += text.length
    draft.keep(line)
  }
  return {
    expect(more) {
      measure()
      if (tokens + more - 2 * JOIN_BOUND > bound) throw TOO_LARGE
    },
    keep,
    keepRange(from, to) {
      for (let line = from; line < to; line += 1) keep(line)
    },
    restate(text, lines) {
      measure()
      run.push(text)
      measure()
      draft.restate(text, lines)
    },
    elide(what, lines) {
      measure()
      draft.elide(what, lines)
    },
    elideRange(what, from, to) {
      measure()
      draft.elideRange(what, from, to)
    },
  }
}
