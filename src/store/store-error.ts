import { StoreError } from '../service/ports.ts'
import { CorruptBody } from './block-index.ts'

/** Whether what a storage has is damaged, which no second try mends; any other failure may pass. */
export function isDamage(error: unknown): boolean {
  return error instanceof CorruptBody || (error instanceof StoreError && error.unreadable)
}

/** For a rejection: `unreadable` where it tells of damage, else the failure itself. @throws error */
export function unreadable(error: unknown): 'unreadable' {
  if (isDamage(error)) return 'unreadable'
  throw error
}

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
