import type { FilterContext, FilterPlan } from '../engine/filter.ts'
import type { Engine } from './engine.ts'
import type { Judge } from './guarded.ts'
import { writeHint } from './hint.ts'
import type { Observation, Observer } from './observe.ts'
import {
  blockedReply,
  type Estimate,
  type FailureCode,
  failedReply,
  filteredReply,
  type Given,
  redactedReply,
  unchangedReply,
} from './reply.ts'
import type { Settings } from './settings.ts'
import type { Output, Spilled, Spiller } from './spill.ts'
import { shareTokens, textsOf } from './streams.ts'
import type { FilterReply, FilterRequest, Spillway } from './types.ts'

export interface FilterParts {
  readonly engine: Engine
  readonly settings: Settings
  readonly judge: Judge
  readonly spiller: Spiller | null
  readonly observer: Observer
  readonly estimate: Estimate
}

/** Guard the raw result, plan, store, render, guard what was rendered: in this order, and nothing leaves before its end. */
export function createFilter(parts: FilterParts): Spillway['filter'] {
  const { judge, estimate, observer, settings } = parts

  async function filterResult(request: FilterRequest, tenant: string, observation: Observation): Promise<FilterReply> {
    const shape = request.streams
    const raw = await judge(textsOf(shape), 'raw', request.tool)
    if (raw.action === 'block') return blockedReply(shape, raw.code, raw.text, estimate)

    const given: Given = { shape, texts: raw.texts, warnings: raw.notes }
    const output = outputOf(given, raw.action === 'allow' ? request.raw : undefined, request.session)
    observation.note({ bytes: output.content.length })
    let reply: FilterReply
    try {
      const condensed = await condense(request, given, output, tenant, observation)
      reply = 'failure' in condensed ? failedReply(given, condensed.failure, settings.filters, estimate) : condensed
    } catch {
      reply = failedReply(given, 'failed', settings.filters, estimate)
    }
    if (!reply.filtered) return reply

    const shown = await judge(textsOf(reply.streams), 'filtered', request.tool)
    if (shown.action === 'block') return blockedReply(shape, shown.code, shown.text, estimate)
    return shown.action === 'redact' || shown.notes.length > 0
      ? redactedReply(reply, shown.texts, shown.notes, estimate)
      : reply
  }

  async function condense(
    request: FilterRequest,
    given: Given,
    output: Output,
    tenant: string,
    observation: Observation,
  ): Promise<FilterReply | { readonly failure: FailureCode }> {
    if (!settings.filters.enabled) return unchangedReply(given, 'disabled', [], estimate)
    if (output.content.length > settings.filters.maxContentBytes) return { failure: 'too-large' }
    // UTF-8 can't hold a lone surrogate, so what would be stored is not what came in.
    if (!given.texts.every((text) => text.isWellFormed())) return unchangedReply(given, 'lone-surrogates', [], estimate)

    const plans = attempt(() => observation.engine(() => plan(parts, request, given.texts)))
    if (!plans) return { failure: 'engine-failed' }
    if (!plans.some((each) => each.changed)) return unchangedReply(given, reasonOf(plans), plans, estimate)

    let spill: Spilled | null = null
    if (parts.spiller) {
      try {
        spill = await parts.spiller.put(tenant, output)
      } catch {
        return { failure: 'store-failed' }
      }
    }
    const id = spill?.id ?? null
    const texts = attempt(() => observation.engine(() => render(parts.engine, given.texts, plans, id)))
    return texts ? filteredReply(given, texts, plans, spill) : { failure: 'engine-failed' }
  }

  return (request, caller) =>
    observer.watch('filter', caller, async (observation) => {
      const reply = await filterResult(request, caller.tenant, observation)
      observation.note({
        outcome: reply.reason ?? 'ok',
        family: reply.family ?? '',
        strategy: reply.strategy ?? '',
        tokensBefore: reply.tokens.before,
        tokensAfter: reply.tokens.after,
        tokensSaved: reply.tokens.saved,
        lines: reply.lines.in,
        spills: reply.spill ? 1 : 0,
      })
      return reply
    })
}

function plan(
  { engine, settings, estimate }: FilterParts,
  request: FilterRequest,
  texts: readonly string[],
): FilterPlan[] {
  const { command, tool, exitCode, maxTokens: max } = request
  const hint = writeHint(request.hint ?? settings.hint)
  const [first = '', second] = texts
  const bounds = max === undefined || second === undefined ? [max] : shareTokens(max, estimate(first), estimate(second))
  return texts.map((text, index) => {
    const maxTokens = bounds[index]
    const context: FilterContext = {
      ...(command !== undefined && { command }),
      ...(tool !== undefined && { tool }),
      ...(exitCode !== undefined && { exitCode }),
      ...(maxTokens !== undefined && { maxTokens }),
      ...(hint !== undefined && { hint }),
    }
    return engine.planFilter(text, context, settings.filters.options)
  })
}

function render(engine: Engine, texts: readonly string[], plans: readonly FilterPlan[], id: string | null): string[] {
  return plans.map((each, index) => (each.changed ? engine.renderFilter(each, id) : (texts[index] ?? '')))
}

/** What recall gives back: the bytes received where the caller has them, else the texts, one after the other. */
function outputOf(given: Given, raw: Uint8Array | undefined, session: string | undefined): Output {
  const owner = session === undefined ? {} : { session }
  const encoder = new TextEncoder()
  const [first = '', second] = given.texts
  if (second === undefined) return { content: raw ?? encoder.encode(first), meta: { kind: 'text', ...owner } }
  return {
    content: encoder.encode(first + second),
    meta: { kind: 'text', stdoutBytes: encoder.encode(first).length, ...owner },
  }
}

/** Of two streams' reasons the one that says more: `small` says nothing of the other. */
function reasonOf(plans: readonly FilterPlan[]): string {
  const reasons = plans.flatMap((each) => (each.changed ? [] : [each.reason]))
  return reasons.find((reason) => reason !== 'small') ?? 'small'
}

function attempt<T>(work: () => T): T | null {
  try {
    return work()
  } catch {
    return null
  }
}
