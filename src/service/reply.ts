import type { FilterPlan } from '../engine/filter.ts'
import { boundText } from './bound.ts'
import type { FilterSettings } from './settings.ts'
import type { Spilled } from './spill.ts'
import { countLines, streamsOf } from './streams.ts'
import type { FilterReply, LineCount, Streams } from './types.ts'

/** Why an output was not filtered although nothing speaks against it: something failed, or a limit was reached. */
export type FailureCode = 'too-large' | 'store-failed' | 'engine-failed' | 'failed'

/** An output as it stands after the raw judgement: what comes back where nothing is changed. */
export interface Given {
  readonly shape: Streams
  readonly texts: readonly string[]
  readonly warnings: readonly string[]
}

/** Estimated tokens of a text. Must not throw. */
export type Estimate = (text: string) => number

export function unchangedReply(
  given: Given,
  reason: string,
  plans: readonly FilterPlan[],
  estimate: Estimate,
): FilterReply {
  const lines = sumLines(given.texts.map(allKept))
  const before = plans.length > 0 ? sum(plans, (plan) => plan.tokensBefore) : sum(given.texts, estimate)
  return {
    streams: streamsOf(given.shape, given.texts),
    filtered: false,
    reason,
    family: plans.find((plan) => plan.family !== null)?.family ?? null,
    strategy: null,
    lines,
    tokens: { before, after: before, saved: 0 },
    spill: null,
    warnings: [...given.warnings, ...plans.flatMap((plan) => plan.warnings)],
  }
}

/** The one place that decides what a failure looks like to the caller: its input, or, failing closed, a bounded part. */
export function failedReply(
  given: Given,
  code: FailureCode,
  settings: Pick<FilterSettings, 'failMode' | 'closedChars'>,
  estimate: Estimate,
): FilterReply {
  const unchanged = unchangedReply(given, code, [], estimate)
  if (settings.failMode === 'open') return unchanged
  const parts = given.texts.map((text) => boundText(text, settings.closedChars, code, estimate(text)))
  if (parts.every((part) => part === null)) return unchanged
  const texts = parts.map((part, index) => part?.text ?? given.texts[index] ?? '')
  const { before } = unchanged.tokens
  const after = sum(texts, estimate)
  return {
    ...unchanged,
    streams: streamsOf(given.shape, texts),
    filtered: true,
    strategy: 'bounded',
    lines: sumLines(parts.map((part, index) => part?.lines ?? allKept(given.texts[index] ?? ''))),
    tokens: { before, after, saved: before - after },
  }
}

export function filteredReply(
  given: Given,
  texts: readonly string[],
  plans: readonly FilterPlan[],
  spill: Spilled | null,
): FilterReply {
  const first = plans.find((plan) => plan.changed)
  const before = sum(plans, (plan) => plan.tokensBefore)
  const after = sum(plans, (plan) => (plan.changed ? plan.tokensAfter : plan.tokensBefore))
  return {
    streams: streamsOf(given.shape, texts),
    filtered: true,
    reason: null,
    family: first?.family ?? null,
    strategy: first?.changed ? first.strategy : null,
    lines: sumLines(plans.map((plan) => plan.lines)),
    tokens: { before, after, saved: before - after },
    spill,
    warnings: [...given.warnings, ...plans.flatMap((plan) => plan.warnings)],
  }
}

/** A block replaces the whole result: the guard's text stands in the first stream, the other is empty. */
export function blockedReply(
  shape: Streams,

  code: string,
  text: string,
  estimate: Estimate,
): FilterReply {
  const texts = [text]
  const after = estimate(text)
  return {
    streams: streamsOf(shape, texts),
    filtered: false,
    reason: code,
    family: null,
    strategy: null,
    lines: { in: 0, kept: 0, restated: 0, elided: 0 },
    tokens: { before: after, after, saved: 0 },
    spill: null,
    warnings: [],
  }
}

/** A reply whose texts the guard has redacted once more. */
export function redactedReply(
  reply: FilterReply,
  texts: readonly string[],
  notes: readonly string[],
  estimate: Estimate,
): FilterReply {
  const after = sum(texts, estimate)
  const { before } = reply.tokens
  return {
    ...reply,
    streams: streamsOf(reply.streams, texts),
    tokens: { before, after, saved: before - after },
    // What was said of the raw text need not be said again.
    warnings: [...new Set([...reply.warnings, ...notes])],
  }
}

function allKept(text: string): LineCount {
  const lines = countLines(text)
  return { in: lines, kept: lines, restated: 0, elided: 0 }
}

function sumLines(counts: readonly LineCount[]): LineCount {
  return {
    in: sum(counts, (count) => count.in),
    kept: sum(counts, (count) => count.kept),
    restated: sum(counts, (count) => count.restated),
    elided: sum(counts, (count) => count.elided),
  }
}

function sum<T>(items: readonly T[], size: (item: T) => number): number {
  return items.reduce((total, item) => total + size(item), 0)
}
