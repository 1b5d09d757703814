import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ID_PATTERN } from '../engine/marker.ts'
import { isBlobKey, type KeyPage } from './blobs.ts'

/** Where an object lies below the folder: tenants' outputs by letters of the id, references by letters of their name. */
export function placeOf(
  key: string,
): readonly [ttlClass: string, tenant: string, outer: string, inner: string, name: string] {
  const [ttlClass = '', tenant = '', ...rest] = key.split('/')
  const [kind = '', reference] = rest
  if (reference === undefined) return [ttlClass, tenant, kind.slice(3, 5), kind.slice(5, 6), kind]
  return [ttlClass, tenant, kind, shardOf(reference), reference]
}

/** The letters by which references are spread over folders: those of a session, or the first of an id. */
function shardOf(reference: string): string {
  return reference.startsWith('o_') ? reference.slice(3, 5) : reference.slice(0, 2)
}

/** Keys of objects whose keys begin with `prefix`, which names a class and a tenant at least, in the order of their paths. */
export async function listFolder(
  folder: string,
  prefix: string,
  cursor: string | null,
  limit: number,
): Promise<KeyPage> {
  const [ttlClass = '', tenant = '', kind = '', reference = ''] = prefix.split('/')
  const root = join(folder, ttlClass, tenant)
  const keys: string[] = []
  let last: string | null = null
  const outers = reference === '' ? await namesIn(root) : [kind]
  for (const outer of outers) {
    const inners = reference === '' ? await namesIn(join(root, outer)) : [shardOf(reference)]
    for (const inner of inners) {
      // Names sort after the empty one, so a folder whose last name is behind the cursor is not read again.
      if (cursor !== null && `${outer}/${inner}/\uffff` < cursor) continue
      for (const name of await namesIn(join(root, outer, inner))) {
        const place = `${outer}/${inner}/${name}`
        const key = ID_PATTERN.test(name) ? `${ttlClass}/${tenant}/${name}` : `${ttlClass}/${tenant}/${outer}/${name}`
        if ((cursor !== null && place <= cursor) || !key.startsWith(prefix) || !isBlobKey(key)) continue
        if (keys.length === limit) return { keys, cursor: last }
        keys.push(key)
        last = place
      }
    }
  }
  return { keys, cursor: null }
}

/** Names in a folder, sorted by code units; none where there is no such folder. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null
    if (code === 'ENOENT' || code === 'ENOTDIR') return []
    throw error
  }
}
