/** Calls `fire` once after `ms` milliseconds, unless the function that it gives back is called first. */
export type Timer = (ms: number, fire: () => void) => () => void

/** The timer of every runtime; tests hand in their own, so that nothing waits. */
export const runtimeTimer: Timer = (ms, fire) => {
  const handle = setTimeout(fire, ms)
  return () => clearTimeout(handle)
}

export class DeadlineError extends Error {
  override readonly name = 'DeadlineError'
  constructor(ms: number) {
    super(`no answer in ${ms} ms`)
  }
}

/**
 * Settles as `work` does, or rejects with DeadlineError after `ms` milliseconds. Work that is late is not stopped (a
 * port has no way to stop), but `expired()` tells it to begin nothing new; what it does later is ignored.
 * The timer is always cancelled, so that a busy server gathers no timers.
 */
export async function within<T>(timer: Timer, ms: number, work: (expired: () => boolean) => Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  let expired = false
  const cancel = timer(ms, () => {
    expired = true
    late.reject(new DeadlineError(ms))
  })
  try {
    return await Promise.race([work(() => expired), late.promise])
  } finally {
    cancel()
  }
}
