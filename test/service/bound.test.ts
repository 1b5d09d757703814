import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readTrailer } from '../../src/engine/marker.ts'
import { boundText } from '../../src/service/bound.ts'
import { countLines } from '../../src/service/streams.ts'

const line = fc.oneof(fc.string({ maxLength: 40 }), fc.constant('😀'.repeat(700)), fc.constant(''))

test('a bounded text is bounded, whole in its characters, recognised, and exact in its counts', () => {
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 120 }),
      fc.boolean(),
      fc.integer({ min: 1, max: 300 }),
      (rows, end, keep) => {
        const text = (rows.join('\n') + (end ? '\n' : '')).toWellFormed()
        const bounded = boundText(text, keep, 'store-failed', 1000)
        if (!bounded) {
          expect(text.length).toBeLessThanOrEqual(2 * keep + 600)
          return
        }
        expect(bounded.text.length).toBeLessThan(text.length)
        expect(bounded.text.isWellFormed()).toBe(true)
        expect(bounded.lines).toMatchObject({ in: countLines(text) })
        expect(bounded.lines.kept + bounded.lines.elided).toBe(bounded.lines.in)
        expect(bounded.lines.elided).toBeGreaterThan(0)
        expect(readTrailer(bounded.text)).toMatchObject({
          elided: bounded.lines.elided,
          lines: bounded.lines.in,
          id: null,
        })
      },
    ),
    { numRuns: 200 },
  )
})

test('one endless line is cut inside, and counts as elided', () => {
  const bounded = boundText('x'.repeat(10_000), 100, 'too-large', 2500)
  expect(bounded?.lines).toEqual({ in: 1, kept: 0, restated: 0, elided: 1 })
  expect(bounded?.text.startsWith(`${'x'.repeat(100)}\n[filtered: 1 line elided`)).toBe(true)
})
