import { type Timer, within } from './deadline.ts'
import { checkVerdict, type Guard, type GuardVerdict } from './ports.ts'
import type { GuardSettings } from './settings.ts'

/** What the guard makes of a result's texts: `texts` is what may go on from here, redacted where it said so. */
export type Judged =
  | { readonly action: 'allow'; readonly texts: readonly string[]; readonly notes: readonly string[] }
  | { readonly action: 'redact'; readonly texts: readonly string[]; readonly notes: readonly string[] }
  | { readonly action: 'block'; readonly code: 'blocked' | 'guard-failed'; readonly text: string }

/** Judges the texts of one result (its streams). Never rejects: a guard that fails or hangs counts as set. */
export type Judge = (texts: readonly string[], stage: 'raw' | 'filtered', tool: string | undefined) => Promise<Judged>

const NOT_IN_A_MARKER = /[\]\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g

/** The one place where a guard is asked. Each text is judged by itself; one block blocks the whole result. */
export function createJudge(guard: Guard | undefined, settings: GuardSettings, timer: Timer): Judge {
  if (!guard) return async (texts) => ({ action: 'allow', texts, notes: [] })
  return async (texts, stage, tool) => {
    const context = { tool: tool ?? null }
    try {
      const verdicts = await within(timer, settings.timeoutMs, () =>
        Promise.all(texts.map(async (text) => checkVerdict(await guard.judge(text, stage, context)))),
      )
      return combine(texts, verdicts)
    } catch {
      if (settings.failMode === 'open')
        return { action: 'allow', texts, notes: ['guard-failed: the result was not judged'] }
      return { action: 'block', code: 'guard-failed', text: blockedText('the guard failed') }
    }
  }
}

function combine(texts: readonly string[], verdicts: readonly GuardVerdict[]): Judged {
  const notes: string[] = []
  const after: string[] = []
  let redacted = false
  const blocks = verdicts.filter((verdict) => verdict.action === 'block')
  const block = blocks.find((verdict) => verdict.failed !== true) ?? blocks[0]
  if (block) {
    return { action: 'block', code: block.failed ? 'guard-failed' : 'blocked', text: blockedText(block.reason) }
  }
  for (const [index, verdict] of verdicts.entries()) {
    if (verdict.action === 'block') continue
    notes.push(...(verdict.warnings ?? []))
    if (verdict.action === 'redact') {
      redacted = true
      notes.push(`redacted: ${verdict.reason}`)
    }
    after.push(verdict.action === 'redact' ? verdict.text : (texts[index] ?? ''))
  }
  return { action: redacted ? 'redact' : 'allow', texts: after, notes }
}

/** What stands in the place of a blocked result: one line, bounded, whatever the reason holds. */
export function blockedText(reason: string): string {
  const words = reason.toWellFormed().replace(NOT_IN_A_MARKER, ' ').trim()
  return `[blocked: ${words.length > 200 ? `${words.slice(0, 200).replace(/[\ud800-\udbff]$/, '')}…` : words}]`
}
