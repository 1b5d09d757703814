import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileGlob, createMatcher } from '../../src/engine/glob.ts'

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
      expect(compileGlob(glob)(text)).toBe(byPattern(glob, text))
    }),
    { numRuns: 1000 },
  )
})

test('a stretch with ? longer than a machine word is found where it stands, and only there', () => {
  const letters = (max: number) => fc.array(fc.constantFrom('a', 'b', '?'), { minLength: 30, maxLength: max })
  fc.assert(
    fc.property(letters(90), fc.boolean(), fc.nat({ max: 40 }), (units, spoil, before) => {
      const stretch = units.join('')
      const text = `${'ab'.repeat(before)}${stretch.replaceAll('?', 'x')}b`
      expect(compileGlob(`*${stretch}*`)(spoil ? text.replace(/x|a(?=b$)/, 'y') : text)).toBe(
        byPattern(`*${stretch}*`, spoil ? text.replace(/x|a(?=b$)/, 'y') : text),
      )
    }),
  )
})

test('no pattern costs more than a few passes over the text', () => {
  const text = 'a'.repeat(2_000_000)
  const hard = [`${'*a'.repeat(90)}b`, `*${'a'.repeat(190)}b*`, `*b${'a'.repeat(190)}*`, `*${'a?'.repeat(15)}b*`]
  for (const glob of hard) expect(compileGlob(glob)(text)).toBe(false)
  expect(compileGlob('Subagent * (task *) finished.*')('Subagent scout (task 7, done) finished.\nMore.')).toBe(true)
})

test('of a long text the first and the last 1,024 units are matched, and nothing over the gap between them', () => {
  const text = `<note>${'a'.repeat(3000)}middle${'b'.repeat(3000)}</note>`
  expect(createMatcher(['<note>*</note>'])(text)).toBe(true)
  for (const glob of ['*middle*', '*ab*']) expect(createMatcher([glob])(text)).toBe(false)
  expect(createMatcher([text])(text)).toBe(true)
})
