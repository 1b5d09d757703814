import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ID_PATTERN } from '../engine/marker.ts'
import { type BlobInfo, VOUCHER } from './blobs.ts'
import { HEADER_BYTES, readHeader } from './file-header.ts'

/** Class, tenant, and two levels of letters lie between the root and the objects. */
const DEPTH = 4
const TEMPORARY = /^\.tmp-[0-9a-f-]{36}$/
/** References between outputs and sessions: `<session>.<id>` and `<id>.<session>`. */
const REFERENCE = /^(?:o_[a-z])?[a-p]{31,32}\.(?:o_[a-z])?[a-p]{31,32}$/
/** No write takes as long: a temporary file of that age was left by a process that died. */
const LEFTOVER_MS = 60 * 60 * 1000
/** Down to which share of the limit outputs go once it is passed, so that not every write sweeps. */
const LOW_WATER = 0.9

interface Found {
  readonly folder: string
  readonly name: string
  readonly size: number
  readonly expiresAt: number
  readonly note: string
  /** When it was stored or renewed, by the file system: tenants' times to live differ, so that expiry does not tell. */
  readonly storedAt: number
}

export interface Swept {
  /** Files deleted because they had expired, or were left by dead writers. */
  readonly deleted: number
  /** Outputs deleted to get under the limit, before they had expired. */
  readonly evicted: number
  /** Bytes of the objects that are left. */
  readonly held: number
}

/**
 * Deletes what has expired and what dead writers left; then, above `maxBytes`, the outputs stored or renewed longest
 * ago. Leaves every file alone that it does not know. An open file stays readable to whoever has it open.
 * @param now milliseconds since the epoch
 * @param maxBytes null: no limit
 */
export async function sweepFolder(root: string, now: number, maxBytes: number | null): Promise<Swept> {
  let deleted = 0
  let held = 0
  const outputs: Found[] = []
  async function visit(folder: string, depth: number): Promise<void> {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      if (entry.isDirectory() && depth < DEPTH) await visit(join(folder, entry.name), depth + 1)
      if (!entry.isFile() || depth !== DEPTH) continue
      const found = await sweepFile(folder, entry.name, now)
      if (found === 'deleted') deleted += 1
      if (found === 'deleted' || found === null) continue
      held += found.size
      if (maxBytes !== null && ID_PATTERN.test(found.name)) outputs.push(found)
    }
  }
  await visit(root, 0)

  let evicted = 0
  if (maxBytes !== null && held > maxBytes) {
    const vouches = ({ note }: Found) => note.endsWith(VOUCHER)
    outputs.sort(
      (a, b) => Number(vouches(b)) - Number(vouches(a)) || a.storedAt - b.storedAt || a.expiresAt - b.expiresAt,
    )
    for (const { folder, name, size, expiresAt, note } of outputs) {
      // Small, and made anew when they are missed: what they vouch for may be among what goes.
      if (held <= maxBytes * LOW_WATER && !note.endsWith(VOUCHER)) break
      if (!(await removeUnlessRenewed(folder, name, (info) => info.expiresAt === expiresAt).catch(() => false)))
        continue
      held -= size
      evicted += 1
    }
  }
  return { deleted, evicted, held }
}

/** What is there of a file after it was looked at; null for one that is not known. */
async function sweepFile(folder: string, name: string, now: number): Promise<Found | 'deleted' | null> {
  const path = join(folder, name)
  try {
    if (TEMPORARY.test(name)) {
      if ((await stat(path)).mtimeMs > now - LEFTOVER_MS) return null
      await rm(path)
      return 'deleted'
    }
    if (!ID_PATTERN.test(name) && !REFERENCE.test(name)) return null
    const info = await readInfo(path)
    if (info === null) return null
    const isExpired = (each: BlobInfo) => each.expiresAt <= now
    if (isExpired(info) && (await removeUnlessRenewed(folder, name, isExpired))) return 'deleted'
    const { size, expiresAt, note, storedAt } = info
    return { folder, name, size: HEADER_BYTES + size, expiresAt, note, storedAt }
  } catch {
    // Another process was quicker, or the file can't be read: the next sweep sees it again.
    return null
  }
}

/** A writer may renew the object at this very moment, so it is set aside, looked at again, and put back if renewed. */
async function removeUnlessRenewed(folder: string, name: string, mayGo: (info: BlobInfo) => boolean): Promise<boolean> {
  const aside = join(folder, `.tmp-${crypto.randomUUID()}`)
  await rename(join(folder, name), aside)
  const info = await readInfo(aside)
  if (info !== null && mayGo(info)) {
    await rm(aside)
    return true
  }
  await rename(aside, join(folder, name))
  return false
}

/** Null for a damaged file: a read reports it, and a second put mends it. */
async function readInfo(path: string): Promise<(BlobInfo & { readonly storedAt: number }) | null> {
  const file = await open(path, 'r')
  try {
    const header = new Uint8Array(HEADER_BYTES)
    const { bytesRead } = await file.read(header, 0, HEADER_BYTES, 0)
    const info = readHeader(header.subarray(0, bytesRead))
    return info && { ...info, storedAt: (await file.stat()).mtimeMs }
  } finally {
    await file.close()
  }
}
