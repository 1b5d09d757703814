import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { StoreError } from '../../src/service/ports.ts'
import { openFileBlobs } from '../../src/store/file.ts'
import { createOutputStore } from '../../src/store/output-store.ts'
import { bodyOf, keyOf } from './file-content.ts'

const WRITER = fileURLToPath(new URL('./file-writer.ts', import.meta.url))
const NOBODY = 65534
const HOUR = 60 * 60 * 1000
const KEY = 'abcdefghijklmnopabcdefghijklmno'
const PATH_OF_KEY = `7d/t/ab/c/o_f${KEY}`
const CONTENT = new TextEncoder().encode('one\ntwo\n')
const TEXT = { kind: 'text' } as const

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spillway-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function openStore(now: () => number = Date.now) {
  const blobs = await openFileBlobs(folder, now)
  await blobs.swept
  return { blobs, store: createOutputStore(blobs, { now }) }
}

/** Files below a folder, as paths within it. */
async function filesBelow(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

/** Lets a writer acknowledge some objects, kills it a little later, and gives the seeds that it acknowledged. */
async function killedWriter(firstSeed: number, acknowledged: number, delayMs: number): Promise<number[]> {
  const child: ChildProcess = spawn(process.execPath, [WRITER, folder, String(firstSeed)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const seeds: number[] = []
  const closed = once(child, 'close')
  if (child.stdout === null) throw new Error('the writer has no output')
  for await (const line of createInterface({ input: child.stdout })) {
    seeds.push(Number(line))
    if (seeds.length === acknowledged) setTimeout(() => child.kill('SIGKILL'), delayMs)
  }
  await closed
  expect(child.signalCode).toBe('SIGKILL')
  return seeds
}

test('a writer that is killed at any moment loses nothing that it acknowledged, and leaves nothing half written', async () => {
  const { blobs } = await openStore()
  for (let round = 0; round < 10; round += 1) {
    const acknowledged = await killedWriter(round * 100, 1 + (round % 3), Math.random() * 15)
    expect(acknowledged.length).toBeGreaterThan(0)
    const names = (await filesBelow(folder)).map((path) => path.split('/').at(-1) ?? '')
    const visible = names.filter((name) => !name.startsWith('.tmp-'))
    for (const seed of acknowledged) expect(visible).toContain(keyOf(seed).split('/').at(-1))
    // What was renamed and not yet acknowledged has to be whole as well.
    for (const name of visible) {
      const found = await blobs.get(`7d/writer/${name}`)
      const seed = Number(found?.note.slice('seed '.length))
      expect(Buffer.compare(found?.bytes ?? new Uint8Array(0), bodyOf(seed))).toBe(0)
    }
    await rm(join(folder, '7d'), { recursive: true })
  }
})

test('a sweep removes old leftovers and what has expired, and nothing else', async () => {
  let now = Date.now()
  const { blobs, store } = await openStore(() => now)
  const { id } = await store.put('t', KEY, CONTENT, TEXT)
  const old = join(folder, '7d/t/ab/c/.tmp-00000000-0000-4000-8000-000000000000')
  const young = join(folder, '7d/t/ab/c/.tmp-00000000-0000-4000-8000-000000000001')
  const foreign = join(folder, '7d/t/ab/c/notes.txt')
  for (const path of [old, young, foreign]) await writeFile(path, 'x')
  await utimes(old, new Date(now - 2 * HOUR), new Date(now - 2 * HOUR))
  await utimes(foreign, new Date(0), new Date(0))

  expect(await blobs.sweep()).toBe(1)
  await expect(stat(old)).rejects.toThrow('ENOENT')
  await stat(young)
  expect(await store.get('t', id)).toHaveProperty('content')

  now += 7 * 24 * HOUR
  await (await openFileBlobs(folder, () => now)).swept
  expect(await filesBelow(folder)).toEqual([foreign])
})

test('objects lie in folders by class, tenant and letters of the id, readable by their owner alone', async () => {
  const { store } = await openStore()
  await store.put('t', KEY, CONTENT, TEXT)
  expect(await filesBelow(folder)).toEqual([join(folder, PATH_OF_KEY)])
  expect((await stat(join(folder, PATH_OF_KEY))).mode & 0o777).toBe(0o600)
  expect((await stat(join(folder, '7d'))).mode & 0o777).toBe(0o700)
})

test('a file that was cut, or changed anywhere, is an error, and a second put mends it', async () => {
  const { store } = await openStore()
  const path = join(folder, PATH_OF_KEY)
  const { id } = await store.put('t', KEY, CONTENT, TEXT)
  const intact = await readFile(path)
  for (let at = 0; at < intact.length; at += 1) {
    await writeFile(
      path,
      Uint8Array.from(intact, (byte, place) => (place === at ? byte ^ 1 : byte)),
    )
    await expect(store.get('t', id)).rejects.toThrow(StoreError)
  }
  for (const length of [0, 1, 67, 68, 69, intact.length - 1]) {
    await writeFile(path, intact)
    await truncate(path, length)
    await expect(store.get('t', id)).rejects.toThrow(StoreError)
    await store.put('t', KEY, CONTENT, TEXT)
    expect(await store.get('t', id)).toMatchObject({ bytes: CONTENT.length })
  }
})

test('what the file system refuses is a StoreError that says so', async () => {
  const { blobs, store } = await openStore()
  // A file where a folder has to be: refused for every user, root too.
  await mkdir(join(folder, '7d'))
  await writeFile(join(folder, '7d/t'), '')
  await expect(store.put('t', KEY, CONTENT, TEXT)).rejects.toThrow(StoreError)
  await expect(openFileBlobs(join(folder, '7d/t/deeper'), Date.now)).rejects.toThrow(/cannot open/)
  await expect(blobs.get('../../etc/passwd')).rejects.toThrow('not a key of an output store')
})

test('a folder without permission is a StoreError that says so', async () => {
  const { store } = await openStore()
  await chmod(folder, 0o500)
  // Permissions do not bind root: what is asked here is asked as nobody.
  const root = process.geteuid?.() === 0
  if (root) await chown(folder, NOBODY, NOBODY)
  if (root) process.seteuid?.(NOBODY)
  try {
    await expect(store.put('t', KEY, CONTENT, TEXT)).rejects.toThrow(/permission denied/)
    await expect(openFileBlobs(folder, Date.now)).rejects.toThrow(/cannot open .*permission denied/)
  } finally {
    if (root) process.seteuid?.(0)
    await chmod(folder, 0o700)
  }
})

/** A file system of 8 MB for one process and its children, where the system lets a user have one. */
const ON_SMALL_DISK = ['-rm', 'sh', '-c', 'mount -t tmpfs -o size=8m none "$0" && "$@"; ls -A "$0"/7d/*/*/*']
const hasSmallDisk = spawnSync('unshare', [...ON_SMALL_DISK, tmpdir(), 'true']).stderr?.includes('mount') === false

test.skipIf(!hasSmallDisk)('a full disk is a StoreError that says so, and no leftover takes up space', () => {
  const run = spawnSync('unshare', [...ON_SMALL_DISK, folder, process.execPath, WRITER, folder, '0'], {
    encoding: 'utf8',
    timeout: 50_000,
  })
  expect(run.stderr).toContain('file store: cannot write: no space left on the device')
  expect(run.stdout).toMatch(/^0$/m)
  expect(run.stdout).not.toContain('.tmp-')
})

test('above its limit the folder loses the outputs stored longest ago, with a warning before', async () => {
  let now = Date.now()
  const warnings: string[] = []
  const limit = 40_000
  const blobs = await openFileBlobs(folder, () => now, { maxBytes: limit, warn: (words) => warnings.push(words) })
  await blobs.swept
  const store = createOutputStore(blobs, { now: () => now })
  // Bytes that do not pack.
  const content = () => crypto.getRandomValues(new Uint8Array(3000))
  const keys = Array.from({ length: 16 }, (_, i) => String.fromCharCode(97 + i).repeat(31))
  const ids: string[] = []
  for (const key of keys.slice(0, 11)) {
    now += 1000
    ids.push((await store.put('t', key, content(), TEXT)).id)
  }
  expect(warnings).toEqual([expect.stringMatching(/^file store: 8\d % of store.max_bytes are taken/)])
  expect(store.warnings?.()).toHaveLength(1)
  // An event's marker vouches for all its outputs, so it goes before any of them; the oldest is renewed.
  const marker = await store.put('t', 'p'.repeat(31), CONTENT, { kind: 'marker' })
  now += 1000
  await store.renew('t', ids[0] ?? '')
  for (const key of keys.slice(11, 14)) {
    now += 1000
    ids.push((await store.put('t', key, content(), TEXT)).id)
  }
  await blobs.sweep()
  await blobs.sweep()
  const there = await Promise.all(ids.map(async (id) => !('missing' in (await store.head('t', id)))))
  expect(there.slice(0, 2)).toEqual([true, false])
  expect(there.slice(-3)).toEqual([true, true, true])
  expect(await store.head('t', marker.id)).toHaveProperty('missing')
  const sizes = await Promise.all((await filesBelow(folder)).map(async (path) => (await stat(path)).size))
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(limit)
  expect(warnings.at(-1)).toMatch(/outputs deleted before they expired/)
})

test('a sweep removes references of sessions that have expired', async () => {
  let now = Date.now()
  const { blobs, store } = await openStore(() => now)
  await store.put('t', KEY, CONTENT, { kind: 'text', session: 'run-1' })
  const names = (await filesBelow(folder)).map((path) => path.slice(folder.length + 1).split('/'))
  expect(names.map((parts) => parts.slice(0, 3).join('/')).sort()).toEqual(['7d/t/ab', '7d/t/r', '7d/t/s'])
  expect(await blobs.sweep()).toBe(0)
  now += 7 * 24 * HOUR
  expect(await blobs.sweep()).toBe(3)
  expect(await filesBelow(folder)).toEqual([])
})

test('what is being read stays readable when its time runs out and it is swept meanwhile', async () => {
  let now = Date.now()
  const { blobs, store } = await openStore(() => now)
  const { id } = await store.put('t', KEY, CONTENT, TEXT)
  const path = join(folder, PATH_OF_KEY)
  const reader = await open(path)
  try {
    now += 8 * 24 * HOUR
    expect(await blobs.sweep()).toBe(1)
    expect((await reader.readFile()).length).toBeGreaterThan(CONTENT.length)
  } finally {
    await reader.close()
  }
  // Expired means gone, at once, for everybody who asks anew.
  expect(await store.get('t', id)).toEqual({ missing: 'final' })
})

test('above its limit a store of files lets go what was stored longest ago, however long it was to live', async () => {
  const root = await mkdtemp(join(tmpdir(), 'spillway-'))
  try {
    const blobs = await openFileBlobs(root, () => 0, { maxBytes: 100_000 })
    await blobs.swept
    const put = async (ttl: string, letter: string, expiresAt: number) => {
      const key = `${ttl}/t/o_f${letter.repeat(31)}`
      await blobs.put(key, new Uint8Array(20_000), { expiresAt, ttlMs: expiresAt, note: 'x' })
      // File systems tell times apart by milliseconds.
      await new Promise((resolve) => setTimeout(resolve, 5))
      return key
    }
    const long = [await put('30d', 'a', 3000), await put('30d', 'b', 3000), await put('30d', 'c', 3000)]
    const short = [await put('1d', 'd', 100), await put('1d', 'e', 100)]
    await blobs.sweep()
    const there = await Promise.all([...long, ...short].map(async (key) => (await blobs.head(key)) !== null))
    expect(there).toEqual([false, true, true, true, true])
  } finally {
    await rm(root, { recursive: true })
  }
})
