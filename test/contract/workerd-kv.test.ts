import type { KVNamespace } from '@cloudflare/workers-types'
import { createKvBlobs } from '../../src/store/kv.ts'
import { startMiniflare } from '../miniflare.ts'
import { type OpenedBlobs, outputStoreContract } from './output-store.ts'
import { PLAIN, SEALED_AND_CACHED } from './variants.ts'

// The binding by the platform's own emulator, which is slower than a double, and knows fewer of its limits.
for (const [name, variant] of [PLAIN, SEALED_AND_CACHED]) outputStoreContract(`KV in workerd, ${name}`, open, variant)

async function open(): Promise<OpenedBlobs> {
  const { bindings, dispose } = await startMiniflare<{ OUTPUTS: KVNamespace }>({
    bindings: { OUTPUTS: { type: 'kv' } },
  })
  return { blobs: createKvBlobs(bindings.OUTPUTS), close: dispose }
}
