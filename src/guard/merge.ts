import type { Timer } from '../service/deadline.ts'
import { checkVerdict, type Guard, type GuardVerdict } from '../service/ports.ts'

/** One of several guards, and what becomes of a result that it gives no verdict on. */
export interface GuardMember {
  /** For warnings and reasons. */
  readonly name: string
  readonly guard: Guard
  /** What it counts as when it throws, answers nonsense or is late: `closed` a block, `open` an allow with a warning. */
  readonly failMode: 'open' | 'closed'
  /** Milliseconds that it may take for one result, all questions together; null for a guard that can't be late. */
  readonly timeoutMs: number | null
}

/** What several verdicts on one text come to: a block wins over redactions, a redaction over an allow. */
export type Merged =
  | { readonly action: 'allow'; readonly warnings: readonly string[] }
  | { readonly action: 'redact'; readonly redactions: readonly Redaction[]; readonly warnings: readonly string[] }
  | { readonly action: 'block'; readonly reason: string; readonly failed: boolean }

export interface Redaction {
  /** Place of the verdict among those merged. */
  readonly by: number
  readonly text: string
  readonly reason: string
}

/** Merges verdicts on one and the same text. The order of the list decides how reasons are told, never what wins. */
export function mergeOutcomes(outcomes: readonly GuardVerdict[]): Merged {
  const blocks = outcomes.filter((outcome) => outcome.action === 'block')
  const meant = blocks.filter((block) => block.failed !== true)
  if (blocks.length > 0) {
    const reasons = new Set((meant.length > 0 ? meant : blocks).map((block) => block.reason))
    return { action: 'block', reason: [...reasons].join('; '), failed: meant.length === 0 }
  }
  const warnings = outcomes.flatMap((outcome) => (outcome.action === 'block' ? [] : (outcome.warnings ?? [])))
  const redactions = outcomes.flatMap((outcome, by): Redaction[] =>
    outcome.action === 'redact' ? [{ by, text: outcome.text, reason: outcome.reason }] : [],
  )
  return redactions.length > 0 ? { action: 'redact', redactions, warnings } : { action: 'allow', warnings }
}

/**
 * One guard made of several. All judge a text at the same time, and all are waited for, so that the verdict does not
 * depend on who answers first. Where one redacts, the others judge what it left, until each has let the text pass that
 * goes on: guards give texts, not places, so two redactions of one text can't be laid over each other. Guards that
 * never agree on a text block it.
 */
export function createGuards(members: readonly GuardMember[], timer: Timer): Guard {
  // Guards that settle need a round each, and the first to redact may have to see what the others left.
  const maxRounds = 2 * members.length + 1

  return {
    async judge(text, stage, context) {
      const clocks = members.map(({ timeoutMs }) => startClock(timer, timeoutMs))
      const warnings = new Set<string>()
      const reasons = new Set<string>()
      let current = text
      let author: number | null = null
      try {
        for (let round = 0; round < maxRounds; round += 1) {
          const shown = current
          const asked = members.map((member, index) =>
            index === author ? ALLOWED : ask(member, clocks[index], () => member.guard.judge(shown, stage, context)),
          )
          const merged = mergeOutcomes(await Promise.all(asked))
          if (merged.action === 'block') return merged
          for (const warning of merged.warnings) warnings.add(warning)
          const redactions = merged.action === 'redact' ? merged.redactions : []
          const change = redactions.find((redaction) => redaction.text !== current)
          for (const each of change ? [change] : redactions) reasons.add(each.reason)
          if (!change) return verdictOf(current, [...reasons], [...warnings])
          current = change.text
          author = change.by
        }
        return { action: 'block', reason: 'the guards do not agree on a text' }
      } finally {
        for (const clock of clocks) clock.stop()
      }
    },
  }
}

const ALLOWED: GuardVerdict = { action: 'allow' }

function verdictOf(text: string, reasons: readonly string[], notes: readonly string[]): GuardVerdict {
  const warnings = notes.length > 0 ? { warnings: notes } : {}
  return reasons.length > 0
    ? { action: 'redact', text, reason: reasons.join('; '), ...warnings }
    : { action: 'allow', ...warnings }
}

/** Never rejects: what goes wrong with one guard must not undo what another found. */
async function ask(
  { name, failMode }: GuardMember,
  clock: Clock | undefined,
  judge: () => Promise<GuardVerdict>,
): Promise<GuardVerdict> {
  try {
    return checkVerdict(await Promise.race(clock?.late ? [judge(), clock.late] : [judge()]))
  } catch {
    return failMode === 'open'
      ? { action: 'allow', warnings: [`guard-failed: the result was not judged by ${name}`] }
      : { action: 'block', reason: `the guard failed: ${name}`, failed: true }
  }
}

interface Clock {
  /** Rejects when time is up; null where there is no limit. */
  readonly late: Promise<never> | null
  stop(): void
}

/** Runs from the first question on: a guard that is asked twice has no more time than one that is asked once. */
function startClock(timer: Timer, ms: number | null): Clock {
  if (ms === null) return { late: null, stop: () => undefined }
  const { promise, reject } = Promise.withResolvers<never>()
  // Nobody may be waiting when it goes off.
  promise.catch(() => undefined)
  const stop = timer(ms, () => reject(new Error(`no verdict in ${ms} ms`)))
  return { late: promise, stop }
}
