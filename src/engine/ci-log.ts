import { type Step, splitSteps } from './ci-steps.ts'
import { describeCommand, parseCommand } from './command.ts'
import { createDraft, type Draft, type Entry } from './draft.ts'
import { familyOf } from './families/all.ts'
import type { Family } from './family.ts'
import { gapMarker } from './marker.ts'
import { factsOf } from './signals.ts'
import { selectLines } from './strategies/select.ts'
import { repeatsOf } from './strategies/window.ts'
import { estimateTokens } from './text/tokens.ts'

/** What a CI runner (GitHub Actions, Azure Pipelines) writes before each line; `gh` puts job and step before that. */
const STAMP = /^(?:([^\t]{1,200})\t([^\t]{1,200})\t)?\uFEFF?(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.\d{7}Z ?/

/** Estimated tokens for the lines chosen from a log, and of those for signals. */
const BUDGETS = { lines: 3600, signals: 2400 }
/**
 * What the failing steps may cost where their families know them whole, what a step may cost that is larger than that,
 * and what then is left for the rest.
 */
const FAMILY_BUDGET = 5600
const CHOSEN_BUDGET = 3000
const REST = 900
/** With less than this left, a step's lines are chosen from as all others. */
const LEAST = 300
/** As the renderer's, which counts the prefixes. */
const SHORT_GAP = 3
const NO_SIGNAL = 'lines without a signal'

const withoutPrefix = (line: string): string => line.replace(STAMP, '')

/**
 * Logs of CI jobs. The prefixes go (first and last time are said). A step that failed is condensed by the family of its
 * own command where one knows it; of all else the lines that tell most stay, within a budget.
 */
export const ciLog: Family = {
  name: 'ci-log',
  commands: ['gh run view', 'glab ci trace'],
  decides: false,
  budgeted: true,
  detect(lines) {
    const sample = lines.slice(0, 100)
    if (sample.length < 5) return false
    let stamped = sample.length
    for (const line of sample) {
      if (STAMP.test(line)) continue
      stamped -= 1
      // Most outputs are no such log, which their first lines tell.
      if (stamped < sample.length * 0.8) return false
    }
    return true
  },
  view: withoutPrefix,
  condense({ lines, facts }, draft) {
    const first = lines.map((line) => STAMP.exec(line)?.[3]).find((time) => time !== undefined)
    const last = lines.findLast((line) => STAMP.test(line))
    if (first === undefined || last === undefined) return null
    draft.restate(`times left out, from ${first}Z to ${STAMP.exec(last)?.[3]}Z`, [])
    const bare = lines.map(withoutPrefix)
    const steps = splitSteps(bare, (i) => STAMP.exec(lines[i] ?? '')?.[2] ?? null)
    const known = condenseFailing(bare, steps)
    const used = known.reduce((sum, { cost }) => sum + cost, 0)
    const repeats = repeatsOf(bare)
    // What a family has in hand is no line to choose.
    for (const { step } of known) repeats.fill(1, step.from, step.to)
    const begins = new Map(known.map((one) => [one.step.from, one]))
    const budget = known.length === 0 ? BUDGETS.lines : Math.max(REST, BUDGETS.lines - used)
    const { chosen, cuts } = selectLines(
      bare,
      repeats,
      facts(),
      { lines: budget, signals: (budget * BUDGETS.signals) / BUDGETS.lines },
      steps.filter((step) => step.failed && !begins.has(step.from)),
    )
    const shown = cuts.size === 0 ? bare : bare.map((line, i) => cuts.get(i) ?? line)
    const headings = new Map(steps.flatMap(({ from, name }) => (name === null ? [] : [[from, name] as const])))
    for (let i = 0; i < lines.length; ) {
      const inside = begins.get(i)
      const heading = headings.get(i)
      if (heading !== undefined) draft.restate(`step: ${heading}`, [])
      if (inside) {
        transcribe(inside.entries, i, bare, draft)
        i = inside.step.to
        continue
      }
      let end = i + 1
      while (end < lines.length && chosen[end] === chosen[i] && !headings.has(end) && !begins.has(end)) end += 1
      const run = Array.from({ length: end - i }, (_, k) => i + k)
      if (chosen[i] === 1) restateAll(run, shown, draft)
      else if (run.length <= SHORT_GAP && costsLess(run, bare)) restateAll(run, bare, draft)
      else draft.elide(NO_SIGNAL, run)
      i = end
    }
    return 'ci-log'
  },
}

interface Condensed {
  readonly step: Step
  readonly entries: readonly Entry[]
  readonly cost: number
}

/** The failing steps that a family of their own knows, as far as they fit the budget. */
function condenseFailing(bare: readonly string[], steps: readonly Step[]): Condensed[] {
  const done: Condensed[] = []
  let left = FAMILY_BUDGET
  for (const step of steps) {
    if (!step.failed || step.from === step.to || left < LEAST) continue
    const lines = bare.slice(step.from, step.to)
    const described = step.command === null ? null : describeCommand(parseCommand(step.command))
    const family = familyOf(described?.program ?? null, lines)
    if (family === null || family.budgeted) continue
    const draft = createDraft(lines.length)
    const output = { lines, exitCode: null, program: described?.program ?? null, facts: () => factsOf(lines) }
    const strategy = family.condense(output, draft)
    const { entries, fault } = draft.finish()
    if (strategy === null || fault !== null) continue
    const cost = costOf(entries, lines)
    const fitting = cost <= left ? entries : chooseEntries(entries, lines, Math.min(left, CHOSEN_BUDGET))
    const used = fitting === entries ? cost : costOf(fitting, lines)
    left -= used
    done.push({ step, entries: fitting, cost: used })
  }
  return done
}

/** Of a family's entries those that tell most, for a budget; an entry stands whole or goes. */
function chooseEntries(entries: readonly Entry[], lines: readonly string[], budget: number): Entry[] {
  const texts: string[] = []
  const owner: number[] = []
  entries.forEach((entry, at) => {
    const text = entry.kind === 'keep' ? (lines[entry.line] ?? '') : entry.kind === 'restate' ? entry.text : ''
    for (const line of text.split('\n')) {
      texts.push(line)
      owner.push(at)
    }
  })
  const budgets = { lines: budget, signals: (budget * BUDGETS.signals) / BUDGETS.lines }
  const { chosen, cuts } = selectLines(texts, repeatsOf(texts), factsOf(texts), budgets)
  const stays = new Uint8Array(entries.length)
  const shortened = new Map<number, string[]>()
  owner.forEach((at, i) => {
    if (chosen[i] === 1) stays[at] = 1
    if (cuts.has(i)) shortened.set(at, [])
  })
  owner.forEach((at, i) => {
    shortened.get(at)?.push(cuts.get(i) ?? texts[i] ?? '')
  })
  return entries.flatMap((entry, at): Entry[] => {
    if (entry.kind === 'elide') return [entry]
    const short = shortened.get(at)
    if (short)
      return [{ kind: 'restate', text: short.join('\n'), lines: entry.kind === 'keep' ? [entry.line] : entry.lines }]
    if (stays[at] === 1) return [entry]
    const gone = entry.kind === 'keep' ? [entry.line] : [...entry.lines]
    return gone.length === 0 ? [] : [{ kind: 'elide', what: NO_SIGNAL, lines: gone }]
  })
}

function costOf(entries: readonly Entry[], lines: readonly string[]): number {
  let cost = 0
  for (const entry of entries) {
    if (entry.kind === 'keep') cost += estimateTokens(lines[entry.line] ?? '') + 1
    else cost += entry.kind === 'restate' ? estimateTokens(entry.text) + 1 : 12
  }
  return cost
}

/** Writes a step's entries into the log's draft; its lines stand without their prefix, so kept ones are restated. */
function transcribe(entries: readonly Entry[], offset: number, bare: readonly string[], draft: Draft): void {
  const moved = (lines: readonly number[]): number[] => lines.map((line) => line + offset)
  for (const entry of entries) {
    if (entry.kind === 'keep') draft.restate(bare[entry.line + offset] ?? '', [entry.line + offset])
    else if (entry.kind === 'restate') draft.restate(entry.text, moved(entry.lines))
    else draft.elide(entry.what, moved(entry.lines))
  }
}

function restateAll(at: readonly number[], bare: readonly string[], draft: Draft): void {
  for (const line of at) draft.restate(bare[line] ?? '', [line])
}

/** Whether lines cost no more than the marker of their gap, without their prefixes. */
function costsLess(at: readonly number[], bare: readonly string[]): boolean {
  const cost = at.reduce((sum, line) => sum + estimateTokens(bare[line] ?? '') + 1, 0)
  return cost <= estimateTokens(gapMarker(at.length, NO_SIGNAL))
}
