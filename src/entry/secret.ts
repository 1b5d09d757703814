import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { EnvironmentError } from '../config/environment.ts'

/**
 * The secret that is kept beside the outputs, made where there is none. Ids derive from it: a new one would orphan what
 * is stored. Several processes that start at once get one secret: a finished file is linked to its name, and the first
 * link wins.
 * @throws EnvironmentError for a secret file that was cut or emptied
 */
export async function openSecret(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, 'secret')
  return (await readSecret(path)) ?? makeSecret(path)
}

async function readSecret(path: string): Promise<string | null> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  })
  if (text === null) return null
  const secret = text.trim()
  if (!/^[0-9a-f]{64}$/.test(secret)) {
    throw new EnvironmentError([`${path} holds no secret. Restore it, or delete it: stored outputs are lost then.`])
  }
  return secret
}

async function makeSecret(path: string): Promise<string> {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  const secret = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  const temporary = `${path}.${crypto.randomUUID()}`
  try {
    const file = await open(temporary, 'wx', 0o600)
    await file.writeFile(`${secret}\n`)
    await file.sync()
    await file.close()
    await link(temporary, path)
    return secret
  } catch (error) {
    const other = codeOf(error) === 'EEXIST' ? await readSecret(path) : null
    if (other === null) throw error
    return other
  } finally {
    await rm(temporary, { force: true })
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : null
}
