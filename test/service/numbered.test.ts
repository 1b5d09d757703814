import fc from 'fast-check'
import { expect, it } from 'vitest'
import { firstLineOf, numberLines } from '../../src/service/numbered.ts'
import type { Slice } from '../../src/service/ports.ts'
import { contents, slices } from '../contract/arbitrary-outputs.ts'
import { plainLines, plainSlice } from '../contract/plain-slices.ts'

it('puts before each line of a slice its number in the whole output, and changes no other byte', async () => {
  await fc.assert(
    fc.asyncProperty(contents, slices, fc.integer({ min: 1, max: 9 }), async (bytes, slice: Slice, size) => {
      const whole = Uint8Array.from(bytes)
      const all = plainLines(whole)
      const { content, offset } = plainSlice(whole, slice)
      if ('bytes' in slice || 'lastBytes' in slice || content.length === 0) return
      async function* parts() {
        for (let from = 0; from < content.length; from += size) yield Uint8Array.from(content.slice(from, from + size))
      }
      const before = plainLines(whole.slice(0, offset)).length
      const expected = plainLines(Uint8Array.from(content)).flatMap((line, i) => {
        return [...new TextEncoder().encode(`${before + i + 1}:`), ...line]
      })
      const numbered: number[] = []
      for await (const part of numberLines(parts(), firstLineOf(slice, all.length))) numbered.push(...part)
      expect(numbered).toEqual(expected)
    }),
  )
})
