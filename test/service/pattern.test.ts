import { describe, expect, it } from 'vitest'
import { loadPatterns } from '../../src/service/pattern.ts'

const compilePattern = await loadPatterns()

function testOf(pattern: string): (line: string) => boolean {
  const made = compilePattern(pattern)
  if (typeof made === 'function') return made
  throw new Error(made.fault)
}

describe('compilePattern', () => {
  it.each([
    ['^make\\b', 'make all', true],
    ['^make\\b', 'cmake all', false],
    ['lint$', 'npm run lint', true],
    ['(?i)ERROR', 'an error', true],
    ['^\\s*$', '   ', true],
    ['[[:digit:]]{3}', 'a 123', true],
    ['名前', 'この名前は', true],
  ])('%s on %j: %s', (pattern, line, found) => {
    expect(testOf(pattern)(line)).toBe(found)
  })

  it.each(['((', 'a**b(', '(?=a)', '(?<!a)b', '\\1', 'a{2000}', '[z-a]', 'x'.repeat(1001), '(?:a{500}){20}'])(
    'refuses %s',
    (pattern) => {
      expect(compilePattern(pattern)).toHaveProperty('fault')
    },
  )

  // On a backtracking engine each of these runs for longer than the universe has stood.
  it.each([
    ['(a+)+$', `${'a'.repeat(100_000)}!`],
    ['(a|aa)+$', `${'a'.repeat(100_000)}!`],
    ['(x+x+)+y', 'x'.repeat(100_000)],
    ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a'.repeat(100_000)],
    ['(.*)*=.*x', '='.repeat(20_000)],
  ])('ends on %s', (pattern, line) => {
    expect(testOf(pattern)(line)).toBe(false)
  })
})
