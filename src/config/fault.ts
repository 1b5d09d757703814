/** A place in the text of a configuration, both counted from 1. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** One thing to mend: where it stands, under which key, and what to do. */
export interface ConfigFault {
  readonly position: Position
  /** Path of the key, as it is read: `filters.rules[2].match`; empty for the text as a whole. */
  readonly path: string
  readonly message: string
}

/** Every fault of a configuration at once. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly faults: readonly ConfigFault[]
  /** @param source what to call the text: its path, or the variable that holds it */
  constructor(source: string, faults: readonly ConfigFault[]) {
    super(faults.map((fault) => writeFault(source, fault)).join('\n'))
    this.faults = faults
  }
}

/** `settings.yaml:5:14: filters.rules[0].bogus: unknown key …` */
function writeFault(source: string, { position, path, message }: ConfigFault): string {
  return `${source}:${position.line}:${position.column}: ${path === '' ? '' : `${path}: `}${message}`
}

/** A path as it is read: `filters.rules[2].match`. */
export function writePath(path: readonly PropertyKey[]): string {
  let text = ''
  for (const key of path) {
    if (typeof key === 'number') text += `[${key}]`
    else text += text === '' ? String(key) : `.${String(key)}`
  }
  return text
}
