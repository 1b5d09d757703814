import type { Fact, FactKind } from './signals.ts'
import { templateOf } from './text/normal.ts'

/** Kinds that are few and tell most come first. */
const KINDS: readonly FactKind[] = [
  'verdict',
  'exit',
  'redaction',
  'panic',
  'unfinished-test',
  'failed-test',
  'error',
  'place',
]

/**
 * Orders signals for a budget that may not hold them all: the first of each template by kind and from both ends of
 * the text (the first errors tell the cause, the last ones the outcome), then the last of each template, then the rest.
 * @returns the facts, one a line: a line that holds several comes once
 */
export function rankSignals(facts: Iterable<Fact>): Fact[] {
  const byLine = new Map<number, Fact>()
  for (const fact of facts) {
    const known = byLine.get(fact.line)
    if (!known || KINDS.indexOf(fact.kind) < KINDS.indexOf(known.kind)) byLine.set(fact.line, fact)
  }
  const groups = new Map<string, Fact[]>()
  for (const fact of byLine.values()) {
    const template = `${fact.kind} ${templateOf(fact.key)}`
    const group = groups.get(template)
    if (group) group.push(fact)
    else groups.set(template, [fact])
  }
  const firsts: Fact[] = []
  const lasts: Fact[] = []
  const rest: Fact[] = []
  for (const kind of KINDS) {
    for (const group of fromBothEnds([...groups.values()].filter((facts) => facts[0]?.kind === kind))) {
      group.forEach((fact, i) => {
        // No spread: a group may hold more facts than a call takes arguments.
        const into = i === 0 ? firsts : i === group.length - 1 ? lasts : rest
        into.push(fact)
      })
    }
  }
  return [...firsts, ...lasts, ...rest]
}

/** The items alternately from the front and the back: where a budget ends, the middle goes. */
export function fromBothEnds<T>(items: readonly T[]): T[] {
  const order: T[] = []
  for (let low = 0, high = items.length - 1; low <= high; low += 1, high -= 1) {
    order.push(...items.slice(low, low + 1))
    if (high > low) order.push(...items.slice(high, high + 1))
  }
  return order
}
