import fc from 'fast-check'
import { expect, test } from 'vitest'
import { measureHistory } from '../../src/engine/history/measure.ts'
import { engine } from '../../src/service/engine.ts'
import { createSpillway } from '../../src/service/index.ts'
import { defaultSettings } from '../../src/service/settings.ts'
import { RequestError } from '../../src/service/types.ts'
import { createSink } from '../doubles/telemetry.ts'
import { script } from '../support/histories.ts'
import { writers } from '../support/writers.ts'

const caller = { tenant: 'acme', route: '/v1/tokens' }
const spillway = createSpillway({ settings: defaultSettings })

test('a history has the tokens that a mask report says it had before, in every format', async () => {
  await fc.assert(
    fc.asyncProperty(script, fc.constantFrom(...writers), fc.boolean(), async (one, { format, key, write }, named) => {
      const list = write(one)
      const history = { format: named ? format : 'auto', key, list, json: JSON.stringify(list, null, 1) }
      const tokens = spillway.tokens(history, caller)
      expect(tokens).toBe(measureHistory(list))
      expect(tokens).toBe((await spillway.mask(history, caller)).report.tokensBefore)
    }),
    { numRuns: 60 },
  )
})

test('an unknown format is refused by name, and one event says so', () => {
  const telemetry = createSink()
  const one = createSpillway({ settings: defaultSettings, telemetry })
  const ask = () => one.tokens({ format: 'no-such', key: 'messages', list: [], json: '[]' }, caller)
  expect(ask).toThrow(RequestError)
  expect(telemetry.events.map(({ outcome }) => outcome)).toEqual(['bad-request'])
})

test('an engine that fails leaves the rule of thumb', () => {
  const broken = () => {
    throw new Error('broken')
  }
  const one = createSpillway({
    settings: defaultSettings,
    engine: { ...engine, planMask: broken, estimateTokens: broken },
  })
  expect(one.tokens({ format: 'auto', key: 'messages', list: [1], json: '[1, 2, 3]' }, caller)).toBe(3)
  expect(one.tokens('12345678', caller)).toBe(2)
})
