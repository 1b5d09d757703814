import { expect, test } from 'vitest'
import { factsOf } from '../../src/engine/signals.ts'

const keys = (...lines: string[]): string[] => [...factsOf(lines).keys()]

test('a code before a message is no part of it, whether its severity is said or not', () => {
  const [one] = keys('src/a.ts(1,2): error TS2322: Type A.').filter((key) => key.startsWith('error'))
  const [two] = keys('src/a.ts', ' (1,2) TS2322: Type A.').filter((key) => key.startsWith('error'))
  expect(one).toBe('error Type A.')
  expect(two).toBe(one)
})
