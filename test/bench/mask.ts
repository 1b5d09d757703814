import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spliceJson } from '../../src/engine/json.ts'
import { planMask } from '../../src/engine/mask.ts'
import { createMemo, type Memo } from '../../src/engine/memo.ts'
import { DEFAULT_POLICY } from '../../src/engine/policy.ts'
import { createSpillway } from '../../src/service/index.ts'
import { createMemo as createLastingMemo } from '../../src/service/memo.ts'
import type { OutputStore } from '../../src/service/ports.ts'
import { defaultSettings } from '../../src/service/settings.ts'
import type { MaskRequest, Spillway } from '../../src/service/types.ts'
import type { Blobs } from '../../src/store/blobs.ts'
import { openFileBlobs } from '../../src/store/file.ts'
import { outputKey } from '../../src/store/key.ts'
import { createMemoryBlobs } from '../../src/store/memory.ts'
import { createOutputStore } from '../../src/store/output-store.ts'
import { loadFixtures } from '../support/fixtures.ts'
import { measureCpu, type Subject } from './cpu.ts'

const SIZE = 2 * 1024 * 1024
const ROUNDS = 11
const CALLER = { tenant: 'bench', route: 'bench' }

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

function maskText(json: string, memo: Memo): string {
  const list: unknown = JSON.parse(json)
  if (!Array.isArray(list)) throw new Error('a history is a list')
  const plan = planMask({ format: 'anthropic', key: 'messages', list, json, policy: DEFAULT_POLICY, memo })
  if (!plan.ok) throw new Error(plan.message)
  const ids = plan.spills.map(() => `o_m${'a'.repeat(31)}`)
  return spliceJson(json, plan.render({ ids, events: plan.events.length }).edits)
}

/** The service with a store of its own, and what it is asked. */
interface Served {
  readonly spillway: Spillway
  readonly store: OutputStore
}

function serve(blobs: Blobs): Served {
  const store = createOutputStore(blobs, { now: Date.now })
  const secret = new TextEncoder().encode('a secret for a benchmark'.padEnd(32, '.'))
  const keyOf = (tenant: string, content: Uint8Array, meta: Parameters<typeof outputKey>[3]) =>
    outputKey(secret, tenant, content, meta)
  return { spillway: createSpillway({ settings: defaultSettings, store, keyOf }), store }
}

/** From the request's text to the answer's, as a server does it. */
async function maskCall({ spillway }: Served, json: string, more: Partial<MaskRequest> = {}): Promise<void> {
  const list: unknown = JSON.parse(json)
  if (!Array.isArray(list)) throw new Error('a history is a list')
  const { report } = await spillway.mask({ format: 'anthropic', key: 'messages', list, json, ...more }, CALLER)
  const done = more.policy === undefined ? 'masked' : report.reason
  if (report.reason !== done) throw new Error(`the call did nothing: ${String(report.reason)}`)
}

/** The first call that stores a history's outputs, its previews known already, in a store that is new each time. */
function firstSpill(name: string, json: string, open: () => Promise<Blobs> | Blobs, close: () => void): Subject {
  let served: Served | null = null
  return {
    name,
    async prepare() {
      served = serve(await open())
      await maskCall(served, json, { policy: { dryRun: true } })
    },
    work: () => served && maskCall(served, json),
    after: close,
  }
}

/**
 * Prints what masking a history costs, from its text to the masked text, as a multiple of parsing and writing it: by the
 * engine, then by the service with a store.
 */
export async function reportMask(): Promise<void> {
  const json = JSON.stringify(recordedHistory(SIZE))
  const memoOf = createLastingMemo(defaultSettings.mask.memoChars)
  const masked = maskText(json, memoOf('bench'))
  const served = serve(createMemoryBlobs())
  await maskCall(served, json)
  let folder = ''
  const subjects: readonly Subject[] = [
    { name: 'engine: the same history again', work: () => maskText(json, memoOf('bench')) },
    { name: 'engine: the masked history, as a client keeps it', work: () => maskText(masked, memoOf('bench')) },
    { name: 'engine: nothing remembered', work: () => maskText(json, createMemo()) },
    { name: 'service: the same history again, its outputs stored', work: () => maskCall(served, json) },
    firstSpill('service: the first call that stores its outputs, in memory', json, createMemoryBlobs, () => {}),
    firstSpill(
      'service: the first call that stores its outputs, in files',
      json,
      async () => {
        folder = mkdtempSync(join(tmpdir(), 'spillway-bench-'))
        return openFileBlobs(folder, Date.now)
      },
      () => rmSync(folder, { recursive: true }),
    ),
  ]
  const base: Subject = { name: '`JSON.parse` and `JSON.stringify`', work: () => JSON.stringify(JSON.parse(json)) }
  const costs = await measureCpu(base, subjects, ROUNDS)
  const mb = (json.length / 1024 / 1024).toFixed(1)
  console.log(`\n## Masking a history of ${mb} MB, parsing and splicing included: CPU time over ${ROUNDS} rounds\n`)
  console.log('| call | CPU time, least | over `JSON.parse` and `JSON.stringify`, median |\n|---|--:|--:|')
  for (const [name, { ms, ratio }] of costs) console.log(`| ${name} | ${ms.toFixed(1)} ms | ${ratio.toFixed(2)} |`)
}
