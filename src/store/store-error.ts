import { StoreError } from '../service/ports.ts'
import { CorruptBody } from './block-index.ts'

/** Whatever a storage throws becomes a StoreError that names the storage, with the cause. */
export async function attempt<T>(storage: { readonly name: string }, what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    throw storeError(storage.name, what, cause)
  }
}

export function storeError(storage: string, what: string, cause: unknown): StoreError {
  if (cause instanceof StoreError) return cause
  const why = cause instanceof Error ? cause.message : String(cause)
  return new StoreError(storage, `${what}: ${why}`, { cause, unreadable: cause instanceof CorruptBody })
}
