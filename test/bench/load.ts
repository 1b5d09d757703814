import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { NODE_COMMAND, type Spawned, spawnServer } from '../runtime/servers.ts'

const CONNECTIONS = 32
/** Sizes of outputs in bytes, evenly spread on a logarithmic scale. */
const SMALLEST = 4 * 1024
const LARGEST = 1024 * 1024
/** Texts that outputs are made of: made once, so that the client's own work stays small. */
const TEXTS = 48

interface Stored {
  readonly id: string
  readonly sum: string
}

interface Tally {
  readonly latencies: Record<'filter' | 'recall', number[]>
  readonly stored: Stored[]
  errors: number
  firstError: string | null
}

/**
 * Puts a Node server with a file store under load: a closed loop of 32 connections that filters new outputs and recalls
 * earlier ones, half each. Then every output is recalled once more and compared. Prints what came of it.
 * @returns true where nothing failed and nothing was lost
 */
export async function reportLoad(seconds: number): Promise<boolean> {
  const server = await spawnServer(...NODE_COMMAND, {})
  try {
    const tally: Tally = { latencies: { filter: [], recall: [] }, stored: [], errors: 0, firstError: null }
    const resident: number[] = []
    const sampler = setTimeout(() => resident.push(residentMiB(server)), (seconds / 4) * 1000)
    const until = performance.now() + seconds * 1000
    const texts = Array.from({ length: TEXTS }, (_, i) =>
      makeText(SMALLEST * (LARGEST / SMALLEST) ** (i / (TEXTS - 1))),
    )
    let turn = 0
    await together(async () => {
      while (performance.now() < until) {
        turn += 1
        const recalled = turn % 2 === 0 ? tally.stored[(turn * 7919) % tally.stored.length] : undefined
        if (recalled) await timed(tally, 'recall', () => recall(server, recalled))
        else
          await timed(tally, 'filter', () => filter(server, tally, `run ${turn}\n${texts[(turn * 31) % TEXTS] ?? ''}`))
      }
    })
    clearTimeout(sampler)
    resident.push(residentMiB(server))
    const lost = await countLost(server, tally.stored)
    print(seconds, tally, resident, lost)
    return tally.errors === 0 && lost === 0
  } finally {
    await server.stop()
  }
}

/** The output of tests that pass, but for one: of about so many bytes. */
function makeText(bytes: number): string {
  let text = '=== RUN   TestLast\n    last_test.go:7: got 3, want 4\n--- FAIL: TestLast (0.01s)\n'
  const rows: string[] = []
  for (let i = 0; text.length + rows.length * 75 < bytes; i += 1) {
    const name = `TestCase${(i * 2_654_435_761) % 1_000_003}`
    rows.push(`=== RUN   ${name}\n--- PASS: ${name} (0.${i % 100}s) in ${(i * 40_503) % 65_537}`)
  }
  text = `${rows.join('\n')}\n${text}FAIL\nFAIL\texample.com/load\t1.2s\nFAIL\n`
  return text
}

async function together(work: () => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: CONNECTIONS }, work))
}

async function timed(tally: Tally, kind: 'filter' | 'recall', work: () => Promise<void>): Promise<void> {
  const start = performance.now()
  try {
    await work()
    tally.latencies[kind].push(performance.now() - start)
  } catch (error) {
    tally.errors += 1
    tally.firstError ??= String(error)
  }
}

async function filter(server: Spawned, tally: Tally, output: string): Promise<void> {
  const response = await fetch(`${server.url}/v1/filter?command=go%20test%20-v%20./...&exitCode=1`, {
    method: 'POST',
    body: output,
    headers: { 'content-type': 'text/plain' },
  })
  const text = await response.text()
  const id = response.headers.get('spillway-output-id')
  const reason = response.headers.get('spillway-reason')
  if (response.status !== 200 || id === null) throw new Error(`filter: ${response.status}, not stored: ${reason}`)
  if (!text.includes('last_test.go:7: got 3, want 4')) throw new Error('filter: the failure is gone')
  tally.stored.push({ id, sum: sumOf(output) })
}

/** @throws Error where an output does not come back as the bytes that went in */
async function recall(server: Spawned, { id, sum }: Stored): Promise<void> {
  const response = await fetch(`${server.url}/v1/outputs/${id}`)
  const bytes = new Uint8Array(await response.arrayBuffer())
  if (response.status !== 200) throw new Error(`recall: ${response.status}`)
  if (sumOf(bytes) !== sum) throw new Error('recall: other bytes came back')
}

async function countLost(server: Spawned, stored: readonly Stored[]): Promise<number> {
  let next = 0
  let lost = 0
  await together(async () => {
    for (let each = stored[next++]; each; each = stored[next++]) {
      await recall(server, each).catch(() => {
        lost += 1
      })
    }
  })
  return lost
}

function sumOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('base64')
}

/** Memory that the server's process holds, in MiB. */
function residentMiB({ child }: Spawned): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(child.pid)], { encoding: 'utf8' })) / 1024
}

function print(seconds: number, tally: Tally, resident: readonly number[], lost: number): void {
  const { filter: filters, recall: recalls } = tally.latencies
  const [early = Number.NaN, late = Number.NaN] = resident
  console.log(
    `load: ${CONNECTIONS} connections for ${seconds} s, outputs of 4 KB to 1 MB, half filtered, half recalled`,
  )
  console.log(
    `  requests ${filters.length + recalls.length + tally.errors}, errors ${tally.errors}${tally.firstError === null ? '' : ` (${tally.firstError})`}`,
  )
  console.log(`  outputs stored ${tally.stored.length}, all recalled and compared, lost ${lost}`)
  for (const [kind, latencies] of Object.entries(tally.latencies)) {
    console.log(
      `  ${kind}: ${latencies.length}, p50 ${percentile(latencies, 0.5)} ms, p99 ${percentile(latencies, 0.99)} ms`,
    )
  }
  console.log(
    `  resident memory: ${early.toFixed(0)} MiB at ${seconds / 4} s, ${late.toFixed(0)} MiB at ${seconds} s: ${(late / early).toFixed(2)} times`,
  )
}

function percentile(values: readonly number[], share: number): string {
  const sorted = [...values].sort((a, b) => a - b)
  return (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN).toFixed(1)
}
