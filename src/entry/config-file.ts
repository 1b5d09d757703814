import { access, readFile } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { type Environment, EnvironmentError } from '../config/environment.ts'
import { type Config, parseConfig } from '../config/settings.ts'

/** What a project's folder may hold that looks like rules; none of it is ever read. */
const PROJECT_FILES = ['.spillway.yaml', '.spillway.yml', '.spillway/settings.yaml', 'spillway.yaml', 'spillway.yml']

/**
 * Reads the operator's configuration: the file that SPILLWAY_CONFIG names, which has to be there, or the one in the
 * operator's own configuration folder, which may be missing. Never one of the working folder: whoever writes a project
 * would set the rules for what is seen of it.
 * @returns null where there is none
 * @throws EnvironmentError, ConfigError
 */
export async function openConfig({ config, configFolder }: Environment): Promise<Config | null> {
  if (config !== null) {
    if (!isAbsolute(config)) {
      throw new EnvironmentError([
        `SPILLWAY_CONFIG is ${JSON.stringify(config)}; it has to be an absolute path: nothing is read from the working folder.`,
      ])
    }
    const text = await read(config)
    if (text === null) throw new EnvironmentError([`SPILLWAY_CONFIG names ${config}, which is not there.`])
    return parseConfig(text, config)
  }
  if (configFolder === null) return null
  const path = join(configFolder, 'settings.yaml')
  const text = await read(path)
  return text === null ? null : parseConfig(text, path)
}

/** The text of a file; null where there is none. @throws EnvironmentError for one that can't be read */
async function read(path: string): Promise<string | null> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    throw new EnvironmentError([`${path} can't be read: ${error instanceof Error ? error.message : String(error)}`])
  }
}

/** A warning for each file of the working folder that somebody may take for rules. */
export async function projectFileWarnings(folder: string): Promise<string[]> {
  const warnings: string[] = []
  for (const name of PROJECT_FILES) {
    const there = await access(join(folder, name)).then(
      () => true,
      () => false,
    )
    if (there) warnings.push(`${name} of the working folder is ignored: rules are set by the operator alone.`)
  }
  return warnings
}
