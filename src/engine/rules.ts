import { matchesCommand, type Program } from './command.ts'
import { createDraft, type Draft } from './draft.ts'
import { families } from './families/all.ts'
import type { Family, ToolOutput } from './family.ts'
import { factsOf } from './signals.ts'
import { condenseByLineRules, type LineRules, type LineTest } from './strategies/line-rules.ts'
import { namedStrategies } from './strategies/named.ts'
import type { Budgets } from './strategies/select.ts'

/** What a rule does with the output of the commands that it matches. */
export type RuleAction =
  | { readonly kind: 'strategy'; readonly name: string }
  | { readonly kind: 'lines'; readonly rules: LineRules }

/** One of the operator's filter rules. Patterns come compiled: the engine runs on any linear-time matcher. */
export interface Rule {
  /** Its place in the operator's list, from 1; markers name it. */
  readonly number: number
  /** Whether its pattern is found in a command line. */
  readonly match: LineTest
  /** Only after this outcome, by the program's own exit code; null: after any. */
  readonly when: 'success' | 'failure' | null
  readonly action: RuleAction
}

/** What rules are chosen by. */
export interface RuleSubject {
  /** The command line as it was given; empty where none is known. */
  readonly command: string
  readonly program: Program | null
  /** Null where unknown: then no rule with `when` holds. */
  readonly exitCode: number | null
}

/** Leaves the output as it came. */
export const LEAVE_ALONE = 'none'

/** Names of strategies that their families go by in configurations, besides the families' own. */
const FAMILY_BY_STRATEGY: ReadonlyMap<string, string> = new Map([
  ['go-test-json', 'go-test'],
  ['golangci-json', 'golangci-lint'],
  ['git-status-stats', 'git-status'],
])

/** Every name that a rule's `strategy` may have. */
export const strategyNames: readonly string[] = [
  ...new Set([
    ...FAMILY_BY_STRATEGY.keys(),
    ...families.map((family) => family.name),
    ...namedStrategies.keys(),
    LEAVE_ALONE,
  ]),
]

/**
 * The first rule that holds: its pattern is found in the command line, or in the words of the program behind `cd`,
 * variables and wrappers (`FOO=1 npx vitest run` is also `vitest run`), and the outcome is the one that it asks for.
 */
export function ruleFor(rules: readonly Rule[], { command, program, exitCode }: RuleSubject): Rule | null {
  const words = program === null ? command : [program.name, ...program.args].join(' ')
  return (
    rules.find(
      (rule) =>
        (rule.when === null || (exitCode !== null && (rule.when === 'success') === (exitCode === 0))) &&
        (rule.match(command) || (words !== command && rule.match(words))),
    ) ?? null
  )
}

/** Whether a strategy would put counts in the place of a decision's items. */
export function countsOnly(strategy: string): boolean {
  return namedStrategies.get(strategy)?.countsOnly ?? false
}

/** Leading words of the commands whose output drives the next decision: those of the families, and these in any case. */
const decisiveCommands: readonly string[] = [
  ...new Set([
    'go test',
    'git diff',
    'git status',
    ...families.flatMap((family) => (family.decides ? family.commands : [])),
  ]),
]

/** Commands that run tests by whatever program a project has chosen. */
const testScripts: readonly string[] = [
  ...['npm', 'pnpm', 'yarn', 'bun'].flatMap((program) => [`${program} test`, `${program} run test`]),
  ...['deno test', 'dotnet test', 'tox', 'nox', 'rspec', 'phpunit'],
]

/** More words of a pattern than these are not tried behind a command. */
const MOST_WORDS = 12

/**
 * The first command whose output drives the next decision that a pattern is found in; null for none. Behind the name of a
 * program that the pattern names, the command may have the words that it asks for: `^pytest -q` is found in `pytest -q`.
 * @param pattern the pattern's source
 */
export function decisiveCommandOf(match: LineTest, pattern = ''): string | null {
  const words = pattern
    .replace(/\\[A-Za-z][+*?]?/g, ' ')
    .split(/[^\w./:=-]+/)
    .filter((word) => word !== '')
    .slice(0, MOST_WORDS)
  const asked = words.flatMap((word, i) => [` ${word}`, ` ${words.slice(i).join(' ')}`])
  const names = [...decisiveCommands, ...testScripts]
  const named = names.filter((name) => words.includes(name.split(' ')[0] ?? ''))
  return (
    names.find((name) => ['', ' .', ' ./...', ' -v x'].some((rest) => match(name + rest))) ??
    named.find((name) => asked.some((rest) => match(name + rest))) ??
    null
  )
}

function isDecisive(known: Family | null, program: Program | null): boolean {
  return known?.decides === true || (program !== null && decisiveCommands.some((name) => matchesCommand(program, name)))
}

/** A rule made ready for one output: the form of a strategy that the filter tries. */
export interface RuleStrategy {
  readonly family: string
  readonly view?: (line: string) => string
  readonly viewJson?: (value: unknown) => string
  readonly budgeted: boolean
  condense(output: ToolOutput, draft: Draft): string | null
}

/**
 * @param known the family of the output, by its command or text
 * @param program whose output it is; null where unknown
 * @returns the strategy, or the reason why the rule can't be followed here, for a warning
 */
export function strategyOfRule(
  rule: Rule,
  known: Family | null,
  program: Program | null,
  budgets: Budgets,
): RuleStrategy | { refused: string } {
  const by = `rule ${rule.number}`
  const family = known?.name ?? 'generic'
  if (rule.action.kind === 'lines') {
    const { rules } = rule.action
    return {
      family,
      budgeted: false,
      condense(output, draft) {
        const limits = {
          exitCode: output.exitCode,
          items: itemsOf(known, output),
          signals: known?.view ? signalsIn(output.lines, known.view) : null,
        }
        condenseByLineRules(output.lines, rules, limits, by, draft)
        return by.replace(' ', '-')
      },
    }
  }
  const { name } = rule.action
  const own = familyOfStrategy(name)
  if (own) {
    return {
      family: own.name,
      budgeted: own.budgeted ?? false,
      ...(own.view && { view: own.view }),
      ...(own.viewJson && { viewJson: own.viewJson }),
      condense: own.condense,
    }
  }
  const named = namedStrategies.get(name)
  if (!named) return { refused: `${by}: the strategy ${name} is not known here` }
  if (named.countsOnly && isDecisive(known, program)) {
    return {
      refused: `${by}: ${name} is refused for ${known?.name ?? 'this command'}: its items decide what comes next`,
    }
  }
  return {
    family,
    budgeted: named.budgeted,
    condense: (output, draft) => (named.condense(output, draft, budgets, itemsOf(known, output)) ? name : null),
  }
}

function familyOfStrategy(name: string): Family | undefined {
  const wanted = FAMILY_BY_STRATEGY.get(name) ?? name
  return families.find((family) => family.name === wanted)
}

/**
 * The lines that a limit may not take: where the output drives the next decision, those that its own family would not
 * elide (all of them where it does not know the text). Null for any other output.
 */
function itemsOf(known: Family | null, output: ToolOutput): Uint8Array | null {
  if (!isDecisive(known, output.program)) return null
  const items = new Uint8Array(output.lines.length).fill(1)
  if (known === null) return items
  const draft = createDraft(output.lines.length)
  const strategy = known.condense(output, draft)
  const { entries, fault } = draft.finish()
  if (strategy === null || fault !== null) return items
  for (const entry of entries) if (entry.kind === 'elide') for (const line of entry.lines) items[line] = 0
  return items
}

/** 1 for each encoded line (NDJSON) whose text holds a fact: the check can't read it in a line that is kept as it is. */
function signalsIn(lines: readonly string[], view: (line: string) => string): Uint8Array {
  const parts: string[] = []
  const owner: number[] = []
  for (const [line, text] of lines.entries()) {
    for (const part of view(text).split('\n')) {
      parts.push(part)
      owner.push(line)
    }
  }
  const signals = new Uint8Array(lines.length)
  for (const fact of factsOf(parts).values()) {
    signals[owner[fact.line] ?? 0] = 1
    if (fact.header >= 0) signals[owner[fact.header] ?? 0] = 1
  }
  return signals
}
