import fc from 'fast-check'
import { expect, test } from 'vitest'
import { utf8Length } from '../../src/service/utf8.ts'

test('counts what an encoder writes, of any text', () => {
  const unit = fc.constantFrom(
    'a',
    '\u0000',
    '\u007f',
    '\u0080',
    '\u07ff',
    '\u0800',
    '\uffff',
    '\ud800',
    '\udbff',
    '\udc00',
    '\udfff',
    '😀',
  )
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 30 }), (units) => {
      const text = units.join('')
      expect(utf8Length(text)).toBe(new TextEncoder().encode(text).length)
    }),
    { numRuns: 1000 },
  )
})
