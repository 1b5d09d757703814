import { StoreError, type TelemetryEvent, type TelemetrySink } from './ports.ts'
import { type Caller, RequestError } from './types.ts'

/** What an operation tells of itself; whatever it leaves out is empty or zero. */
export type Facts = Partial<Omit<TelemetryEvent, 'operation' | 'route' | 'tenant' | 'engineMs'>>

/** Handed to an operation while it runs. */
export interface Observation {
  /** Adds facts to the operation's event; later facts replace earlier ones of the same name. */
  note(facts: Facts): void
  /** Runs engine work and adds its time to the event's. */
  engine<T>(work: () => T): T
}

export interface Observer {
  /** Begins an operation that ends later than the call: the event is recorded when `end` is called, once. */
  begin(
    operation: TelemetryEvent['operation'],
    caller: Caller,
  ): { readonly observation: Observation; readonly end: (error?: unknown) => void }
  /** Runs an operation and records exactly one event for it, when it ends, however it ends. */
  watch<T>(
    operation: TelemetryEvent['operation'],
    caller: Caller,
    run: (observation: Observation) => Promise<T>,
  ): Promise<T>
  /** The same for an operation that is synchronous. */
  watchNow<T>(operation: TelemetryEvent['operation'], caller: Caller, run: (observation: Observation) => T): T
}

/** The one place where events are made. @param clock milliseconds of a steady clock; left out where CPU time can't be seen */
export function createObserver(sink: TelemetrySink | undefined, clock: (() => number) | undefined): Observer {
  function begin(operation: TelemetryEvent['operation'], caller: Caller) {
    let facts: Facts = {}
    let engineMs = clock ? 0 : -1
    const observation: Observation = {
      note(more) {
        facts = { ...facts, ...more }
      },
      engine(work) {
        const from = clock?.()
        try {
          return work()
        } finally {
          if (clock && from !== undefined) engineMs += clock() - from
        }
      },
    }
    function end(error?: unknown): void {
      if (error !== undefined) facts = { ...facts, outcome: outcomeOf(error) }
      record(sink, { ...EMPTY, ...facts, operation, route: caller.route, tenant: caller.tenant, engineMs })
    }
    return { observation, end }
  }

  return {
    begin,
    async watch(operation, caller, run) {
      const { observation, end } = begin(operation, caller)
      let failure: unknown
      try {
        return await run(observation)
      } catch (error) {
        failure = error ?? new Error('failed')
        throw error
      } finally {
        end(failure)
      }
    },
    watchNow(operation, caller, run) {
      const { observation, end } = begin(operation, caller)
      let failure: unknown
      try {
        return run(observation)
      } catch (error) {
        failure = error ?? new Error('failed')
        throw error
      } finally {
        end(failure)
      }
    },
  }
}

const EMPTY = {
  outcome: 'ok',
  family: '',
  strategy: '',
  tokensBefore: 0,
  tokensAfter: 0,
  tokensSaved: 0,
  bytes: 0,
  lines: 0,
  maskedNow: 0,
  spills: 0,
} as const

function outcomeOf(error: unknown): string {
  if (error instanceof StoreError) return 'store-failed'
  if (error instanceof RequestError) return 'bad-request'
  return 'failed'
}

/** A sink may be foreign code: what it throws, and the promise of one that is wrongly async, end here. */
function record(sink: TelemetrySink | undefined, event: TelemetryEvent): void {
  try {
    const answer: unknown = sink?.record(event)
    if (answer !== undefined) Promise.resolve(answer).catch(ignore)
  } catch {
    // Telemetry never fails a request, and there is nowhere left to report to.
  }
}

function ignore(): void {}
