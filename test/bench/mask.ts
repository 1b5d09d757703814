import { spliceJson } from '../../src/engine/json.ts'
import { planMask } from '../../src/engine/mask.ts'
import { createMemo, type Memo } from '../../src/engine/memo.ts'
import { DEFAULT_POLICY } from '../../src/engine/policy.ts'
import { loadFixtures } from '../support/fixtures.ts'

const SIZE = 2 * 1024 * 1024
const RUNS = 7

/** Recorded outputs as the results of an agent's calls, one call an answer, in the shape of Anthropic Messages. */
export function recordedHistory(size: number): unknown[] {
  const fixtures = loadFixtures().filter(({ text }) => text.length > 500 && text.length < 60_000)
  const list: unknown[] = [{ role: 'user', content: 'Make the build pass.' }]
  let held = 0
  for (let i = 0; held < size; i += 1) {
    const { command, text } = fixtures[(i * 37) % fixtures.length] ?? { command: 'ls', text: 'a\n' }
    const id = `toolu_${i}`
    list.push(
      { role: 'assistant', content: [{ type: 'tool_use', id, name: 'bash', input: { command } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: `run ${i}\n${text}` }] },
    )
    held += text.length
  }
  return [...list, { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] }]
}

/** Milliseconds of the fastest of a few runs. */
function fastest<T>(prepare: () => T, work: (made: T) => unknown): number {
  let best = Number.POSITIVE_INFINITY
  for (let i = 0; i < RUNS; i += 1) {
    const made = prepare()
    const start = performance.now()
    work(made)
    best = Math.min(best, performance.now() - start)
  }
  return best
}

function maskText(json: string, memo: Memo): string {
  const list: unknown = JSON.parse(json)
  if (!Array.isArray(list)) throw new Error('a history is a list')
  const plan = planMask({ format: 'anthropic', key: 'messages', list, json, policy: DEFAULT_POLICY, memo })
  if (!plan.ok) throw new Error(plan.message)
  const ids = plan.spills.map(() => `o_m${'a'.repeat(31)}`)
  return spliceJson(json, plan.render({ ids, events: plan.events.length }).edits)
}

/** Prints what masking a history costs, as a multiple of parsing and writing it: its text in, the masked text out. */
export function reportMask(): void {
  const json = JSON.stringify(recordedHistory(SIZE))
  const plain = fastest(
    () => null,
    () => JSON.stringify(JSON.parse(json)),
  )
  const known = createMemo()
  const masked = maskText(json, known)
  // A service remembers previews between calls, and measures each text anew.
  const previewed = fastest(
    () => ({ ...createMemo(), previews: known.previews }),
    (memo) => maskText(json, memo),
  )
  const measured = fastest(
    () => known,
    (memo) => maskText(json, memo),
  )
  const kept = fastest(
    () => createMemo(),
    (memo) => maskText(masked, memo),
  )
  const cold = fastest(createMemo, (memo) => maskText(json, memo))
  const row = (name: string, time: number) => `| ${name} | ${time.toFixed(1)} ms | ${(time / plain).toFixed(2)} |`
  const mb = (json.length / 1024 / 1024).toFixed(1)
  console.log(`\n## Masking a history of ${mb} MB, parsing and splicing included, without the store\n`)
  console.log('| call | time | over `JSON.parse` and `JSON.stringify` |\n|---|--:|--:|')
  console.log(row('the same history again, sizes and previews remembered', measured))
  console.log(row('previews remembered', previewed))
  console.log(row('the masked history, as a client keeps it', kept))
  console.log(row('nothing remembered', cold))
}
