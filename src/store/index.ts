/**
 * Stores for those who use Spillway as a library: objects in memory (or in storages of your own, by the `Blobs` port),
 * the output store over them, and what derives ids and receipts from a secret.
 */
export type { BlobInfo, Blobs } from './blobs.ts'
export { outputKey } from './key.ts'
export { createMemoryBlobs } from './memory.ts'
export { createOutputStore, type Lifetime, type OutputStoreOptions, type Tier } from './output-store.ts'
export { createSealer } from './seal.ts'
export { createSigner } from './sign.ts'
