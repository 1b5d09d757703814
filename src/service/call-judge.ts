import type { Judge, Judged } from './guarded.ts'
import { createLimit } from './limit.ts'

/** Judges the texts of one call's outputs, one by one: each once, and so many at a time. Never rejects. */
export type CallJudge = (text: string, stage: 'raw' | 'filtered', tool: string) => Promise<Judged>

/** Questions to a guard that run at a time: a call may be about hundreds of outputs, and a guard's clock runs from its question on. */
const GUARD_WIDTH = 6

const NOT_ASKED: Judged = { action: 'block', code: 'guard-failed', text: '' }

/**
 * Once the guard has failed, the call does not wait for failure after failure: where that blocks, nothing more is asked,
 * and where it lets pass, what is left is asked at once (other guards may have their say).
 */
export function createCallJudge(judge: Judge): CallJudge {
  const limit = createLimit(GUARD_WIDTH)
  const known = new Map<string, Promise<Judged>>()
  let failing = false
  let blocking = false

  async function ask(text: string, stage: 'raw' | 'filtered', tool: string): Promise<Judged> {
    if (blocking) return NOT_ASKED
    const asked = judge([text], stage, tool === '' ? undefined : tool)
    if (failing) return asked
    const judged = await asked
    blocking ||= judged.action === 'block' && judged.code === 'guard-failed'
    failing ||= judged.action !== 'block' && judged.notes.some((note) => note.startsWith('guard-failed'))
    return judged
  }

  return (text, stage, tool) => {
    const key = `${stage} ${JSON.stringify(tool)} ${text}`
    const judged = known.get(key) ?? inTurn(() => ask(text, stage, tool))
    known.set(key, judged)
    return judged
  }

  /** As soon as it is its turn; where the guard is failing, its turn is over once it has asked. */
  async function inTurn(work: () => Promise<Judged>): Promise<Judged> {
    const { asked } = await limit(async () => {
      const asked = work()
      if (!failing) await asked
      return { asked }
    })
    return asked
  }
}
