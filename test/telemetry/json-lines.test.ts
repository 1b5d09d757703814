import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createJsonLinesSink } from '../../src/telemetry/json-lines.ts'
import { anEvent, anyEvent } from './events.ts'

const build = { runtime: 'node', version: '0.1.0' }

test('an event is one line of JSON', () => {
  const lines: string[] = []
  createJsonLinesSink(
    (line) => lines.push(line),
    build,
    () => 0,
  ).record(anEvent)
  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines[0] ?? '')).toEqual({
    time: '1970-01-01T00:00:00.000Z',
    event: 'spillway',
    ...anEvent,
    ...build,
  })
})

test('no text in an event can break its line or reach a terminal as a command', () => {
  fc.assert(
    fc.property(anyEvent, (event) => {
      const lines: string[] = []
      createJsonLinesSink((line) => lines.push(line), build).record(event)
      expect(lines).toHaveLength(1)
      expect(lines[0]).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/)
      const back: unknown = JSON.parse(lines[0] ?? '')
      expect(back).toMatchObject({ route: event.route, outcome: event.outcome, tenant: event.tenant })
    }),
    { numRuns: 100 },
  )
})
