import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { KVNamespace, R2Bucket } from '@cloudflare/workers-types'
import { openFileBlobs } from '../../src/store/file.ts'
import { createKvBlobs } from '../../src/store/kv.ts'
import { createMemoryBlobs } from '../../src/store/memory.ts'
import { createR2Blobs } from '../../src/store/r2.ts'
import { createKvDouble } from '../doubles/kv.ts'
import { createR2Double } from '../doubles/r2.ts'
import { startMiniflare } from '../miniflare.ts'
import { outputStoreContract } from './output-store.ts'

outputStoreContract('memory', async () => ({ blobs: createMemoryBlobs() }))

outputStoreContract('files', async (clock) => {
  const folder = await mkdtemp(join(tmpdir(), 'spillway-'))
  const blobs = await openFileBlobs(join(folder, 'outputs'), () => clock.ms)
  await blobs.swept
  return { blobs, close: () => rm(folder, { recursive: true }) }
})

outputStoreContract('KV with its published limits', async (clock) => ({
  blobs: createKvBlobs(createKvDouble(() => clock.ms)),
}))

outputStoreContract('R2 with its published limits', async (clock) => ({
  blobs: createR2Blobs(createR2Double(() => clock.ms)),
}))

outputStoreContract('KV in workerd', async () => {
  const { bindings, dispose } = await startMiniflare<{ OUTPUTS: KVNamespace }>({
    bindings: { OUTPUTS: { type: 'kv' } },
  })
  return { blobs: createKvBlobs(bindings.OUTPUTS), close: dispose }
})

outputStoreContract('R2 in workerd', async () => {
  const { bindings, dispose } = await startMiniflare<{ OUTPUTS: R2Bucket }>({ bindings: { OUTPUTS: { type: 'r2' } } })
  return { blobs: createR2Blobs(bindings.OUTPUTS), close: dispose }
})
