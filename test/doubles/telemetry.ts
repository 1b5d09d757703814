import type { TelemetryEvent, TelemetrySink } from '../../src/service/ports.ts'

/** Keeps what is recorded. */
export function createSink(): TelemetrySink & { readonly events: TelemetryEvent[] } {
  const events: TelemetryEvent[] = []
  return { events, record: (event) => void events.push(event) }
}
