import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as z from 'zod'
import { openFileBlobs } from '../../src/store/file.ts'
import { createOutputStore } from '../../src/store/output-store.ts'
import { BENCH_TENANT } from './recall-names.ts'
import { serviceLog } from './speed.ts'

const MB = 1024 * 1024
const RUN = fileURLToPath(new URL('./recall-run.ts', import.meta.url))
const answer = z.object({
  found: z.number(),
  ms: z.number(),
  peakKib: z.number(),
  blocks: z.number(),
  of: z.number(),
  requests: z.number(),
})

/** Prints what a slice and a search of a stored output of 25 MB cost, beside the same on the output read whole. */
export async function reportRecall(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'spillway-bench-'))
  try {
    const blobs = await openFileBlobs(folder, Date.now)
    const store = createOutputStore(blobs, { now: Date.now })
    const content = new TextEncoder().encode(serviceLog(25 * MB))
    const { id } = await store.put(BENCH_TENANT, 'a'.repeat(31), content, { kind: 'text' })
    console.log('\n## Recall of a service log of 25 MB in the file store, each in a process of its own\n')
    console.log('| what | found | blocks read | requests | time | memory over idle, at most |')
    console.log('|---|--:|--:|--:|--:|--:|')
    for (const way of [
      'last 50 lines',
      'last 50 lines of the whole',
      'grep, first 10',
      'grep, all matches',
      'grep in the whole',
    ]) {
      const { stdout, stderr } = spawnSync(
        process.execPath,
        ['--expose-gc', '--max-semi-space-size=1', RUN, folder, id, way],
        {
          encoding: 'utf8',
        },
      )
      if (stdout === '') throw new Error(`${way}: ${stderr}`)
      const { found, ms, peakKib, blocks, of, requests } = answer.parse(JSON.parse(stdout))
      const memory = `${(peakKib / 1024).toFixed(0)} MB`
      console.log(`| ${way} | ${found} | ${blocks} of ${of} | ${requests} | ${ms.toFixed(0)} ms | ${memory} |`)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
