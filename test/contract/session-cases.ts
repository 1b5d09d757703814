import { expect, test } from 'vitest'
import { CursorError, type OutputStore, type Purge } from '../../src/service/ports.ts'
import { type Bench, TTL, utf8 } from './output-store.ts'

/** Asks for one page after the other; gives how many outputs went, and how many pages there were. */
async function all(ask: (cursor: string | null) => Promise<Purge>): Promise<{ deleted: number; pages: number }> {
  let cursor: string | null = null
  let deleted = 0
  let pages = 0
  do {
    const page: Purge = await ask(cursor)
    deleted += page.deleted
    cursor = page.cursor
    pages += 1
    expect(pages).toBeLessThan(100)
  } while (cursor !== null)
  return { deleted, pages }
}

const endSession = (store: OutputStore, tenant: string, session: string) =>
  all((cursor) => store.deleteSession(tenant, session, cursor))

/** Cases of outputs that belong to sessions, and of deleting many at once. */
export function sessionCases({ clock, opened, store, storeOn, put }: Bench): void {
  const text = (session?: string) => ({ kind: 'text' as const, ...(session !== undefined && { session }) })
  const there = async (tenant: string, id: string) => !('missing' in (await store().head(tenant, id)))

  test('deleting a session takes its outputs, and what nobody else has stored', async () => {
    const mine = await put('sessions', utf8('of one alone'), text('one'))
    const shared = await put('sessions', utf8('of both'), text('one'))
    expect(await put('sessions', utf8('of both'), text('two'))).toBe(shared)
    const free = await put('sessions', utf8('of nobody'))
    const both = await put('sessions', utf8('of both'))
    expect(both).not.toBe(shared)
    const theirs = await put('another tenant', utf8('of one alone'), text('one'))

    expect(await endSession(store(), 'sessions', 'one')).toMatchObject({ deleted: 1 })
    expect(await there('sessions', mine)).toBe(false)
    expect(await there('sessions', shared)).toBe(true)
    expect(await endSession(store(), 'sessions', 'one')).toMatchObject({ deleted: 0 })
    expect(await endSession(store(), 'sessions', 'two')).toMatchObject({ deleted: 1 })
    expect(await there('sessions', shared)).toBe(false)
    for (const id of [free, both]) expect(await there('sessions', id)).toBe(true)
    expect(await there('another tenant', theirs)).toBe(true)
  })

  test('labels that look alike in a path are different sessions', async () => {
    const labels = ['a', 'A', 'a/b', '../a', 'x'.repeat(128), 'o_m', '.', '']
    const ids = []
    for (const label of labels) ids.push(await put('labels', utf8(`of ${label}`), text(label)))
    expect(await endSession(store(), 'labels', 'a')).toMatchObject({ deleted: 1 })
    expect(await Promise.all(ids.map((id) => there('labels', id)))).toEqual(labels.map((label) => label !== 'a'))
  })

  test('a session of many outputs goes by pages, each of them once', async () => {
    const ids = []
    for (let i = 0; i < 25; i += 1) ids.push(await put('many', utf8(`output ${i}`), text('many')))
    const kept = await put('many', utf8('output 0'), text('other'))
    const { deleted, pages } = await endSession(store(), 'many', 'many')
    expect([deleted, pages]).toEqual([24, 2])
    for (const id of ids) expect(await there('many', id)).toBe(id === kept)
  })

  test('an output is in every session that stored it, and in no other, as long as it lives', async () => {
    const id = await put('in', utf8('in two sessions'), text('one'))
    await put('in', utf8('in two sessions'), text('two'))
    const unlabelled = await put('in', utf8('in none'))
    const isIn = (session: string, each = id, tenant = 'in') => store().inSession(tenant, session, each)
    expect([await isIn('one'), await isIn('two')]).toEqual([true, true])
    expect([await isIn('three'), await isIn('one', unlabelled), await isIn('one', id, 'other')]).not.toContain(true)
    expect(await isIn('one', '../one')).toBe(false)
    await endSession(store(), 'in', 'one')
    clock.ms += 61_000
    expect([await isIn('one'), await isIn('two')]).toEqual([false, true])
    clock.ms += TTL
    expect(await isIn('two')).toBe(false)
  })

  test('an output deleted by its id is gone for every session, and can be stored anew', async () => {
    const id = await put('by id', utf8('of two'), text('one'))
    await put('by id', utf8('of two'), text('two'))
    expect(await store().delete('by id', id)).toBe(true)
    expect(await there('by id', id)).toBe(false)
    clock.ms += 60_000
    await put('by id', utf8('of two'), text('two'))
    expect(await endSession(store(), 'by id', 'one')).toMatchObject({ deleted: 0 })
    expect(await there('by id', id)).toBe(true)
    expect(await endSession(store(), 'by id', 'two')).toMatchObject({ deleted: 1 })
  })

  test('a reference that has expired keeps nothing', async () => {
    const id = await put('expired', utf8('long ago'), text('old'))
    clock.ms += TTL
    await put('expired', utf8('long ago'), text('new'))
    expect(await endSession(store(), 'expired', 'new')).toMatchObject({ deleted: 1 })
    expect(await there('expired', id)).toBe(false)
  })

  test('a session keeps its hold on an output that another one renewed', async () => {
    await put('hold', utf8('held'), text('one'))
    clock.ms += TTL / 4
    const id = await put('hold', utf8('held'), text('two'))
    clock.ms += TTL / 2
    await store().renew('hold', id)
    clock.ms += TTL - 1
    expect(await endSession(store(), 'hold', 'one')).toMatchObject({ deleted: 0 })
    expect(await there('hold', id)).toBe(true)
    expect(await endSession(store(), 'hold', 'two')).toMatchObject({ deleted: 1 })
  })

  test('what a session stores while another that had the same is deleted stays', async () => {
    const { blobs, large } = opened()
    const content = utf8('at the same moment')
    const id = await put('race', content, text('one'))
    clock.ms += 2000
    let stored = false
    const watched = {
      ...blobs,
      async delete(key: string) {
        if (key.endsWith(`/${id}`) && !stored) {
          stored = true
          await put('race', content, text('two'))
          clock.ms += 2000
        }
        await blobs.delete(key)
      },
    }
    await endSession(storeOn(watched), 'race', 'one')
    expect(stored).toBe(true)
    // What shows a deletion late has to be looked at later.
    clock.ms += 61_000
    expect(await storeOn(blobs).get('race', id), String(large?.name)).toHaveProperty('content')
  })

  test('deleting a tenant takes everything of it, whatever the label, and nothing of another', async () => {
    const small = utf8('small')
    const large = new Uint8Array(5000).fill(97)
    const ids = [await put('gone', small), await put('gone', large), await put('gone', small, text('s'))]
    for (let i = 0; i < 20; i += 1) ids.push(await put('gone', utf8(`one of many ${i}`)))
    const other = [await put('gone2', small), await put('gon', small, text('s'))]
    const { deleted, pages } = await all((cursor) => store().deleteTenant('gone', cursor))
    expect(deleted).toBe(ids.length)
    expect(pages).toBeGreaterThan(1)
    for (const id of ids) expect(await there('gone', id)).toBe(false)
    expect(await endSession(store(), 'gone', 's')).toMatchObject({ deleted: 0 })
    expect([await there('gone2', other[0] ?? ''), await there('gon', other[1] ?? '')]).toEqual([true, true])
  })

  test('a cursor of nowhere is refused', async () => {
    for (const cursor of ['', 'ü', '0', 'z1', `${opened().blobs.tier} x`]) {
      await expect(store().deleteTenant('t', cursor)).rejects.toThrow(CursorError)
      await expect(store().deleteSession('t', 's', cursor)).rejects.toThrow(CursorError)
    }
  })
}
