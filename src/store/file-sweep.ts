import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ID_PATTERN } from '../engine/marker.ts'
import { HEADER_BYTES, readHeader } from './file-header.ts'

/** Class, tenant, and two levels of letters lie between the root and the objects. */
const DEPTH = 4
const TEMPORARY = /^\.tmp-[0-9a-f-]{36}$/
/** No write takes as long: a temporary file of that age was left by a process that died. */
const LEFTOVER_MS = 60 * 60 * 1000

/**
 * Deletes what has expired and what dead writers left; leaves every file alone that it does not know.
 * @param now milliseconds since the epoch
 * @returns the number of files deleted
 */
export async function sweepFolder(root: string, now: number): Promise<number> {
  let deleted = 0
  async function visit(folder: string, depth: number): Promise<void> {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name)
      if (entry.isDirectory() && depth < DEPTH) await visit(path, depth + 1)
      else if (entry.isFile() && depth === DEPTH && (await sweepFile(folder, entry.name, now))) deleted += 1
    }
  }
  await visit(root, 0)
  return deleted
}

async function sweepFile(folder: string, name: string, now: number): Promise<boolean> {
  const path = join(folder, name)
  try {
    if (TEMPORARY.test(name)) {
      if ((await stat(path)).mtimeMs > now - LEFTOVER_MS) return false
      await rm(path)
      return true
    }
    return ID_PATTERN.test(name) && (await isExpired(path, now)) && (await removeExpired(folder, path, now))
  } catch {
    // Another process was quicker, or the file can't be read: the next sweep sees it again.
    return false
  }
}

/** A writer may renew the object at this very moment, so it is set aside, looked at again, and put back if renewed. */
async function removeExpired(folder: string, path: string, now: number): Promise<boolean> {
  const aside = join(folder, `.tmp-${crypto.randomUUID()}`)
  await rename(path, aside)
  if (await isExpired(aside, now)) {
    await rm(aside)
    return true
  }
  await rename(aside, path)
  return false
}

/** False for a damaged file: a read reports it, and a second put mends it. */
async function isExpired(path: string, now: number): Promise<boolean> {
  const file = await open(path, 'r')
  try {
    const header = new Uint8Array(HEADER_BYTES)
    const { bytesRead } = await file.read(header, 0, HEADER_BYTES, 0)
    const info = readHeader(header.subarray(0, bytesRead))
    return info !== null && info.expiresAt <= now
  } finally {
    await file.close()
  }
}
