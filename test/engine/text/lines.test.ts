import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cutAt, hasLoneSurrogate, splitLines } from '../../../src/engine/text/lines.ts'

const text = fc.string({ unit: fc.constantFrom('a', '\n', '\r', '\ud83d', '\ude00', '😀', 'é') })

describe('splitLines', () => {
  test.each([
    ['', []],
    ['a', ['a']],
    ['a\n', ['a']],
    ['\n', ['']],
    ['\n\n', ['', '']],
    ['a\n\nb', ['a', '', 'b']],
    ['a\r\nb\r\n', ['a\r', 'b\r']],
    ['a\u2028b\vc', ['a\u2028b\vc']],
  ])('%j', (given, lines) => {
    expect(splitLines(given)).toEqual(lines)
  })

  test('the lines hold every code unit but the LFs', () => {
    fc.assert(
      fc.property(text, (given) => {
        const lines = splitLines(given)
        expect(lines.join('\n') + (given.endsWith('\n') ? '\n' : '')).toBe(given)
      }),
    )
  })
})

test('hasLoneSurrogate', () => {
  expect(hasLoneSurrogate('a😀')).toBe(false)
  expect(hasLoneSurrogate('')).toBe(false)
  expect(hasLoneSurrogate('😀'.slice(0, 1))).toBe(true)
  expect(hasLoneSurrogate(`\ude00a`)).toBe(true)
})

describe('cutAt', () => {
  test('never splits a pair', () => {
    expect(cutAt('a😀b', 2)).toBe('a')
    expect(cutAt('a😀b', 3)).toBe('a😀')
    expect(cutAt('a😀b', 99)).toBe('a😀b')
    expect(cutAt('😀', 1)).toBe('')
    expect(cutAt('abc', 0)).toBe('')
    expect(cutAt('abc', -1)).toBe('')
  })

  test('is a prefix, at most one unit short of the wanted length', () => {
    fc.assert(
      fc.property(text, fc.nat(30), (given, units) => {
        const cut = cutAt(given, units)
        expect(given.startsWith(cut)).toBe(true)
        expect(cut.length).toBeLessThanOrEqual(units)
        expect(cut.length).toBeGreaterThanOrEqual(Math.min(given.length, units) - 1)
        if (!hasLoneSurrogate(given)) expect(hasLoneSurrogate(cut)).toBe(false)
      }),
    )
  })
})
