import { ConfigError, type Position } from './fault.ts'

/** A configuration as a value, and where in its text each part of it stands. */
export interface ConfigDocument {
  readonly value: unknown
  /**
   * Where the value at a path stands; of a path that leads nowhere, the nearest value around it.
   * @param key the position of the key itself, not of its value
   */
  locate(path: readonly PropertyKey[], key?: 'key'): Promise<Position>
}

/**
 * Reads a configuration. JSON is read as such, and YAML's parser is loaded only where it is needed: for other text, and
 * to tell where a fault stands.
 * @throws ConfigError for what is neither
 */
export async function readDocument(text: string, source: string): Promise<ConfigDocument> {
  const value = readJson(text)
  if (value === undefined) {
    const yaml = await readYaml(text, source)
    return { value: yaml.value, locate: async (path, key) => yaml.locate(path, key) }
  }
  return { value, locate: async (path, key) => (await readYaml(text, source)).locate(path, key) }
}

/** A JSON object whose keys are all different; undefined for any other text. */
function readJson(text: string): unknown {
  if (!/^\s*\{/.test(text)) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return countMembers(value) === countColons(text) ? value : undefined
  } catch {
    return undefined
  }
}

function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const members: unknown[] = Object.values(value)
  return members.reduce<number>((sum, member) => sum + countMembers(member), Array.isArray(value) ? 0 : members.length)
}

/** Colons outside strings: one a member as it is written. JSON.parse takes the last of two with one key, in silence. */
function countColons(json: string): number {
  return json.replace(/"(?:[^"\\]|\\.)*"/g, '""').split(':').length - 1
}

async function readYaml(text: string, source: string) {
  const { isMap, isNode, isScalar, LineCounter, parseDocument, visit } = await import('yaml')
  const counter = new LineCounter()
  const document = parseDocument(text, { lineCounter: counter, prettyErrors: false, stringKeys: true, strict: true })
  const positionOf = (offset: number): Position => {
    const { line, col } = counter.linePos(offset)
    return { line: Math.max(line, 1), column: Math.max(col, 1) }
  }
  const faults = [...document.errors, ...document.warnings].map(({ pos, code, message }) => ({
    position: positionOf(pos[0]),
    path: '',
    message:
      code === 'MULTIPLE_DOCS'
        ? 'a second document starts here; one is read'
        : `not valid YAML: ${message.split('\n')[0]}`,
  }))
  if (faults.length === 0) {
    visit(document, {
      Alias(_, alias) {
        if (alias.resolve(document) !== undefined) return
        const position = positionOf(alias.range?.[0] ?? 0)
        faults.push({ position, path: '', message: `no anchor &${alias.source} stands before this alias` })
      },
    })
  }
  if (faults.length > 0) throw new ConfigError(source, faults)

  function locate(path: readonly PropertyKey[], key?: 'key'): Position {
    const last = path.at(-1)
    const around = path.length <= 1 ? document.contents : document.getIn(path.slice(0, -1), true)
    if (key && last !== undefined && isMap(around)) {
      const pair = around.items.find((item) => isScalar(item.key) && item.key.value === last)
      if (isNode(pair?.key)) return positionOf(pair.key.range?.[0] ?? 0)
    }
    for (let length = path.length; length >= 0; length -= 1) {
      const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true)
      if (isNode(node) && node.range) return positionOf(node.range[0])
    }
    return { line: 1, column: 1 }
  }
  try {
    const value: unknown = document.toJS({ maxAliasCount: 100 })
    return { value, locate }
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error)
    throw new ConfigError(source, [{ position: { line: 1, column: 1 }, path: '', message: `not readable: ${words}` }])
  }
}
