import type { Dataset } from '../../src/telemetry/analytics-engine.ts'

export interface Point {
  readonly indexes: readonly string[]
  readonly blobs: readonly string[]
  readonly doubles: readonly number[]
}

/** A dataset that refuses what the published limits of Analytics Engine refuse, for one invocation. */
export function createDataset(): Dataset & { readonly points: readonly Point[] } {
  const points: Point[] = []
  return {
    points,
    writeDataPoint(point) {
      const { indexes, blobs, doubles } = point
      if (points.length >= 250) throw new Error('more than 250 points in an invocation')
      if (indexes.length !== 1) throw new Error('not exactly one index')
      if (indexes.some((index) => bytesOf(index) > 96)) throw new Error('index over 96 bytes')
      if (blobs.length > 20) throw new Error('more than 20 blobs')
      if (blobs.reduce((total, blob) => total + bytesOf(blob), 0) > 16_000) throw new Error('blobs over 16 KB')
      if (doubles.length > 20) throw new Error('more than 20 doubles')
      if (!doubles.every((double) => Number.isFinite(double))) throw new Error('a double that is not finite')
      if (![...indexes, ...blobs].every((text) => text.isWellFormed())) throw new Error('half a character')
      points.push(structuredClone(point))
    },
  }
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length
}
