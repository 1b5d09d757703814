/**
 * Writes objects until it is killed; each acknowledged one is a line with its seed on stdout.
 * `node file-writer.ts <folder> <first seed>`
 */
import { writeSync } from 'node:fs'
import { openFileBlobs } from '../../src/store/file.ts'
import { bodyOf, keyOf, noteOf } from './file-content.ts'

const [folder = '', first = '0'] = process.argv.slice(2)
const blobs = await openFileBlobs(folder, Date.now)

for (let seed = Number(first); ; seed += 1) {
  await blobs.put(keyOf(seed), bodyOf(seed), { expiresAt: Date.now() + 1e9, ttlMs: 1e9, note: noteOf(seed) })
  writeSync(1, `${seed}\n`)
}
