import fc from 'fast-check'
import { expect, test } from 'vitest'
import { condenseWithin, planFilter } from '../../src/engine/filter.ts'
import { loadFixtures } from '../support/fixtures.ts'

const fixtures = loadFixtures().filter(({ text }) => text.length > 300 && text.length < 20_000)

/** Lines of a recorded output, some of them several times and some in red, in their own order. */
const output = fc
  .record({
    fixture: fc.nat(fixtures.length - 1),
    from: fc.nat(200),
    lines: fc.array(fc.tuple(fc.nat(3), fc.boolean()), { maxLength: 400 }),
  })
  .map(({ fixture, from, lines }) => {
    const { command = '', text = '' } = fixtures[fixture] ?? {}
    const all = text.split('\n')
    const shown = lines.flatMap(([times, red], i) => {
      const line = all[(from + i) % all.length] ?? ''
      return new Array<string>(times).fill(red && i % 3 === 0 ? `\u001b[31m${line}\u001b[0m` : line)
    })
    return { command, text: shown.join('\n') }
  })

test('gives the form that the filter gives within the bound where it is the family’s, and nothing else', () => {
  let given = 0
  fc.assert(
    fc.property(output, fc.constantFrom(20, 50, 100, 400, 1000), ({ command, text }, maxTokens) => {
      const plan = planFilter(text, { command, maxTokens })
      const expected = plan.changed && plan.family !== 'generic' ? plan : null
      if (expected) given += 1
      expect(condenseWithin(text, { command }, maxTokens)).toEqual(expected)
    }),
    { numRuns: 400 },
  )
  expect(given).toBeGreaterThan(20)
})
