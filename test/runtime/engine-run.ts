import { DEFAULT_POLICY, planFilter, planMask, renderFilter, spliceJson } from '../../src/engine/index.ts'

/** One output, and what is known of it. */
export interface Sample {
  readonly name: string
  readonly text: string
  readonly command: string
  readonly exitCode: number | null
}

const ID = `o_m${'a'.repeat(31)}`

/** What a caller without a service does with the engine: this very code runs on Node and inside a page. */
export function condense({ text, command, exitCode }: Sample): string {
  const plan = planFilter(text, { command, ...(exitCode !== null && { exitCode }) })
  return plan.changed ? renderFilter(plan, ID) : `unchanged: ${plan.reason}`
}

/** Masks a chat history; gives its JSON. */
export function mask(json: string): string {
  const list: unknown = JSON.parse(json)
  if (!Array.isArray(list)) throw new TypeError('a message list is an array')
  const plan = planMask({ format: 'auto', key: 'messages', list, json, policy: DEFAULT_POLICY })
  if (!plan.ok) throw new Error(plan.message)
  const { edits } = plan.render({ ids: plan.spills.map(() => ID), events: plan.events.length })
  return spliceJson(json, edits)
}
