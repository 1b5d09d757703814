import { mkdtemp, rm, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { type OutputMeta, type OutputStore, StoreError } from '../../src/service/ports.ts'
import type { Blobs } from '../../src/store/blobs.ts'
import { openFileBlobs } from '../../src/store/file.ts'
import { placeOf } from '../../src/store/file-list.ts'
import { outputKey } from '../../src/store/key.ts'
import { createKvBlobs } from '../../src/store/kv.ts'
import { createMemoryBlobs } from '../../src/store/memory.ts'
import { createOutputStore } from '../../src/store/output-store.ts'
import { createR2Blobs } from '../../src/store/r2.ts'
import { createKvDouble } from '../doubles/kv.ts'
import { createR2Double } from '../doubles/r2.ts'

const SECRET = new TextEncoder().encode('a secret that is no secret')
const DAY = 24 * 60 * 60 * 1000
const now = () => 1_800_000_000_000
const folders: string[] = []

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true })
})

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'spillway-purge-'))
  folders.push(folder)
  return folder
}

async function put(store: OutputStore, text: string, meta: Partial<OutputMeta> = {}): Promise<string> {
  const content = new TextEncoder().encode(text)
  const whole: OutputMeta = { kind: 'text', ...meta }
  return (await store.put('t', await outputKey(SECRET, 't', content, whole), content, whole)).id
}

const isThere = async (store: OutputStore, id: string) => !('missing' in (await store.head('t', id)))

describe('damage', () => {
  async function withDamage(count: number, session?: string) {
    const folder = await newFolder()
    const store = createOutputStore(await openFileBlobs(folder, now), { now, page: 5 })
    const ids: string[] = []
    for (let i = 0; i < count; i += 1) ids.push(await put(store, `output ${i}`, session ? { session } : {}))
    ids.sort()
    const damage = (place: readonly string[]) => truncate(join(folder, ...place), 40)
    return { store, ids, damage, scope: '7d/t' }
  }

  it('in one output keeps neither it nor the rest of its session', async () => {
    const { store, ids, damage, scope } = await withDamage(4, 's')
    await damage(placeOf(`${scope}/${ids[0]}`))
    expect(await store.deleteSession('t', 's', null)).toEqual({ deleted: 4, cursor: null })
    for (const id of ids) expect(await isThere(store, id)).toBe(false)
  })

  it('in an output does not keep it from being deleted by its id, or with its tenant', async () => {
    const { store, ids, damage, scope } = await withDamage(3)
    const [first = '', second = ''] = ids
    for (const id of [first, second]) await damage(placeOf(`${scope}/${id}`))
    expect(await store.delete('t', first)).toBe(true)
    expect(await isThere(store, first)).toBe(false)
    expect(await store.deleteTenant('t', null)).toEqual({ deleted: 2, cursor: null })
    for (const id of ids) expect(await isThere(store, id)).toBe(false)
  })

  it('in a reference keeps neither its own session nor a new put from what they ask', async () => {
    const folder = await newFolder()
    const blobs = await openFileBlobs(folder, now)
    const store = createOutputStore(blobs, { now })
    const id = await put(store, 'shared', { session: 'a' })
    await put(store, 'shared', { session: 'b' })
    const { keys } = await blobs.list(`7d/t/r/${id}.`, null, 10)
    expect(keys).toHaveLength(2)
    for (const key of keys) await truncate(join(folder, ...placeOf(key)), 10)
    // Whoever wrote the other one may still need the output.
    expect(await store.deleteSession('t', 'a', null)).toEqual({ deleted: 0, cursor: null })
    expect(await isThere(store, id)).toBe(true)
    expect(await put(store, 'shared', { session: 'b' })).toBe(id)
    expect(await store.inSession('t', 'b', id)).toBe(true)
    expect(await store.deleteSession('t', 'b', null)).toEqual({ deleted: 1, cursor: null })
  })
})

it('a failure in passing is no damage: it is told, and nothing is said to be deleted', async () => {
  const blobs = createMemoryBlobs({ now })
  const id = await put(createOutputStore(blobs, { now }), 'kept')
  const down = createOutputStore({ ...blobs, head: () => Promise.reject(new Error('timed out')) }, { now })
  await expect(down.delete('t', id)).rejects.toThrow(StoreError)
  await expect(down.deleteTenant('t', null)).rejects.toThrow(StoreError)
  expect(await isThere(createOutputStore(blobs, { now }), id)).toBe(true)
})

describe('what can not be deleted', () => {
  it.each(['session', 'tenant'] as const)('is told at the end, when the rest of the %s is gone', async (what) => {
    const memory = createMemoryBlobs({ now })
    let stuck = ''
    const blobs: Blobs = {
      ...memory,
      async delete(key) {
        if (key.endsWith(`/${stuck}`)) throw new Error('this one stays')
        await memory.delete(key)
      },
    }
    const store = createOutputStore(blobs, { now, page: 5 })
    const ids: string[] = []
    for (let i = 0; i < 12; i += 1) ids.push(await put(store, `output ${i}`, { session: 's' }))
    stuck = ids.toSorted()[0] ?? ''
    const ask = (cursor: string | null) =>
      what === 'session' ? store.deleteSession('t', 's', cursor) : store.deleteTenant('t', cursor)
    async function all(): Promise<void> {
      let cursor: string | null = null
      do cursor = (await ask(cursor)).cursor
      while (cursor !== null)
    }
    await expect(all()).rejects.toBeInstanceOf(StoreError)
    for (const id of ids) expect(await isThere(store, id)).toBe(id === stuck)
    stuck = ''
    await all()
    expect(await isThere(store, ids.toSorted()[0] ?? '')).toBe(false)
  })
})

describe.each([
  ['memory', async () => createMemoryBlobs({ now })],
  ['files', async () => openFileBlobs(await newFolder(), now)],
  ['KV', async () => createKvBlobs(createKvDouble(now))],
  ['R2', async () => createR2Blobs(createR2Double(now))],
])('after a change of the time to live, on %s', (_, open) => {
  async function change() {
    const blobs = await open()
    const storeOf = (days: number) =>
      createOutputStore(blobs, { now, ttlMs: days * DAY, ttlClass: `${days}d`, page: 10 })
    const before: string[] = []
    for (const days of [7, 1, 30, 365]) {
      for (let i = 0; i < 4; i += 1) before.push(await put(storeOf(days), `${days} ${i}`, { session: 's' }))
    }
    const other = createOutputStore(blobs, { now })
    const kept = await outputKey(SECRET, 'u', new Uint8Array(), { kind: 'text' })
    await other.put('u', kept, new Uint8Array(), { kind: 'text' })
    const left = async () => {
      const pages = await Promise.all((await blobs.classes()).map((each) => blobs.list(`${each}/t/`, null, 1000)))
      return pages.flatMap(({ keys }) => keys)
    }
    return { store: storeOf(14), before, left, blobs }
  }
  async function all(ask: (cursor: string | null) => Promise<{ deleted: number; cursor: string | null }>) {
    let deleted = 0
    let cursor: string | null = null
    do {
      const page = await ask(cursor)
      deleted += page.deleted
      cursor = page.cursor
    } while (cursor !== null)
    return deleted
  }

  it('a session is deleted whole', async () => {
    const { store, left } = await change()
    expect(await all((cursor) => store.deleteSession('t', 's', cursor))).toBe(16)
    expect(await left()).toEqual([])
  })

  it('a tenant is deleted whole, and no other', async () => {
    const { store, left, blobs } = await change()
    expect(await all((cursor) => store.deleteTenant('t', cursor))).toBe(16)
    expect(await left()).toEqual([])
    expect((await blobs.list('7d/u/', null, 10)).keys).toHaveLength(1)
  })

  it('an output is deleted by its id', async () => {
    const { store, before, left } = await change()
    const [id = ''] = before
    expect(await store.delete('t', id)).toBe(true)
    expect((await left()).filter((key) => key.includes(id))).toEqual([])
  })
})

it('what is deleted is counted in outputs: neither markers nor what had expired', async () => {
  for (const what of ['session', 'tenant'] as const) {
    let time = 0
    const store = createOutputStore(createMemoryBlobs({ now: () => 0 }), { now: () => time })
    await put(store, 'expired', { session: 's' })
    time = 8 * DAY
    await put(store, 'output', { session: 's' })
    await put(store, 'marker', { session: 's', kind: 'marker' })
    const gone = what === 'session' ? store.deleteSession('t', 's', null) : store.deleteTenant('t', null)
    expect(await gone).toEqual({ deleted: 1, cursor: null })
  }
})
