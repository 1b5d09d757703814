/**
 * One way of reading an output, in a process of its own, so that its peak memory is its own too; prints one line of JSON. For Linux.
 * `node --expose-gc recall-run.ts <folder> <id> <way>`
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { loadPatterns } from '../../src/service/pattern.ts'
import { searchLines } from '../../src/service/search.ts'
import type { Blobs, StoredRange } from '../../src/store/blobs.ts'
import { openBody } from '../../src/store/block-format.ts'
import { openFileBlobs } from '../../src/store/file.ts'
import { createOutputStore } from '../../src/store/output-store.ts'
import { holdBody } from '../../src/store/stored-body.ts'
import { BENCH_KEY, BENCH_TENANT, PATTERN } from './recall-names.ts'

const [folder = '', id = '', way = ''] = process.argv.slice(2)
const blobs = await openFileBlobs(folder, Date.now)
await blobs.swept
const ranges: (StoredRange | undefined)[] = []
const watched: Blobs = {
  ...blobs,
  get(key, range) {
    ranges.push(range)
    return blobs.get(key, range)
  },
}
const store = createOutputStore(watched, { now: Date.now })
const compile = await loadPatterns()
const made = compile(PATTERN)
const matches = typeof made === 'function' ? made : () => false

async function readWhole(): Promise<Uint8Array> {
  const part = await store.get(BENCH_TENANT, id)
  return 'missing' in part ? new Uint8Array(0) : part.content
}

async function search(max: number): Promise<number> {
  const stream = await store.stream(BENCH_TENANT, id)
  if ('missing' in stream) return 0
  const options = { matches, context: 2, max, firstLine: 1, lastLine: stream.lines }
  return (await searchLines(stream.parts, options)).matches
}

const WAYS: Readonly<Record<string, () => Promise<number>>> = {
  'last 50 lines': async () => {
    const part = await store.get(BENCH_TENANT, id, { tail: 50 })
    return 'missing' in part ? 0 : new TextDecoder().decode(part.content).split('\n').length
  },
  'last 50 lines of the whole': async () =>
    new TextDecoder()
      .decode(await readWhole())
      .trimEnd()
      .split('\n')
      .slice(-50).length,
  'grep, all matches': () => search(9999),
  'grep, first 10': () => search(10),
  'grep in the whole': async () =>
    new TextDecoder()
      .decode(await readWhole())
      .split('\n')
      .filter(matches).length,
}

// Warm: the first read of a process loads what every later one finds loaded.
await store.get(BENCH_TENANT, id, { head: 1 })
globalThis.gc?.()
ranges.length = 0
const before = process.memoryUsage().rss / 1024
// Linux: begins the count of the peak anew.
writeFileSync('/proc/self/clear_refs', '5')
const from = performance.now()
const found = await (WAYS[way] ?? (async () => -1))()
const ms = performance.now() - from
// Not getrusage's figure: that is inherited from whoever started the process.
const peakKib = Number(/VmHWM:\s*(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) - before

const held = await holdBody(blobs, BENCH_KEY(id), false)
if (held === null) throw new Error('not stored')
const { index } = await openBody(id, held, null)
const { size } = held
const read = new Set<number>()
for (const range of ranges) {
  const [start, end] =
    range === undefined ? [0, size] : 'suffix' in range ? [size, size] : [range.offset, range.offset + range.length]
  for (const [number, block] of index.blocks.entries())
    if (block.start < end && start < block.start + block.length) read.add(number)
}
console.log(JSON.stringify({ found, ms, peakKib, blocks: read.size, of: index.blocks.length, requests: ranges.length }))
