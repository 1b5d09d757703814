/** Texts to fit the estimator on and to judge it by: recorded outputs, the project's own sources, and a few languages. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checksum } from '../../../src/engine/marker.ts'
import { languages } from './languages.ts'

export interface Sample {
  /** Path from the project's root; `language/…` for the sentences. */
  readonly name: string
  readonly text: string
}

/** The unit of the error: about as much as one screen of output. */
export const PIECE = 2048
/** So that one long log does not stand for all. */
const PIECES_A_FILE = 30

/** What is read unless folders are given. */
export const FOLDERS = ['fixtures', 'src', 'test'] as const

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** Every sample under `folders` (paths from the root, or absolute ones), then the languages. */
export function readSamples(folders: readonly string[]): Sample[] {
  const files = folders.flatMap((folder) => filesUnder(join(folder.startsWith('/') ? '/' : ROOT, folder))).sort()
  const recorded = files.map((file) => ({ name: relative(ROOT, file), text: readFileSync(file, 'utf8') }))
  return [...recorded, ...languages].filter(({ text }) => text.length > 0 && text.isWellFormed())
}

/** The halves: which one a recorded output is in depends on its path under fixtures/ alone. Sources and languages are for fitting. */
export function isHeldOut({ name }: Sample): boolean {
  const recorded = name.indexOf('fixtures/')
  return recorded >= 0 && (checksum(name.slice(recorded)).at(-1) ?? '') >= 'i'
}

/** A sample in pieces of 2048 units, spread over the text where it is long; a short rest goes with the piece before. */
export function cutPieces({ text }: Sample): string[] {
  const count = Math.max(1, Math.floor(text.length / PIECE))
  const step = Math.max(1, count / PIECES_A_FILE)
  const pieces: string[] = []
  for (let n = 0; n < count; n += step) {
    const from = Math.floor(n) * PIECE
    pieces.push(text.slice(from, text.length - from < 2 * PIECE ? undefined : from + PIECE))
  }
  return pieces
}

function filesUnder(folder: string): string[] {
  const found = statSync(folder, { throwIfNoEntry: false })
  if (found === undefined) return []
  if (found.isFile()) return [folder]
  return readdirSync(folder).flatMap((name) => filesUnder(join(folder, name)))
}
