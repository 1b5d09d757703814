import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openFileBlobs } from '../../src/store/file.ts'
import { createKvBlobs } from '../../src/store/kv.ts'
import { createMemoryBlobs } from '../../src/store/memory.ts'
import { createR2Blobs } from '../../src/store/r2.ts'
import { createKvDouble } from '../doubles/kv.ts'
import { createR2Double } from '../doubles/r2.ts'
import { type Clock, type OpenedBlobs, outputStoreContract } from './output-store.ts'
import { VARIANTS } from './variants.ts'

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

async function openFiles(clock: Clock): Promise<OpenedBlobs> {
  const folder = await mkdtemp(join(tmpdir(), 'spillway-'))
  const blobs = await openFileBlobs(join(folder, 'outputs'), () => clock.ms)
  await blobs.swept
  return { blobs, close: () => rm(folder, { recursive: true }) }
}
