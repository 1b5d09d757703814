/** Writes outputs until it is killed; each acknowledged one is a line `<id> <seed>` on stdout. `node file-writer.ts <folder> <round>` */
import { writeSync } from 'node:fs'
import { openFileBlobs } from '../../src/store/file.ts'
import { outputKey } from '../../src/store/key.ts'
import { createOutputStore } from '../../src/store/output-store.ts'
import { FILE_TENANT, fileContent } from './file-content.ts'

const [folder = '', round = '0'] = process.argv.slice(2)
const store = createOutputStore(await openFileBlobs(folder, Date.now), { now: Date.now })
const secret = Uint8Array.of(1, 2, 3)
const meta = { kind: 'text' } as const

for (let seed = Number(round) * 100_000; ; seed += 1) {
  const content = fileContent(seed)
  const { id } = await store.put(FILE_TENANT, await outputKey(secret, FILE_TENANT, content, meta), content, meta)
  writeSync(1, `${id} ${seed}\n`)
}
