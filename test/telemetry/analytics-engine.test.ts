import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BLOBS, createAnalyticsEngineSink, DOUBLES } from '../../src/telemetry/analytics-engine.ts'
import { createDataset } from '../doubles/analytics-engine.ts'
import { anEvent, anyEvent } from './events.ts'

const build = { runtime: 'workers', version: '0.1.0' }

test('columns stand in their documented order, the schema version first', () => {
  const dataset = createDataset()
  createAnalyticsEngineSink(dataset, build).record(anEvent)
  expect(dataset.points).toEqual([
    {
      indexes: ['acme'],
      blobs: ['1', '/v1/filter', 'filter', 'ok', 'acme', 'go-test', 'go-test-json', 'workers', '0.1.0'],
      doubles: [1000, 100, 900, 4000, 80, 0, 1, 1.5],
    },
  ])
  expect([BLOBS.length, DOUBLES.length]).toEqual([9, 8])
})

test('every event is a point within the limits', () => {
  fc.assert(
    fc.property(anyEvent, (event) => {
      const dataset = createDataset()
      createAnalyticsEngineSink(dataset, { runtime: event.route, version: event.family }).record(event)
      expect(dataset.points).toHaveLength(1)
    }),
    { numRuns: 100 },
  )
})

test('an index is cut at 96 bytes, between characters', () => {
  const dataset = createDataset()
  createAnalyticsEngineSink(dataset, build).record({ ...anEvent, tenant: `${'a'.repeat(94)}漢😀` })
  expect(dataset.points[0]?.indexes).toEqual(['a'.repeat(94)])
})

test('what comes after the points it was given is dropped', () => {
  const dataset = createDataset()
  const sink = createAnalyticsEngineSink(dataset, build, 250)
  for (let i = 0; i < 300; i += 1) sink.record({ ...anEvent, lines: i })
  expect(dataset.points).toHaveLength(250)
  expect(dataset.points.at(-1)?.doubles[4]).toBe(249)
})
