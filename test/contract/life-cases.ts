import { expect, test } from 'vitest'
import type { OutputStore, Slice } from '../../src/service/ports.ts'
import { noise } from './arbitrary-outputs.ts'
import { type Bench, TTL, utf8 } from './output-store.ts'

/** All bytes that a stream gives. */
export async function streamed(store: OutputStore, tenant: string, id: string, slice?: Slice): Promise<number[]> {
  const stream = await store.stream(tenant, id, slice)
  if ('missing' in stream) throw new Error(`${id} is missing`)
  const bytes: number[] = []
  for await (const part of stream.parts) for (const byte of part) bytes.push(byte)
  return bytes
}

/** Cases of reading at length, of renewing, and of deleting what is being read. */
export function lifeCases({ clock, opened, store, storeOn, put }: Bench): void {
  test('a stream gives an output of many blocks, in parts no larger than one', async () => {
    const content = noise(900 * 1024)
    const id = await put('stream', content)
    const stream = await store().stream('stream', id)
    if ('missing' in stream) throw new Error('missing')
    const sizes: number[] = []
    for await (const part of stream.parts) sizes.push(part.length)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(content.length)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(256 * 1024)
    expect(await streamed(store(), 'stream', id)).toEqual([...content])
    expect(await store().stream('other', id)).toHaveProperty('missing')
  })

  test('a stream that is renewed while it is walked through goes on as if nothing had been', async () => {
    const content = noise(40 * 64)
    const small = storeOn(opened().blobs, 64)
    const id = await put('renewed', content, { kind: 'text' }, small)
    const stream = await small.stream('renewed', id)
    if ('missing' in stream) throw new Error('missing')
    const bytes: number[] = []
    for await (const part of stream.parts) {
      for (const byte of part) bytes.push(byte)
      if (bytes.length === 64) {
        clock.ms += TTL / 2 + 1
        await put('renewed', content, { kind: 'text' }, small)
      }
    }
    expect(bytes).toEqual([...content])
  })

  test('a renewal begins the life anew, with or without a label', async () => {
    for (const meta of [{ kind: 'text' }, { kind: 'json', session: 's' }] as const) {
      const content = utf8(`"in use ${meta.kind}"`)
      const id = await put('renew', content, meta)
      clock.ms += TTL - 1
      expect(await store().renew('renew', id)).toBe(true)
      clock.ms += TTL - 1
      const part = await store().get('renew', id)
      expect(part).toMatchObject({ kind: meta.kind, expiresAt: clock.ms + 1 })
      expect('content' in part && [...part.content]).toEqual([...content])
      clock.ms += 1
      expect(await store().renew('renew', id)).toBe(false)
    }
    expect(await store().renew('renew', 'o_nonsense')).toBe(false)
  })

  test('what was deleted does not come back with a renewal on its way', async () => {
    const id = await put('undead', utf8('soon gone for good'))
    const [, deleted] = await Promise.all([store().renew('undead', id), store().delete('undead', id)])
    expect(deleted).toBe(true)
    expect(await store().get('undead', id)).toHaveProperty('missing')
  })

  test('an output read before its deletion is not given after it', async () => {
    const content = utf8('read, then deleted\n'.repeat(30))
    const id = await put('read', content)
    for (const slice of [undefined, { tail: 2 }, { head: 1 }]) await store().get('read', id, slice)
    await store().delete('read', id)
    for (const slice of [undefined, { tail: 2 }, { head: 1 }])
      expect(await store().get('read', id, slice)).toHaveProperty('missing')
    expect(await store().head('read', id)).toHaveProperty('missing')
  })
}
