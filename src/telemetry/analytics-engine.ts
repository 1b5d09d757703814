import type { TelemetryEvent, TelemetrySink } from '../service/ports.ts'
import type { Build } from './build.ts'
import { cutToBytes } from './text.ts'

/** The part of the binding that is used: one point a call, no receipt. */
export interface Dataset {
  writeDataPoint(point: { indexes: string[]; blobs: string[]; doubles: number[] }): void
}

/** Changes whenever a column changes its meaning; queries filter by it. Columns are only ever added at the end. */
export const SCHEMA_VERSION = '1'

/** Columns in order: `blob1` is the first. The index (`index1`, what is sampled by) is the tenant. */
export const BLOBS = [
  'schema',
  'route',
  'operation',
  'outcome',
  'tenant',
  'family',
  'strategy',
  'runtime',
  'version',
] as const

/** Columns in order: `double1` is the first. */
export const DOUBLES = [
  'tokensBefore',
  'tokensAfter',
  'tokensSaved',
  'bytes',
  'lines',
  'maskedNow',
  'spills',
  'engineMs',
] as const

/** A point's blobs may have 16 KB in all: nine of these stay well below. */
const MAX_BLOB_BYTES = 1000
/** Published limit of an index. */
const MAX_INDEX_BYTES = 96

/**
 * Writes one data point an event, within the published limits whatever the event holds (20 blobs, 16 KB in all, 20
 * doubles, one index of 96 bytes): texts are cut between characters, numbers that are not finite become 0.
 * Read it back with sums weighted by `_sample_interval`.
 * @param maxPoints points that this sink writes before it drops what comes; a Worker that makes one sink an invocation
 *   gives 250, the published limit
 */
export function createAnalyticsEngineSink(
  dataset: Dataset,
  build: Build,
  maxPoints = Number.POSITIVE_INFINITY,
): TelemetrySink {
  let written = 0
  return {
    record(event) {
      if (written >= maxPoints) return
      written += 1
      const texts = { ...event, ...build, schema: SCHEMA_VERSION }
      dataset.writeDataPoint({
        indexes: [cutToBytes(event.tenant, MAX_INDEX_BYTES)],
        blobs: BLOBS.map((name) => cutToBytes(texts[name], MAX_BLOB_BYTES)),
        doubles: DOUBLES.map((name) => finite(event, name)),
      })
    },
  }
}

function finite(event: TelemetryEvent, name: (typeof DOUBLES)[number]): number {
  return Number.isFinite(event[name]) ? event[name] : 0
}
