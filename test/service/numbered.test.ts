import fc from 'fast-check'
import { expect, it } from 'vitest'
import { numberLines } from '../../src/service/numbered.ts'
import type { OutputPart, Slice } from '../../src/service/ports.ts'
import { contents, slices } from '../contract/arbitrary-outputs.ts'
import { plainLines, plainSlice } from '../contract/plain-slices.ts'

it('puts before each line of a slice its number in the whole output, and changes no other byte', () => {
  fc.assert(
    fc.property(contents, slices, (bytes, slice: Slice) => {
      const whole = Uint8Array.from(bytes)
      const all = plainLines(whole)
      const { content, offset } = plainSlice(whole, slice)
      if ('bytes' in slice || 'lastBytes' in slice || content.length === 0) return
      const meta = { id: 'o_t', kind: 'text', bytes: whole.length, expiresAt: 0 } as const
      const part: OutputPart = { ...meta, content: Uint8Array.from(content), offset, lines: all.length }
      const before = plainLines(whole.slice(0, offset)).length
      const expected = plainLines(Uint8Array.from(content)).flatMap((line, i) => {
        return [...new TextEncoder().encode(`${before + i + 1}:`), ...line]
      })
      expect([...numberLines(part, slice)]).toEqual(expected)
    }),
  )
})
