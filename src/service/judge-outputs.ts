import type { MaskPlan, Spill } from '../engine/mask.ts'
import type { CallJudge } from './call-judge.ts'
import { Refusal } from './spill.ts'

/** A spill's index, and why nothing of it may be stored or shown otherwise than it came in: a guard's verdict, the same at every call. */
export interface Refused {
  readonly spill: number
  readonly code: string
}

/**
 * Judges outputs as they came in, then what the event would show of them. The model has seen these results already;
 * what the guard may still keep out is the store, the stub and the filtered form.
 */
export async function judgeOutputs(
  plan: MaskPlan,
  event: number,
  spills: readonly number[],
  judge: CallJudge,
): Promise<{ contents: string[]; notes: string[] } | { refused: Refused[] }> {
  const refused: Refused[] = []
  const notes: string[] = []
  const contents: (string | null)[] = plan.spills.map(() => null)
  await Promise.all(
    spills.map(async (spill) => {
      const output = plan.spills[spill]
      if (!output) return
      const verdict = await judge(output.content, 'raw', output.tool)
      if (verdict.action === 'block') {
        if (verdict.code === 'guard-failed') throw new Refusal(verdict.code)
        refused.push({ spill, code: verdict.code })
        return
      }
      const content = verdict.texts[0] ?? ''
      notes.push(...verdict.notes)
      contents[spill] = content
      if (content !== output.content && !isStorable(output.kind, content)) refused.push({ spill, code: 'redacted' })
    }),
  )
  if (refused.length > 0) return { refused }
  const wanted = new Set(spills)
  await Promise.all(
    plan.shown(event, contents).map(async ({ spill, text }) => {
      if (!wanted.has(spill)) return
      const verdict = await judge(text, 'filtered', plan.spills[spill]?.tool ?? '')
      if (verdict.action === 'block' && verdict.code === 'guard-failed') throw new Refusal(verdict.code)
      if (verdict.action === 'block') refused.push({ spill, code: verdict.code })
      else if (verdict.texts[0] !== text) refused.push({ spill, code: 'redacted' })
      else notes.push(...verdict.notes)
    }),
  )
  return refused.length > 0 ? { refused } : { contents: spills.map((spill) => contents[spill] ?? ''), notes }
}

/** Whether what a guard has left of an output still is what its kind promises. */
function isStorable(kind: Spill['kind'], text: string): boolean {
  if (!text.isWellFormed()) return false
  if (kind === 'text') return true
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
