import type { Timer } from '../../src/service/deadline.ts'

/** A timer that fires when told to; `running` counts what is neither fired nor cancelled. */
export function createTimer() {
  const pending = new Set<() => void>()
  const timer: Timer = (_ms, fire) => {
    pending.add(fire)
    return () => pending.delete(fire)
  }
  function fire(): void {
    for (const each of [...pending]) {
      pending.delete(each)
      each()
    }
  }
  /** A promise that never settles, for a port that hangs; the time limit is reached as soon as it does. */
  function hang(): Promise<never> {
    queueMicrotask(fire)
    return new Promise(() => undefined)
  }
  return { timer, fire, hang, running: () => pending.size }
}
