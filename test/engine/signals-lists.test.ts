import { expect, test } from 'vitest'
import { factsOf } from '../../src/engine/signals.ts'

const keys = (...lines: string[]): string[] => [...factsOf(lines).keys()]

test('reads several places before one message', () => {
  expect(keys('a/a.go:16:24, b/b.go:3: undefined: x')).toEqual([
    'place a/a.go:16',
    'place b/b.go:3',
    'error undefined: x',
  ])
  expect(keys("a.ts(1,2), b.ts(3,4): TS2304: Cannot find name 'x'.")).toEqual([
    'place a.ts:1',
    'place b.ts:3',
    "error Cannot find name 'x'.",
  ])
})

test('prose with commas and numbers is no list of places', () => {
  expect(keys('12:30, 13:45: all was well')).toEqual([])
  expect(keys('at 12:30, 13:45: all was well')).toEqual([])
})

test('a code before a message is no part of it, whether its severity is said or not', () => {
  const [one] = keys('src/a.ts(1,2): error TS2322: Type A.').filter((key) => key.startsWith('error'))
  const [two] = keys('src/a.ts', ' (1,2) TS2322: Type A.').filter((key) => key.startsWith('error'))
  expect(one).toBe('error Type A.')
  expect(two).toBe(one)
})
