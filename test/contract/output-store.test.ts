import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { KVNamespace, R2Bucket } from '@cloudflare/workers-types'
import { openFileBlobs } from '../../src/store/file.ts'
import { createKvBlobs } from '../../src/store/kv.ts'
import { createMemoryBlobs } from '../../src/store/memory.ts'
import { createR2Blobs } from '../../src/store/r2.ts'
import { createSealer } from '../../src/store/seal.ts'
import { createKvDouble } from '../doubles/kv.ts'
import { createR2Double } from '../doubles/r2.ts'
import { startMiniflare } from '../miniflare.ts'
import { type Clock, type OpenedBlobs, outputStoreContract, type Variant } from './output-store.ts'

const KIB = 1024
const key = (id: string) => ({ id, bytes: new Uint8Array(32).fill(id.charCodeAt(0)) })
const SEALER = createSealer([key('new'), key('old')])
/** Every storage is run with each. */
const VARIANTS: readonly [name: string, variant: Variant][] = [
  ['plain', {}],
  ['sealed', { sealer: SEALER }],
  ['cached', { cacheBytes: 2 * KIB * KIB }],
  ['sealed and cached', { sealer: SEALER, cacheBytes: 100 * KIB }],
]

const STORAGES: readonly [name: string, open: (clock: Clock) => Promise<OpenedBlobs>][] = [
  ['memory', async (clock) => ({ blobs: createMemoryBlobs({ now: () => clock.ms }) })],
  ['files', openFiles],
  ['KV with its published limits', async (clock) => ({ blobs: createKvBlobs(createKvDouble(() => clock.ms)) })],
  ['R2 with its published limits', async (clock) => ({ blobs: createR2Blobs(createR2Double(() => clock.ms)) })],
  [
    'two tiers, KV and R2',
    async (clock) => ({
      blobs: createKvBlobs(createKvDouble(() => clock.ms)),
      large: createR2Blobs(createR2Double(() => clock.ms)),
    }),
  ],
]

for (const [storage, open] of STORAGES)
  for (const [name, variant] of VARIANTS) outputStoreContract(`${storage}, ${name}`, open, variant)

// The same bindings by the platform's own emulator, which is slower, and knows fewer of its limits.
for (const [storage, open] of [
  ['KV in workerd', openKv],
  ['R2 in workerd', openR2],
] as const) {
  outputStoreContract(`${storage}, plain`, open)
  outputStoreContract(`${storage}, sealed and cached`, open, { sealer: SEALER, cacheBytes: 100 * KIB })
}

async function openFiles(clock: Clock): Promise<OpenedBlobs> {
  const folder = await mkdtemp(join(tmpdir(), 'spillway-'))
  const blobs = await openFileBlobs(join(folder, 'outputs'), () => clock.ms)
  await blobs.swept
  return { blobs, close: () => rm(folder, { recursive: true }) }
}

async function openKv(): Promise<OpenedBlobs> {
  const { bindings, dispose } = await startMiniflare<{ OUTPUTS: KVNamespace }>({
    bindings: { OUTPUTS: { type: 'kv' } },
  })
  return { blobs: createKvBlobs(bindings.OUTPUTS), close: dispose }
}

async function openR2(): Promise<OpenedBlobs> {
  const { bindings, dispose } = await startMiniflare<{ OUTPUTS: R2Bucket }>({ bindings: { OUTPUTS: { type: 'r2' } } })
  return { blobs: createR2Blobs(bindings.OUTPUTS), close: dispose }
}
