import { type FileHandle, mkdir, open, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { StoreError } from '../service/ports.ts'
import { type BlobInfo, type Blobs, type Bytes, isBlobKey, type PutOptions, resolveRange } from './blobs.ts'
import { CorruptBody } from './block-index.ts'
import { HEADER_BYTES, readHeader, writeHeader } from './file-header.ts'
import { listFolder, namesIn, placeOf } from './file-list.ts'
import { sweepFolder } from './file-sweep.ts'

const NAME = 'file store'
/** Share of the limit from which on it is told to be near. */
const NEAR = 0.8
/** What to do about the errors that a file system gives in daily use. */
const ADVICE: Readonly<Record<string, string>> = {
  ENOSPC: 'no space left on the device',
  EDQUOT: 'the disk quota is used up',
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  EROFS: 'the file system is read-only',
  EMFILE: 'too many open files',
}

export interface FileOptions {
  /** Bytes that all objects may take up; beyond, outputs stored or renewed longest ago go. Null: no limit. */
  readonly maxBytes?: number | null
  /** Told once when four fifths of `maxBytes` are taken, and of every output that had to go before its time. */
  readonly warn?: (words: string) => void
}

export interface FileBlobs extends Blobs {
  /**
   * Deletes what has expired, temporary files older than an hour, and what is over `maxBytes`; gives their number.
   * Rejects with StoreError.
   */
  sweep(): Promise<number>
  /** The sweep that opening began: settles when it is through, and never rejects. */
  readonly swept: Promise<void>
}

/**
 * Keeps objects as files below `folder`, which is made where it is missing: `<class>/<tenant>/<2 letters>/<1 letter>/<id>`,
 * and references between outputs and sessions as `<class>/<tenant>/<s or r>/<2 letters>/<name>`.
 * A file is written under a temporary name in its own folder, synced and renamed: at any moment, also when the process is
 * killed, an object is there whole or not at all. Several processes may share a folder. Files are the owner's alone.
 * @param now milliseconds since the epoch, for sweeping
 * @throws StoreError when the folder can't be made or written to
 */
export async function openFileBlobs(
  folder: string,
  now: () => number,
  { maxBytes = null, warn = () => {} }: FileOptions = {},
): Promise<FileBlobs> {
  await attempt(`open ${folder}`, async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    // A real write says more than permission bits: about full disks, quotas and read-only mounts too.
    const probe = join(folder, '.write-probe')
    await writeFile(probe, '', { mode: 0o600 })
    await rm(probe, { force: true })
  })
  /** Bytes of all objects: counted at each sweep, and in between by what this process writes. */
  let held = 0
  let near = false
  let sweeping: Promise<number> | null = null

  function warnings(): readonly string[] {
    if (maxBytes === null || held < maxBytes * NEAR) return []
    const share = Math.round((100 * held) / maxBytes)
    return [`${NAME}: ${share} % of store.max_bytes are taken; at 100 % the outputs stored longest ago are deleted`]
  }

  function count(bytes: number): void {
    held += bytes
    const words = warnings()
    if (!near) for (const each of words) warn(each)
    near = words.length > 0
  }

  async function sweepOnce(): Promise<number> {
    const result = await attempt(`sweep ${folder}`, () => sweepFolder(folder, now(), maxBytes))
    count(result.held - held)
    if (result.evicted > 0)
      warn(`${NAME}: ${result.evicted} outputs deleted before they expired: store.max_bytes is reached`)
    return result.deleted + result.evicted
  }

  /** One at a time: who comes while a sweep runs gets its result. */
  function sweep(): Promise<number> {
    sweeping ??= sweepOnce().finally(() => {
      sweeping = null
    })
    return sweeping
  }

  const settled = (work: Promise<number>): Promise<void> =>
    work.then(
      () => {},
      () => {},
    )
  const swept = settled(sweep())

  /** Runs `use` on an object's open file; null where there is none. What is read from one handle fits together. */
  async function withObject<T>(key: string, use: (file: FileHandle, info: BlobInfo) => Promise<T>): Promise<T | null> {
    const path = pathOf(folder, key)
    return attempt('read', async () => {
      const file = await openExisting(path)
      if (file === null) return null
      try {
        const header = readHeader(await readAt(file, 0, HEADER_BYTES))
        if (header === null || (await file.stat()).size !== HEADER_BYTES + header.size)
          throw new CorruptBody('the object file is damaged')
        return await use(file, header)
      } finally {
        await file.close()
      }
    })
  }

  return {
    name: NAME,
    tier: 'f',
    ranged: true,
    misses: 'final',
    sweep,
    swept,
    warnings,
    async put(key, bytes, options) {
      const path = pathOf(folder, key)
      await attempt('write', () => writeObject(folder, path, bytes, options))
      count(HEADER_BYTES + bytes.length)
      // Not waited for: the object is there, and whoever wrote it need not pay for the room.
      if (maxBytes !== null && held > maxBytes) void settled(sweep())
    },
    get(key, range) {
      return withObject(key, async (file, info) => {
        const [from, to] = resolveRange(range, info.size)
        return { ...info, bytes: await readAt(file, HEADER_BYTES + from, to - from) }
      })
    },
    head(key) {
      return withObject(key, async (_file, info) => info)
    },
    async delete(key) {
      const path = pathOf(folder, key)
      await attempt('delete', () => rm(path, { force: true }))
    },
    classes() {
      return attempt('list', () => namesIn(folder))
    },
    list(prefix, cursor, limit) {
      return attempt('list', () => listFolder(folder, prefix, cursor, limit))
    },
  }
}

/** @throws StoreError for what is no key of an output store: nothing else becomes a path */
function pathOf(folder: string, key: string): string {
  if (!isBlobKey(key)) throw new StoreError(NAME, 'not a key of an output store')
  return join(folder, ...placeOf(key))
}

async function writeObject(root: string, path: string, bytes: Bytes, options: PutOptions): Promise<void> {
  const folder = dirname(path)
  const made = await mkdir(folder, { recursive: true, mode: 0o700 })
  const temporary = join(folder, `.tmp-${crypto.randomUUID()}`)
  try {
    const file = await open(temporary, 'wx', 0o600)
    try {
      await file.writeFile(writeHeader({ ...options, size: bytes.length }))
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {})
    throw error
  }
  // The new name, and the folders made for it, have to outlive a power cut too.
  await syncFolder(folder)
  for (let at = folder; made !== undefined && at !== root; at = dirname(at)) await syncFolder(dirname(at))
}

/** Some systems can't sync a folder, and need not. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null)
  await handle?.sync().catch(() => {})
  await handle?.close()
}

async function openExisting(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, 'r')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}

/** Up to `length` bytes from `offset` on; fewer only where the file ends. */
async function readAt(file: FileHandle, offset: number, length: number): Promise<Bytes> {
  const bytes = new Uint8Array(length)
  let done = 0
  while (done < length) {
    const { bytesRead } = await file.read(bytes, done, length - done, offset + done)
    if (bytesRead === 0) break
    done += bytesRead
  }
  return bytes.subarray(0, done)
}

async function attempt<T>(action: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (cause instanceof StoreError) throw cause
    const code = codeOf(cause)
    const why = ADVICE[code] ?? (cause instanceof Error ? cause.message : String(cause))
    throw new StoreError(NAME, `cannot ${action}: ${why}`, { cause, unreadable: cause instanceof CorruptBody })
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
