import { checkSignals, type InputFacts, readFacts } from './check.ts'
import { ciLog } from './ci-log.ts'
import { classify } from './classify.ts'
import { describeCommand, parseCommand } from './command.ts'
import { createDraft, type Entry } from './draft.ts'
import type { ToolOutput } from './family.ts'
import { type Strategy, strategiesFor } from './ladder.ts'
import { DEFAULT_HINT, PLACEHOLDER_ID, readTrailer, writeTrailer } from './marker.ts'
import { renderEntries } from './render.ts'
import { LEAVE_ALONE, type Rule, ruleFor, strategyOfRule } from './rules.ts'
import { condenseByWindow } from './strategies/window.ts'
import { hasLoneSurrogate, splitLines } from './text/lines.ts'
import { hasControls, isNulSeparated, redrawn, showLine } from './text/terminal.ts'
import { estimateTokens, type Measured, measureText } from './text/tokens.ts'

/** What is known of an output besides its text. */
export interface FilterContext {
  readonly command?: string
  readonly tool?: string
  readonly exitCode?: number
  /**
   * Upper bound for the result's estimated tokens, markers included. What is left alone for another reason than its size
   * (narrowed, own-tool, rule and so on) is not bounded.
   */
  readonly maxTokens?: number
  /** Words for how to get the full output, with `{id}`. */
  readonly hint?: string
}

/** The filter's figures, all in estimated tokens; an operator may set them. */
export interface FilterOptions {
  /** Outputs below this pass unchanged; the second where a dedicated family knows the command. */
  readonly smallOutput: number
  readonly smallKnownOutput: number
  /** What output of no known family may keep. */
  readonly genericBudget: number
  /** What put-back signals may cost. */
  readonly signalBudget: number
  /** The operator's rules, asked before the families; the first that holds counts. None where left out. */
  readonly rules?: readonly Rule[]
}

export const DEFAULT_FILTER_OPTIONS: FilterOptions = {
  smallOutput: 400,
  smallKnownOutput: 100,
  genericBudget: 3600,
  signalBudget: 2400,
}

/** Why an output is returned as it came. */
export type UnchangedReason =
  | 'small'
  | 'already-filtered'
  | 'narrowed'
  | 'own-tool'
  | 'lone-surrogates'
  | 'not-smaller'
  | 'rule'

/** Input lines by fate; the last three sum to the first. */
export interface LineFates {
  readonly in: number
  readonly kept: number
  readonly restated: number
  readonly elided: number
}

export interface UnchangedPlan {
  readonly changed: false
  readonly reason: UnchangedReason
  readonly family: string | null
  readonly lines: LineFates
  readonly tokensBefore: number
  readonly warnings: readonly string[]
}

export interface CondensedPlan {
  readonly changed: true
  readonly family: string
  readonly strategy: string
  /** The condensed text without its trailer. */
  readonly body: string
  readonly endsInLf: boolean
  readonly lines: LineFates
  /** UTF-16 units of the raw text. */
  readonly chars: number
  readonly hint: string
  readonly tokensBefore: number
  /** Of the rendered result; the id's cost is constant. */
  readonly tokensAfter: number
  readonly warnings: readonly string[]
}

/** A decision about one text. Where `changed`, store the raw text first, then `renderFilter(plan, id)`. */
export type FilterPlan = UnchangedPlan | CondensedPlan

/** Spillway's own recall tools: what they return was asked for. */
const OWN_TOOLS = /(?:^|__|\.|\/)(?:read_output|search_output|filter_output)$/

/**
 * Plans the condensed form of one tool output. Pure, synchronous, deterministic, linear in the text's length; gives the
 * text up unchanged (with the reason) where condensing would not make it smaller.
 */
export function planFilter(
  text: string,
  context: FilterContext,
  options: FilterOptions = DEFAULT_FILTER_OPTIONS,
): FilterPlan {
  return plan(text, context, options, { measured: measureText(text), familyOnly: false })
}

/**
 * What the family of a text makes of it, whatever its size, unchecked for lost signals: for previews, which are bounded.
 * Null where no family knows it.
 * @param tokens the text's, where they are known
 */
export function condenseByFamily(
  text: string,
  context: Omit<FilterContext, 'maxTokens'>,
  tokens?: number,
): CondensedPlan | null {
  const measured = tokens === undefined ? measureText(text) : { tokens, controls: hasControls(text), surrogates: true }
  const made = plan(text, context, DEFAULT_FILTER_OPTIONS, { measured, familyOnly: true })
  return made.changed ? made : null
}

interface Task {
  readonly measured: Measured
  /** Nothing but the family's form will do. */
  readonly familyOnly: boolean
}

function plan(
  text: string,
  context: FilterContext,
  options: FilterOptions,
  { measured, familyOnly }: Task,
): FilterPlan {
  const { tokens: tokensBefore, controls: drawn, surrogates } = measured
  const raw = splitLines(text)
  let family: string | null = null
  const warnings: string[] = []
  const unchanged = (reason: UnchangedReason): FilterPlan => ({
    changed: false,
    reason,
    family,
    lines: { in: raw.length, kept: raw.length, restated: 0, elided: 0 },
    tokensBefore,
    warnings,
  })
  if (surrogates && hasLoneSurrogate(text)) return unchanged('lone-surrogates')
  if (context.tool !== undefined && OWN_TOOLS.test(context.tool)) return unchanged('own-tool')
  if (readTrailer(text)) return unchanged('already-filtered')
  if (tokensBefore < options.smallKnownOutput) return unchanged('small')
  const command = context.command === undefined ? null : describeCommand(parseCommand(context.command))
  const bound = context.maxTokens ?? Number.POSITIVE_INFINITY
  // Made for programs to read. Where it has to be cut all the same, blanks stand for NUL, and no family reads it.
  const forPrograms = isNulSeparated(text)
  if (command?.narrowed || (forPrograms && tokensBefore <= bound)) return unchanged('narrowed')

  const program = command?.program ?? null
  const exitCode = command && !command.exitCodeTrusted ? null : (context.exitCode ?? null)
  const rule = ruleFor(options.rules ?? [], { command: context.command ?? '', program, exitCode })
  if (rule?.action.kind === 'strategy' && rule.action.name === LEAVE_ALONE) return unchanged('rule')

  const show = forPrograms ? (line: string) => showLine(line.replaceAll('\0', ' ')) : showLine
  const lines = drawn ? raw.map(show) : raw
  const shown = (line: number): string => lines[line] ?? ''
  const isRedrawn = (line: number): boolean => drawn && redrawn(raw[line] ?? '')
  // Of two programs' outputs in one no family knows where which begins.
  const several = command !== null && program === null
  const detected = several ? (ciLog.detect(lines) ? ciLog : null) : classify(program, lines)
  const known = forPrograms ? null : detected
  family = known?.name ?? null
  if (tokensBefore < (known || rule ? options.smallKnownOutput : options.smallOutput) && tokensBefore <= bound)
    return unchanged('small')

  const read = new Map<Strategy['view'], InputFacts>()
  const views = new Map<Strategy['view'], readonly string[]>()
  let silent: Uint8Array | null = null
  const factsBy = ({ view, viewJson }: Pick<Strategy, 'view' | 'viewJson'>): InputFacts => {
    const known = read.get(view) ?? readFacts(lines, view, viewJson, silent, views.get(view))
    read.set(view, known)
    return known
  }
  const silence = (line: number): void => {
    silent ??= new Uint8Array(lines.length)
    silent[line] = 1
  }
  const output: ToolOutput = { lines, exitCode, program, facts: () => factsBy({}).facts, silence }
  const hint = context.hint ?? DEFAULT_HINT
  let best: CondensedPlan | null = null
  const byRule = rule && planByRule(rule)
  for (const strategy of byRule ? [] : strategiesFor(known, drawn, options)) {
    // What drives a decision is never cut by budget where its family has read it.
    if (strategy.budgeted && best !== null && known?.decides) continue
    if (familyOnly && strategy.family === 'generic') break
    const made = attempt(strategy, options.signalBudget)
    if (made === null) continue
    if (best === null || made.plan.tokensAfter < best.tokensAfter) best = made.plan
    // The next gentler one fills its budget: it can't be smaller than what is within that already.
    if (made.restored === 0 || strategy.budgeted || best.tokensAfter <= options.genericBudget) break
  }
  best ??= byRule
  if (tokensBefore > bound && (best === null || best.tokensAfter > bound)) return fit(bound)
  return best !== null && best.tokensAfter < tokensBefore ? best : unchanged('not-smaller')

  function attempt(strategy: Strategy, signalBudget: number): { plan: CondensedPlan; restored: number } | null {
    const draft = createDraft(lines.length)
    const viewed = (texts: readonly string[]): void => {
      if (strategy.view) views.set(strategy.view, texts)
    }
    const name = strategy.condense({ ...output, facts: () => factsBy(strategy).facts, viewed }, draft)
    const { entries, fault } = draft.finish()
    if (name === null || fault !== null) return null
    if (familyOnly) return { plan: toPlan(entries, strategy.family, name), restored: 0 }
    // What chose within a budget has left out the rest on purpose: the markers say how much.
    const budget = strategy.budgeted ? signalBudget / 10 : signalBudget
    const checked = checkSignals(entries, shown, () => factsBy(strategy), budget)
    return { plan: toPlan(checked.entries, strategy.family, name), restored: checked.restored }
  }

  /** What the operator's rule makes of it; null, with a warning, where it can't be followed. */
  function planByRule(by: Rule): CondensedPlan | null {
    const budgets = { lines: options.genericBudget, signals: options.signalBudget }
    const strategy = strategyOfRule(by, known, program, budgets)
    const made = 'refused' in strategy ? null : attempt(strategy, options.signalBudget)
    if (made === null) {
      warnings.push('refused' in strategy ? strategy.refused : `rule ${by.number} does not fit this output`)
    }
    return made?.plan ?? null
  }

  /** As much as the caller's bound allows, signals first; the first gap's marker says how many did not fit. */
  function fit(limit: number): FilterPlan {
    let plan: CondensedPlan | null = null
    let budget = limit
    for (let tries = 0; tries < 8; tries += 1) {
      const made = attempt(
        {
          family: 'generic',
          budgeted: true,
          condense: (of, draft) => condenseByWindow(of, { lines: budget, signals: budget }, draft),
        },
        0,
      )
      plan = made?.plan ?? plan
      if (plan === null || plan.tokensAfter <= limit || budget === 0) break
      // Markers cost too: what the try was over comes off, and a tenth at least; the last try keeps nothing.
      budget = tries === 6 ? 0 : Math.max(0, Math.floor(budget - Math.max(plan.tokensAfter - limit, budget / 10)))
    }
    return plan !== null && plan.tokensAfter < tokensBefore ? plan : unchanged('not-smaller')
  }

  function toPlan(entries: readonly Entry[], by: string, strategy: string): CondensedPlan {
    const made = renderEntries(entries, lines.length, shown, isRedrawn)
    const draftPlan: CondensedPlan = {
      changed: true,
      family: by,
      strategy,
      body: made.body,
      endsInLf: text.endsWith('\n'),
      lines: made.lines,
      chars: text.length,
      hint,
      tokensBefore,
      tokensAfter: 0,
      warnings,
    }
    return { ...draftPlan, tokensAfter: estimateTokens(renderFilter(draftPlan, PLACEHOLDER_ID)) }
  }
}

/** The text that a model reads in the output's place. @param id where the raw output is stored; null without a store */
export function renderFilter(plan: CondensedPlan, id: string | null): string {
  const trailer = writeTrailer(
    {
      elided: plan.lines.elided,
      lines: plan.lines.in,
      by: plan.strategy,
      chars: plan.chars,
      tokens: plan.tokensBefore,
      id,
    },
    plan.hint,
    plan.body,
  )
  return `${plan.body}\n${trailer}${plan.endsInLf ? '\n' : ''}`
}
