import type { R2Bucket } from '@cloudflare/workers-types'
import { createR2Blobs } from '../../src/store/r2.ts'
import { startMiniflare } from '../miniflare.ts'
import { type OpenedBlobs, outputStoreContract } from './output-store.ts'
import { PLAIN, SEALED_AND_CACHED } from './variants.ts'

// The binding by the platform's own emulator, which is slower than a double, and knows fewer of its limits.
for (const [name, variant] of [PLAIN, SEALED_AND_CACHED]) outputStoreContract(`R2 in workerd, ${name}`, open, variant)

async function open(): Promise<OpenedBlobs> {
  const { bindings, dispose } = await startMiniflare<{ OUTPUTS: R2Bucket }>({
    bindings: { OUTPUTS: { type: 'r2' } },
  })
  return { blobs: createR2Blobs(bindings.OUTPUTS), close: dispose }
}
