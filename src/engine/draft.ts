/** A piece of a condensed output, in reading order. `lines` are indexes of the input's lines. */
export type Entry =
  | { readonly kind: 'keep'; readonly line: number }
  | { readonly kind: 'restate'; readonly text: string; readonly lines: readonly number[] }
  | { readonly kind: 'elide'; readonly what: string; readonly lines: number[] }

/**
 * A condensed output under construction. Every input line gets one fate, once: kept (as it is), restated (its facts
 * stand in other words) or elided (gone, counted in a marker that says what went). A line given two fates, or none by
 * the time the draft is finished, makes the draft invalid, and the engine falls back to a gentler strategy.
 */
export interface Draft {
  /** Line `line` stands here as it is. */
  keep(line: number): void
  /** Lines `from` (inclusive) to `to` (exclusive) stand here as they are. */
  keepRange(from: number, to: number): void
  /** `text` (no trailing LF; may hold several lines) stands here for `lines`; with no lines it is an added heading. */
  restate(text: string, lines: readonly number[]): void
  /** `lines` are gone; `what` completes "12 lines elided: …", in the plural: "passing tests". Runs with one `what` merge. */
  elide(what: string, lines: readonly number[]): void
  /** `elide` for the lines `from` (inclusive) to `to` (exclusive). */
  elideRange(what: string, from: number, to: number): void
  /**
   * Says, before it is worked out, that what comes next takes at least so many tokens. Only a draft with a bound listens: it
   * throws where that is too much.
   */
  expect?(tokens: number): void
}

export interface FinishedDraft {
  readonly entries: readonly Entry[]
  readonly fault: string | null
}

const FATE = { none: 0, taken: 1 } as const

/** @param count number of input lines */
export function createDraft(count: number): Draft & { finish(): FinishedDraft } {
  const fates = new Uint8Array(count)
  const entries: Entry[] = []
  let open = count
  let fault: string | null = null

  function take(line: number): void {
    if (fates[line] === FATE.none) {
      fates[line] = FATE.taken
      open -= 1
    } else fault ??= line >= 0 && line < count ? `line ${line} has two fates` : `line ${line} does not exist`
  }
  function keep(line: number): void {
    take(line)
    entries.push({ kind: 'keep', line })
  }
  function gap(what: string): number[] {
    const last = entries.at(-1)
    if (last?.kind === 'elide' && last.what === what) return last.lines
    const lines: number[] = []
    entries.push({ kind: 'elide', what, lines })
    return lines
  }

  return {
    keep,
    keepRange(from, to) {
      for (let line = from; line < to; line += 1) keep(line)
    },
    restate(text, lines) {
      for (const line of lines) take(line)
      entries.push({ kind: 'restate', text, lines })
    },
    elide(what, lines) {
      if (lines.length === 0) return
      const into = gap(what)
      for (const line of lines) {
        take(line)
        into.push(line)
      }
    },
    elideRange(what, from, to) {
      if (from >= to) return
      const into = gap(what)
      for (let line = from; line < to; line += 1) {
        take(line)
        into.push(line)
      }
    },
    finish() {
      if (open > 0) fault ??= `line ${fates.indexOf(FATE.none)} has no fate`
      return { entries, fault }
    },
  }
}
