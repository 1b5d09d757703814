import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as z from 'zod'
import { openTables } from '../../src/engine/value-table.ts'

const folder = fileURLToPath(new URL('../../fixtures', import.meta.url))

const fact = z.union([z.string().min(1), z.array(z.string().min(1)).min(1)])

const Case = z.strictObject({
  /** The command line as an agent would type it. */
  command: z.string(),
  version: z.string(),
  /** null where it is not known: the run was killed, or its output cut off on the way. */
  exitCode: z.number().nullable(),
  about: z.string(),
  /** A text that must occur in the filtered output, or several that must occur in this order, one after the other. */
  facts: z.array(fact),
  /** The same, where the recording says it in another form (JSON's line and column): only the filtered output is asked. */
  places: z.array(fact).default([]),
})

export interface Fixture extends z.infer<typeof Case> {
  readonly family: string
  readonly name: string
  /** The recorded bytes; stdout, then stderr where they were recorded apart. */
  readonly bytes: Uint8Array
  /** The bytes as UTF-8; what is no UTF-8 reads as U+FFFD. */
  readonly text: string
}

function read(family: string, name: string): Fixture {
  const path = join(folder, family, name)
  const files = existsSync(join(path, 'output')) ? ['output'] : ['stdout', 'stderr']
  const bytes = Buffer.concat(files.map((file) => readFileSync(join(path, file))))
  const parsed = Case.safeParse(JSON.parse(readFileSync(join(path, 'case.json'), 'utf8')))
  if (!parsed.success) throw new Error(`${family}/${name}/case.json: ${z.prettifyError(parsed.error)}`)
  return { ...parsed.data, family, name, bytes, text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes) }
}

const foldersIn = (path: string): string[] =>
  readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()

/** Every recorded output, by family and case. */
export function loadFixtures(): Fixture[] {
  return foldersIn(folder).flatMap((family) => foldersIn(join(folder, family)).map((name) => read(family, name)))
}

/** What a caller knows of a recorded output. */
export function contextOf({ command, exitCode }: Fixture): { command: string; exitCode?: number } {
  return { command, ...(exitCode !== null && { exitCode }) }
}

/** The facts of a fixture that a text does not hold, as it stands or with its tables of values written out. */
export function missingFacts(facts: Fixture['facts'], shown: string): Fixture['facts'] {
  const opened = openTables(shown.split('\n'))
  const text = opened === null ? shown : `${shown}\n${opened.texts.join('\n')}`
  return facts.filter((fact) => {
    let from = 0
    for (const part of typeof fact === 'string' ? [fact] : fact) {
      const at = text.indexOf(part, from)
      if (at < 0) return true
      from = at + part.length
    }
    return false
  })
}
