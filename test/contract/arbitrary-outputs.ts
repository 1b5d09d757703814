import fc from 'fast-check'
import type { Slice } from '../../src/service/ports.ts'

const count = fc.nat({ max: 30 })
const place = fc.nat({ max: 300 })
/** Slices of every kind, inside small outputs and past their end. */
export const slices: fc.Arbitrary<Slice> = fc.oneof(
  fc.record({ head: count }),
  fc.record({ tail: count }),
  fc.record({ lines: fc.tuple(count, count) }),
  fc.record({ bytes: fc.tuple(place, place) }),
  fc.record({ lastBytes: place }),
)
/** Small outputs with many lines, few, or none. */
export const contents = fc.oneof(
  fc.array(fc.constantFrom(10, 10, 13, 97, 0, 255), { maxLength: 200 }),
  // A line longer than many blocks among short ones.
  fc.tuple(fc.nat({ max: 40 }), fc.nat({ max: 160 }), fc.nat({ max: 40 })).map(([before, long, after]) => {
    return [...Array<number>(before).fill(10), ...Array<number>(long).fill(98), ...Array<number>(after).fill(10)]
  }),
)

/** Bytes that gzip can do little with, the same on every run. */
export function noise(length: number): Uint8Array {
  let state = 1
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0
    return state >>> 16
  })
}
