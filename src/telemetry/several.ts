import type { TelemetrySink } from '../service/ports.ts'

/** Gives each event to every sink; one that throws takes nothing from the others. */
export function createSeveralSinks(sinks: readonly TelemetrySink[]): TelemetrySink {
  return {
    record(event) {
      const errors: unknown[] = []
      for (const sink of sinks) {
        try {
          sink.record(event)
        } catch (error) {
          errors.push(error)
        }
      }
      if (errors.length > 0) throw new AggregateError(errors, 'telemetry')
    },
  }
}
