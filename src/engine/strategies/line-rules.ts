import type { Draft } from '../draft.ts'
import { cutMarker } from '../marker.ts'
import { rankSignals } from '../rank.ts'
import { type Fact, factsOf } from '../signals.ts'
import { cutAt } from '../text/lines.ts'
import { repeatsFrom, repeatsOfLine } from './dedup.ts'

/** Whether a pattern is found in a line. Has to run in linear time; the engine compiles none itself. */
export type LineTest = (line: string) => boolean

/** What is to become of an output's lines, declared by the operator; applied in the order in which it stands here. */
export interface LineRules {
  /** Lines in which one is found go. */
  readonly stripLines?: readonly LineTest[]
  /** Lines in which none is found go. */
  readonly keepLines?: readonly LineTest[]
  /** Of lines that repeat the one above, the first stays. */
  readonly dedup?: boolean
  /** UTF-16 units that a line may have. */
  readonly truncateLinesAt?: number
  /** The first and the last lines, so many; the rest between them goes. */
  readonly headLines?: number
  readonly tailLines?: number
  /** Lines in all: signals first, then the tail (two of three that are left), then the head. */
  readonly maxLines?: number
  /** What stands in the place of nothing. */
  readonly onEmpty?: string
}

/** What bears on how far the rules may go. */
export interface LineRuleLimits {
  /** Of the program itself; null where unknown. */
  readonly exitCode: number | null
  /** 1 for a line that only `stripLines`, which names what it takes, may take; null: any line may go. */
  readonly items: Uint8Array | null
  /** 1 for a line that nothing may take: it holds a fact that the check could not read there; null for none. */
  readonly signals: Uint8Array | null
}

/**
 * Applies line rules to an output. Facts that they take away are put back by the engine's check; `maxLines` and
 * `truncateLinesAt` spare them from the start.
 * @param by who says so, for the markers: `rule 3`
 */
export function condenseByLineRules(
  lines: readonly string[],
  rules: LineRules,
  { exitCode, items, signals }: LineRuleLimits,
  by: string,
  draft: Draft,
): void {
  const text = (line: number): string => lines[line] ?? ''
  const held = (line: number): boolean => signals?.[line] === 1
  const spared = (line: number): boolean => held(line) || items?.[line] === 1
  /** Why each line goes; empty for one that stays. */
  const gone: string[] = new Array<string>(lines.length).fill('')
  let left = [...lines.keys()]
  const drop = (what: string, goes: (line: number, at: number) => boolean): void => {
    left = left.filter((line, at) => {
      if (!goes(line, at)) return true
      gone[line] = what
      return false
    })
  }

  const { stripLines, keepLines, headLines, tailLines, maxLines } = rules
  if (stripLines)
    drop(`lines stripped by ${by}`, (line) => !held(line) && stripLines.some((found) => found(text(line))))
  if (keepLines) {
    drop(`lines not kept by ${by}`, (line) => !spared(line) && !keepLines.some((found) => found(text(line))))
  }
  if (rules.dedup) {
    const shown = left.map(text)
    const repeats = new Map<number, string>()
    for (let at = 0; at < shown.length; ) {
      const run = repeatsFrom(shown, at, shown.length)
      const what = repeatsOfLine(shown, at, run)
      for (let next = at + 1; next < at + run; next += 1) repeats.set(next, what)
      at += run
    }
    left = left.filter((line, at) => {
      const what = repeats.get(at)
      if (what !== undefined) gone[line] = what
      return what === undefined
    })
  }
  if (headLines !== undefined || tailLines !== undefined) {
    const from = headLines ?? 0
    const to = left.length - (tailLines ?? 0)
    drop(`lines outside head and tail of ${by}`, (line, at) => at >= from && at < to && !spared(line))
  }
  const facts = factsOf(lines)
  if (maxLines !== undefined && left.length > maxLines) {
    const chosen = chooseLines(left, rankSignals(facts.values()), maxLines)
    drop(`lines over max_lines of ${by}`, (line) => !chosen.has(line) && !spared(line))
  }

  if (left.length === 0 && facts.size === 0) {
    // Words of success in the place of an output that failed would hide the failure.
    if (exitCode === 0 && rules.onEmpty !== undefined) draft.restate(rules.onEmpty, [])
    else if (exitCode !== null && exitCode !== 0)
      draft.restate(`exit code ${exitCode}, and no line is left by ${by}`, [])
  }
  const cut = cutterOf(lines, facts, rules.truncateLinesAt, by)
  for (const [line, what] of gone.entries()) {
    if (what !== '') draft.elide(what, [line])
    else {
      const short = cut(line)
      if (short === null) draft.keep(line)
      else draft.restate(short, [line])
    }
  }
}

/** As many of the lines as may stay: those with signals, then from the end and from the start of the others. */
function chooseLines(left: readonly number[], ranked: readonly Fact[], max: number): Set<number> {
  const here = new Set(left)
  const chosen = new Set<number>()
  for (const fact of ranked) if (here.has(fact.line) && chosen.size < max) chosen.add(fact.line)
  const others = left.filter((line) => !chosen.has(line))
  const room = max - chosen.size
  const tail = Math.ceil((room * 2) / 3)
  for (const line of others.slice(others.length - tail)) chosen.add(line)
  for (const line of others.slice(0, room - tail)) chosen.add(line)
  return chosen
}

/** Cuts a line that is too long; null for one that stays whole: short enough, or its facts are in what would be cut. */
function cutterOf(
  lines: readonly string[],
  facts: ReadonlyMap<string, Fact>,
  limit: number | undefined,
  by: string,
): (line: number) => string | null {
  if (limit === undefined) return () => null
  const withFacts = new Map<number, string[]>()
  for (const [key, fact] of facts) {
    const keys = withFacts.get(fact.line)
    if (keys) keys.push(key)
    else withFacts.set(fact.line, [key])
  }
  return (line) => {
    const text = lines[line] ?? ''
    if (text.length <= limit) return null
    const head = cutAt(text, limit)
    const short = `${head} ${cutMarker(text.length - head.length, by)}`
    if (short.length >= text.length) return null
    const keys = withFacts.get(line)
    if (keys) {
      const still = factsOf([short])
      if (!keys.every((key) => still.has(key))) return null
    }
    return short
  }
}
