import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { buildAutomaton } from '../../../src/engine/text/token-automaton.ts'
import { WEIGHTS } from '../../../src/engine/text/token-bins.ts'
import { createScanner, estimateTokens, JOIN_BOUND, measureText } from '../../../src/engine/text/tokens.ts'
import { PIECES } from '../../bench/estimator/reference.ts'

const pieces = fc.constantFrom(
  ...[
    'a',
    'word',
    'Word',
    'WORD',
    'HTTPServer',
    ' ',
    '  ',
    '\t',
    '\n',
    '\r\n',
    '.',
    ',',
    '==',
    '": "',
    '----',
    '7',
    '123',
  ],
  ...['é', 'ж', '漢', '한', 'か', '😀', '\ud83d', '─', '“', 'x'.repeat(40), 'X'.repeat(40), '9'.repeat(40), '\0'],
)
const text = fc.oneof(
  fc.array(pieces, { maxLength: 40 }).map((all) => all.join('')),
  fc.string({ unit: 'binary' }),
)

describe('estimateTokens', () => {
  test('the empty text has none, every other at least one', () => {
    expect(estimateTokens('')).toBe(0)
    fc.assert(
      fc.property(text, (given) => {
        const tokens = estimateTokens(given)
        expect(Number.isSafeInteger(tokens)).toBe(true)
        expect(tokens).toBeGreaterThanOrEqual(given === '' ? 0 : 1)
        expect(tokens).toBeLessThanOrEqual(given.length * 4)
      }),
    )
  })

  test('joining two texts changes the sum by a bounded amount', () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        const change = estimateTokens(a + b) - estimateTokens(a) - estimateTokens(b)
        expect(Math.abs(change)).toBeLessThanOrEqual(JOIN_BOUND)
      }),
      { numRuns: 500 },
    )
  })

  test.each([
    'a',
    'A',
    'aB',
    'Ab',
    '1',
    ' ',
    '\t',
    '\n',
    '.',
    '.,',
    '-\n',
    'é',
    'ж',
    '漢',
    '─',
    '😀',
    ' a',
    ' 1',
    'a1',
  ])('joining long runs of %j', (unit) => {
    for (const seam of ['', 'a', 'A', '1', ' ', '\n', '.', 'é', '漢']) {
      const a = unit.repeat(3000)
      const b = seam + unit.repeat(2000)
      const change = estimateTokens(a + b) - estimateTokens(a) - estimateTokens(b)
      expect(Math.abs(change)).toBeLessThanOrEqual(JOIN_BOUND)
    }
  })

  test('cuts where the tokenizer cuts: the cost is the sum of the costs of its pieces', () => {
    const scan = createScanner(buildAutomaton(WEIGHTS), WEIGHTS)
    const unit = fc.constantFrom(...'aabcAB12 .,-=("{\n\r\t_\x1b')
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 40 }), (given) => {
        const cut = [...given.matchAll(PIECES)].map(([piece]) => piece)
        expect(cut.join('')).toBe(given)
        expect(scan(given).cost).toBe(cut.reduce((sum, piece) => sum + scan(piece).cost, 0))
      }),
      { numRuns: 1000 },
    )
  })

  test('a long text costs what its pieces cost too', () => {
    const scan = createScanner(buildAutomaton(WEIGHTS), WEIGHTS)
    const unit = fc.string({ unit: fc.constantFrom(...'aabcAB12 .,-=("{\n\r\t_\x1b\x7f'), minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(unit, fc.integer({ min: 3000, max: 13_000 }), (given, length) => {
        const long = given.repeat(length / given.length + 1)
        const cut = [...long.matchAll(PIECES)].map(([piece]) => piece)
        expect(scan(long).cost).toBe(cut.reduce((sum, piece) => sum + scan(piece).cost, 0))
      }),
      { numRuns: 100 },
    )
  })

  test('measuring counts the controls that a terminal acts on, and sees surrogates', () => {
    const scan = createScanner(buildAutomaton(WEIGHTS), WEIGHTS)
    const unit = fc.constantFrom(
      ...'aZ9 \n\t-=',
      'é',
      '漢',
      '😀',
      '\ud83d',
      '\r',
      '\0',
      '\b',
      '\v',
      '\f',
      '\x1b',
      '\x7f',
    )
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 60 }), fc.integer({ min: 1, max: 300 }), (given, times) => {
        const long = given.repeat(times)
        const controls = long.match(/[\0-\x08\x0b-\x1f\x7f]/g)?.length ?? 0
        expect(scan(long).controls).toBe(controls)
        const surrogates = /[\ud800-\udfff]/.test(long)
        expect(measureText(long)).toEqual({ tokens: estimateTokens(long), controls: controls > 0, surrogates })
      }),
    )
  })

  test('every id costs the same', () => {
    const letter = fc.constantFrom(...'abcdefghijklmnop')
    const id = fc
      .tuple(
        fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'),
        fc.string({ unit: letter, minLength: 31, maxLength: 31 }),
      )
      .map(([tier, rest]) => `o_${tier}${rest}`)
    fc.assert(
      fc.property(id, id, (a, b) => {
        expect(estimateTokens(a)).toBe(estimateTokens(b))
        expect(estimateTokens(`stored as ${a}; recall`)).toBe(estimateTokens(`stored as ${b}; recall`))
      }),
    )
  })
})
