import { readFacts } from '../../../src/engine/check.ts'
import { ciLog } from '../../../src/engine/ci-log.ts'
import { families } from '../../../src/engine/families/all.ts'
import { type CondensedPlan, type FilterContext, planFilter, renderFilter } from '../../../src/engine/filter.ts'
import { PLACEHOLDER_ID } from '../../../src/engine/marker.ts'
import { type FactKind, factsOf } from '../../../src/engine/signals.ts'
import { splitLines } from '../../../src/engine/text/lines.ts'
import { showLine } from '../../../src/engine/text/terminal.ts'
import { estimateTokens } from '../../../src/engine/text/tokens.ts'

/** A point of the contract that does not hold for an input. */
export interface Finding {
  readonly kind: string
  readonly detail: string
}

const MARKER = /^\[filtered: (\d+) lines? elided: .*\]$/gm
const MORE_SIGNALS = /with (\d+) more signals/g
/** The least that a result takes: a marker and a trailer. */
const LEAST_BOUND = 150

/** Every point of the contract that can be read from one input and its result. */
export function checkInput(text: string, context: FilterContext): Finding[] {
  try {
    return checkPlan(text, context)
  } catch (error) {
    return [{ kind: 'throws', detail: error instanceof Error ? `${error.stack}` : String(error) }]
  }
}

function checkPlan(text: string, context: FilterContext): Finding[] {
  const found: Finding[] = []
  const claim = (kind: string, holds: boolean, detail: () => string): void => {
    if (!holds) found.push({ kind, detail: detail() })
  }
  const plan = planFilter(text, context)
  const again = planFilter(text, context)
  claim('deterministic', JSON.stringify(plan) === JSON.stringify(again), () => 'two plans differ')
  const { lines } = plan
  claim('fates', lines.kept + lines.restated + lines.elided === lines.in, () => JSON.stringify(lines))
  const bound = context.maxTokens ?? Number.POSITIVE_INFINITY
  if (!plan.changed) {
    const mayPass = plan.reason !== 'not-smaller' && plan.reason !== 'small'
    claim(
      'within maxTokens',
      mayPass || bound < LEAST_BOUND || plan.tokensBefore <= bound,
      () => `${plan.reason}: ${plan.tokensBefore} tokens, ${bound} allowed`,
    )
    return found
  }
  const result = renderFilter(plan, PLACEHOLDER_ID)
  const { strategy } = plan
  claim(
    'never larger',
    plan.tokensAfter < plan.tokensBefore && estimateTokens(result) === plan.tokensAfter,
    () => `${strategy}: ${plan.tokensBefore} to ${plan.tokensAfter}, rendered ${estimateTokens(result)}`,
  )
  claim(
    'within maxTokens',
    bound < LEAST_BOUND || plan.tokensAfter <= bound,
    () => `${strategy}: ${plan.tokensAfter} tokens, ${bound} allowed`,
  )
  claim(
    'markers',
    markersOf(splitLines(text).map(showLine).join('\n')) > 0 || markersOf(plan.body) === plan.lines.elided,
    () => `${strategy}: markers say ${markersOf(plan.body)}, ${plan.lines.elided} elided`,
  )
  const twice = planFilter(result, context)
  claim(
    'idempotent',
    !twice.changed && twice.reason === 'already-filtered',
    () => `${strategy}: ${JSON.stringify(twice).slice(0, 200)}`,
  )
  found.push(...checkSignals(text, plan), ...checkGreen(text, plan))
  return found
}

const markersOf = (text: string): number => [...text.matchAll(MARKER)].reduce((sum, match) => sum + Number(match[1]), 0)

/** Facts of the input that the output neither holds, as its line or in other words, nor counts. */
function checkSignals(text: string, plan: CondensedPlan): Finding[] {
  const family = [...families, ciLog].find(({ name }) => name === plan.family)
  const lines = splitLines(text).map(showLine)
  const { facts, texts, owner } = readFacts(lines, family?.view)
  const body = splitLines(plan.body)
  const held = factsOf(body)
  // A file's name above its findings may have lost its colon.
  const inBody = new Set(body.flatMap((line) => [line, `${line}:`]))
  // An overlong line stands as its start and its end, with a marker that counts what was cut between them.
  const cut = body.filter((line) => line.includes(' characters cut'))
  const isCut = (line: string): boolean => line.length > 400 && cut.some((each) => each.startsWith(line.slice(0, 60)))
  const isShown = (line: string): boolean => inBody.has(line) || isCut(line)
  const isHeld = (at: number): boolean =>
    at < 0 || isShown(lines[owner === null ? at : (owner[at] ?? at)] ?? '') || isShown(texts[at] ?? '')
  const missing = [...facts].filter(([key, fact]) => !held.has(key) && !(isHeld(fact.line) && isHeld(fact.header)))
  const told = [...plan.body.matchAll(MORE_SIGNALS)].reduce((sum, match) => sum + Number(match[1]), 0)
  if (missing.length <= told) return []
  return [
    { kind: 'signals', detail: `${plan.strategy}: ${missing.length} lost, ${told} told, first ${missing[0]?.[0]}` },
  ]
}

const SUCCESS =
  /\b(?:passed|success(?:ful|fully)?|succeeded|clean|all good|up to date|no (?:issues|problems|errors|failures))\b/i
const NO_SUCCESS =
  /fail|error|incomplete|cut off|unfinished|never ended|panic|not |no tests|unknown|killed|crash|did not|exit|skipped/i
const RED: ReadonlySet<FactKind> = new Set(['failed-test', 'unfinished-test', 'panic'])

/** Words of success that the input does not hold, in an output that holds a failure. */
function checkGreen(text: string, plan: CondensedPlan): Finding[] {
  const lines = splitLines(text).map(showLine)
  const input = lines.join('\n')
  const claims = splitLines(plan.body).filter((line) => {
    const words = line.startsWith('[filtered: ') || NO_SUCCESS.test(line) ? null : SUCCESS.exec(line)
    // With what follows it: up to a quotation mark, where lines were joined, or a value's place in a template.
    const said = words && line.slice(words.index, words.index + words[0].length + 12).split(/["{]/)[0]
    return said !== null && !input.includes(said ?? '')
  })
  if (claims.length === 0) return []
  const red = [...factsOf(lines).values()].find((fact) => RED.has(fact.kind))
  return red ? [{ kind: 'green on red', detail: `${plan.strategy}: "${claims[0]}" beside ${red.kind} ${red.key}` }] : []
}
