import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type OutputMeta, type Slice, StoreError } from '../../src/service/ports.ts'
import { broken, tampered } from '../doubles/blobs.ts'
import { slices } from './arbitrary-outputs.ts'
import { type Bench, utf8 } from './output-store.ts'
import { plainSlice } from './plain-slices.ts'

const TEXT: OutputMeta = { kind: 'text' }

/** Cases of storages that fail, and of bodies that are not what was written. */
export function damageCases({ opened, storeOn, put, read }: Bench): void {
  test('a storage that fails is a StoreError with the cause', async () => {
    const content = utf8('here and not to be had')
    const id = await put('down', content)
    const down = storeOn(broken(opened().blobs, ['put', 'get', 'head', 'delete']))
    const calls = [() => put('down', content, TEXT, down), () => down.get('down', id), () => down.head('down', id)]
    for (const call of [...calls, () => down.delete('down', id)]) {
      const error = await call().catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(StoreError)
      expect(error).toMatchObject({ cause: { message: 'the storage is down; this is a test' } })
    }
    // A look that fails does not keep the write from being tried.
    expect(await put('down', content, TEXT, storeOn(broken(opened().blobs, ['head'])))).toBe(id)
  })

  test('a damaged body is never given back as good', async () => {
    const content = utf8('one line\nanother line\n'.repeat(20))
    const small = storeOn(opened().blobs, 100)
    const id = await put('damage', content, TEXT, small)
    const damage = fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      bits: fc.integer({ min: 1, max: 255 }),
    })
    const flip = (at: number, bits: number) => (body: Uint8Array) => {
      const place = Math.min(body.length - 1, Math.floor(at * body.length))
      body[place] = (body[place] ?? 0) ^ bits
      return body
    }
    await fc.assert(
      fc.asyncProperty(damage, fc.option(slices, { nil: undefined }), async ({ at, bits }, slice) => {
        const damaged = storeOn(tampered(opened().blobs, flip(at, bits)), 100)
        await expect(damaged.get('damage', id)).rejects.toThrow(StoreError)
        const part = await read('damage', id, slice, damaged).catch((error: unknown) => error)
        if (!(part instanceof StoreError)) expect(part).toEqual(plainSlice(content, slice))
      }),
      { numRuns: 30 },
    )
  })

  test('a body with a piece missing, added or swapped is never given back as good', async () => {
    const content = utf8('one line\nanother line\n'.repeat(20))
    const id = await put('pieces', content, TEXT, storeOn(opened().blobs, 100))
    const stored = (body: Uint8Array, ...ranges: [number, number?][]) =>
      Uint8Array.from(ranges.flatMap(([from, to]) => [...body.subarray(from, to)]))
    const changes: ((body: Uint8Array) => Uint8Array)[] = [
      () => new Uint8Array(0),
      (body) => stored(body, [0, -1]),
      (body) => stored(body, [1]),
      (body) => stored(body, [0, 50], [51]),
      (body) => stored(body, [0, 50], [49]),
      (body) => stored(body, [-32]),
      (body) => stored(body, [0, -32]),
      (body) => stored(body, [-20], [0, -20]),
      (body) => stored(body, [0], [0]),
    ]
    for (const change of changes) {
      const damaged = storeOn(tampered(opened().blobs, change))
      for (const slice of [undefined, { tail: 1 }, { bytes: [0, 5] }] satisfies (Slice | undefined)[])
        await expect(damaged.get('pieces', id, slice)).rejects.toThrow(StoreError)
      await expect(damaged.head('pieces', id)).rejects.toThrow(StoreError)
    }
  })
}
