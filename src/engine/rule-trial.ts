import { checkSignals, readFacts } from './check.ts'
import { classify } from './classify.ts'
import { describeCommand, parseCommand } from './command.ts'
import { createDraft } from './draft.ts'
import { DEFAULT_FILTER_OPTIONS, type FilterOptions } from './filter.ts'
import { type Rule, type RuleSubject, ruleFor, strategyOfRule } from './rules.ts'
import { splitLines } from './text/lines.ts'
import { showLine } from './text/terminal.ts'

/** An example that an operator tries a rule on. */
export interface RuleExample {
  readonly input: string
  readonly command?: string | undefined
  readonly exitCode?: number | undefined
}

export interface RuleTrial {
  /** The rule that holds for the example's command; null for none, or where the example names no command. */
  readonly chosen: number | null
  /** The lines that stay, without the markers of gaps; null where the rule can't be followed. */
  readonly text: string | null
  /** Why it can't be; null where it can. */
  readonly refused: string | null
}

/**
 * Tries one rule on an example, however small that is: no output is too short, and no gap is closed because its marker
 * would cost as much. The facts that the rule takes away are put back as in a real output.
 */
export function tryRule(
  rule: Rule,
  rules: readonly Rule[],
  { input, command, exitCode }: RuleExample,
  options: FilterOptions = DEFAULT_FILTER_OPTIONS,
): RuleTrial {
  const described = command === undefined ? null : describeCommand(parseCommand(command))
  const program = described?.program ?? null
  const subject: RuleSubject = {
    command: command ?? '',
    program,
    exitCode: described && !described.exitCodeTrusted ? null : (exitCode ?? null),
  }
  const chosen = command === undefined ? null : (ruleFor(rules, subject)?.number ?? null)
  const lines = splitLines(input).map(showLine)
  const known = classify(program, lines)
  if (rule.action.kind === 'strategy' && rule.action.name === 'none') return { chosen, text: input, refused: null }
  const budgets = { lines: options.genericBudget, signals: options.signalBudget }
  const strategy = strategyOfRule(rule, known, program, budgets)
  if ('refused' in strategy) return { chosen, text: null, refused: strategy.refused }
  const draft = createDraft(lines.length)
  const name = strategy.condense(
    { lines, exitCode: subject.exitCode, program, facts: () => readFacts(lines).facts },
    draft,
  )
  const { entries, fault } = draft.finish()
  if (name === null || fault !== null) return { chosen, text: null, refused: 'the rule does not fit this output' }
  const show = (line: number): string => lines[line] ?? ''
  const checked = checkSignals(
    entries,
    show,
    () => readFacts(lines, strategy.view, strategy.viewJson),
    options.signalBudget,
  )
  const shown = checked.entries.flatMap((entry) =>
    entry.kind === 'elide' ? [] : [entry.kind === 'keep' ? show(entry.line) : entry.text],
  )
  return { chosen, text: shown.join('\n'), refused: null }
}
