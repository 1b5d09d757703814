import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createCountedSink } from '../../src/telemetry/counted.ts'
import { createSeveralSinks } from '../../src/telemetry/several.ts'
import { createSink } from '../doubles/telemetry.ts'
import { anEvent, anyEvent } from './events.ts'

test('events are summed by operation, outcome and family', () => {
  const counted = createCountedSink()
  counted.record(anEvent)
  counted.record(anEvent)
  counted.record({ ...anEvent, outcome: 'store-failed', tokensSaved: 0 })
  const rows = counted.text().split('\n')
  expect(rows).toContain('# TYPE spillway_operations_total counter')
  expect(rows).toContain('spillway_operations_total{operation="filter",outcome="ok",family="go-test"} 2')
  expect(rows).toContain('spillway_tokens_saved_total{operation="filter",outcome="ok",family="go-test"} 1800')
  expect(rows).toContain('spillway_operations_total{operation="filter",outcome="store-failed",family="go-test"} 1')
})

test('answers are counted by row of the route table and status', () => {
  const counted = createCountedSink()
  for (const status of [200, 404, 200]) counted.answered('GET /v1/outputs/{id}', status)
  const rows = counted.text().split('\n')
  expect(rows).toContain('spillway_http_answers_total{route="GET /v1/outputs/{id}",status="200"} 2')
  expect(rows).toContain('spillway_http_answers_total{route="GET /v1/outputs/{id}",status="404"} 1')
})

test('whatever events hold, every line has the form that the format asks, and lines are bounded', () => {
  fc.assert(
    fc.property(fc.array(anyEvent, { maxLength: 20 }), (events) => {
      const counted = createCountedSink()
      for (const event of events) counted.record(event)
      for (const row of counted.text().split('\n')) {
        expect(row).toMatch(
          /^(|# (HELP|TYPE) .+|spillway_[a-z_]+_total\{(\w+="([^"\\\n]|\\[\\"n])*",?)+\} \d[\d.e+]*(e-\d+)?)$/u,
        )
      }
    }),
    { numRuns: 50 },
  )
})

test('more combinations than are told apart add up under one name', () => {
  const counted = createCountedSink()
  for (let i = 0; i < 600; i += 1) counted.record({ ...anEvent, family: `family-${i}` })
  const rows = counted
    .text()
    .split('\n')
    .filter((row) => row.startsWith('spillway_operations_total'))
  expect(rows).toHaveLength(501)
  expect(rows).toContain('spillway_operations_total{operation="filter",outcome="other",family="other"} 100')
})

test('a sink that throws takes nothing from the others, and is reported', () => {
  const sink = createSink()
  const broken = {
    record: () => {
      throw new Error('broken')
    },
  }
  expect(() => createSeveralSinks([broken, sink]).record(anEvent)).toThrow(AggregateError)
  expect(sink.events).toEqual([anEvent])
})
