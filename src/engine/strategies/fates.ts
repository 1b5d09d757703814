import type { Draft } from '../draft.ts'

/** A gap of this many lines or fewer stays where it is: the renderer keeps it whole where its marker costs more. */
const SHORT_GAP = 3

type Fate =
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'fold' }
  | { readonly kind: 'drop'; readonly what: string }

/** The fates of an output's lines, decided in any order and written in the lines' order. A line not named is kept. */
export interface Fates {
  /** The line stands in these words. */
  say(line: number, text: string): void
  /** The line says nothing that the line before it (or after it) does not say: blank lines, rules, carets. */
  fold(line: number): void
  /** The line goes; `what` in the plural: "passing tests". */
  drop(line: number, what: string): void
  dropRange(from: number, to: number, what: string): void
  /** The line is kept, whatever was decided before. */
  keep(line: number): void
  isKept(line: number): boolean
  /** All that goes of the lines `from` to `to` (exclusive) goes in one gap, where the first of it stood. Groups do not overlap. */
  group(from: number, to: number): void
  write(draft: Draft): void
}

/** @param lines the output's lines, each to get one fate */
export function createFates(lines: readonly string[]): Fates {
  const fates = new Array<Fate | undefined>(lines.length)
  const groups = new Map<number, number>()

  function write(draft: Draft): void {
    let open: { text: string; lines: number[] } | null = null
    let held: number[] = []
    const flush = (): void => {
      if (open === null) return
      const only = open.lines.length === 1 ? open.lines[0] : undefined
      if (only !== undefined && lines[only] === open.text) draft.keep(only)
      else draft.restate(open.text, open.lines)
      open = null
    }
    const show = (line: number, text: string): void => {
      flush()
      open = { text, lines: [...held, line] }
      held = []
    }
    let groupEnd = 0
    let gathered = false
    for (let i = 0; i < lines.length; i += 1) {
      const end = groups.get(i)
      if (end !== undefined) {
        groupEnd = end
        gathered = false
      }
      const fate = fates[i]
      if (fate === undefined) show(i, lines[i] ?? '')
      else if (fate.kind === 'say') show(i, fate.text)
      else if (fate.kind === 'fold') {
        if (open === null) held.push(i)
        else addTo(open, i)
      } else if (i >= groupEnd) {
        flush()
        draft.elide(fate.what, [i])
      } else if (!gathered) {
        flush()
        gathered = gather(i, groupEnd, draft)
        if (!gathered) draft.elide(fate.what, [i])
      }
    }
    flush()
    draft.elide('blank lines', held)
  }

  /** Elides what goes between two lines at once, kind by kind; false where it is too little to leave its place. */
  function gather(from: number, to: number, draft: Draft): boolean {
    const kinds = new Map<string, number[]>()
    let count = 0
    for (let i = from; i < to; i += 1) {
      const fate = fates[i]
      if (fate?.kind !== 'drop') continue
      const kind = kinds.get(fate.what)
      if (kind) kind.push(i)
      else kinds.set(fate.what, [i])
      count += 1
    }
    if (count <= SHORT_GAP) return false
    for (const [what, gone] of kinds) draft.elide(what, gone)
    return true
  }

  const drop = (line: number, what: string): void => {
    fates[line] = { kind: 'drop', what }
  }
  return {
    say: (line, text) => {
      fates[line] = { kind: 'say', text }
    },
    fold: (line) => {
      fates[line] = { kind: 'fold' }
    },
    drop,
    dropRange(from, to, what) {
      for (let i = from; i < to; i += 1) drop(i, what)
    },
    keep: (line) => {
      fates[line] = undefined
    },
    isKept: (line) => fates[line] === undefined,
    group: (from, to) => {
      groups.set(from, to)
    },
    write,
  }
}

function addTo(entry: { lines: number[] }, line: number): void {
  entry.lines.push(line)
}
