import type { TelemetrySink } from '../service/ports.ts'
import type { Build } from './build.ts'

/** What JSON leaves as it is, but some readers of lines or terminals take for a line's end or a command. */
const UNSAFE_IN_A_LINE = /[\u007f-\u009f\u2028\u2029]/g

/**
 * Writes each event as one line of JSON, always with the same keys in the same order.
 * @param write takes one line without its LF; what it throws is the service's to swallow
 * @param now milliseconds since the epoch; with it each line begins with `time`, in ISO 8601
 */
export function createJsonLinesSink(write: (line: string) => void, build: Build, now?: () => number): TelemetrySink {
  return {
    record(event) {
      const line = JSON.stringify({
        ...(now && { time: new Date(now()).toISOString() }),
        event: 'spillway',
        operation: event.operation,
        route: event.route,
        outcome: event.outcome,
        tenant: event.tenant,
        family: event.family,
        strategy: event.strategy,
        tokensBefore: event.tokensBefore,
        tokensAfter: event.tokensAfter,
        tokensSaved: event.tokensSaved,
        bytes: event.bytes,
        lines: event.lines,
        maskedNow: event.maskedNow,
        spills: event.spills,
        engineMs: event.engineMs,
        runtime: build.runtime,
        version: build.version,
      })
      write(line.replace(UNSAFE_IN_A_LINE, escapeUnit))
    },
  }
}

function escapeUnit(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
