import fc from 'fast-check'
import { expect, test } from 'vitest'
import { matchesGlob } from '../../src/engine/glob.ts'

/** The same by a regular expression, for short texts. */
function byPattern(glob: string, text: string): boolean {
  const source = [...glob].map((c) => (c === '*' ? '[^]*' : c === '?' ? '[^]' : c.replace(/[.\\]/, '\\$&'))).join('')
  return new RegExp(`^${source}$`).test(text)
}

test('matches as the pattern says, whole and with its case', () => {
  const letters = fc.array(fc.constantFrom('a', 'b', 'A', '.'), { maxLength: 8 }).map((all) => all.join(''))
  const globs = fc.array(fc.constantFrom('a', 'b', '*', '?', '.'), { maxLength: 6 }).map((all) => all.join(''))
  fc.assert(
    fc.property(globs, letters, (glob, text) => {
      expect(matchesGlob(glob, text)).toBe(byPattern(glob, text))
    }),
    { numRuns: 1000 },
  )
})

test('many stars cost no more than pattern times text', () => {
  expect(matchesGlob(`${'*a'.repeat(90)}b`, 'a'.repeat(100_000))).toBe(false)
  expect(matchesGlob('Subagent * (task *) finished.*', 'Subagent scout (task 7, done) finished.\nMore.')).toBe(true)
})
