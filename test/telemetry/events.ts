import fc from 'fast-check'
import type { TelemetryEvent } from '../../src/service/ports.ts'

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 2000 }),
  fc.string({
    unit: fc.constantFrom('\n', '\r', '\u2028', '\u0085', '\u0000', '\u001b', '"', '\\', '\ud83d', '漢', '😀'),
    maxLength: 60,
  }),
  fc.integer({ min: 80, max: 100 }).map((length) => `${'a'.repeat(length)}😀漢`),
)
const number = fc.oneof(fc.double(), fc.integer())

/** Events as a broken service might make them: every text and every number there is. */
export const anyEvent: fc.Arbitrary<TelemetryEvent> = fc.record({
  route: text,
  operation: fc.constantFrom('filter', 'mask', 'recall', 'delete', 'tokens'),
  outcome: text,
  tenant: text,
  family: text,
  strategy: text,
  tokensBefore: number,
  tokensAfter: number,
  tokensSaved: number,
  bytes: number,
  lines: number,
  maskedNow: number,
  spills: number,
  engineMs: number,
})

export const anEvent: TelemetryEvent = {
  route: '/v1/filter',
  operation: 'filter',
  outcome: 'ok',
  tenant: 'acme',
  family: 'go-test',
  strategy: 'go-test-json',
  tokensBefore: 1000,
  tokensAfter: 100,
  tokensSaved: 900,
  bytes: 4000,
  lines: 80,
  maskedNow: 0,
  spills: 1,
  engineMs: 1.5,
}
