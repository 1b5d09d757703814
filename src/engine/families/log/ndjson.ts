/** A log whose lines are JSON objects, as text. */
export interface JsonLog {
  /** For each input line the text that it stands for: stamp, level, message, further fields. */
  readonly texts: readonly string[]
  readonly first: string
  readonly last: string
  readonly fields: string
  /** The last line is no whole object. */
  readonly cut: boolean
}

const MESSAGE = ['log', 'message', 'msg', '@message', 'MESSAGE', 'event'] as const
const TIME = ['time', 'timestamp', 'ts', '@timestamp', '__REALTIME_TIMESTAMP'] as const
const LEVEL = ['level', 'severity', 'levelname', 'lvl', '@level', 'log.level'] as const
/** Fields of every line that say where the program runs. */
const PLACE = new Set(['pid', 'hostname', 'v', 'stream', '@version'])
const NUMBERED: ReadonlyMap<string, string> = new Map([
  ['10', 'TRACE'],
  ['20', 'DEBUG'],
  ['30', 'INFO'],
  ['40', 'WARN'],
  ['50', 'ERROR'],
  ['60', 'FATAL'],
])

function fieldsOf(line: string): Map<string, unknown> | null {
  if (!line.startsWith('{')) return null
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? new Map(Object.entries(value)) : null
  } catch {
    return null
  }
}

function pick(fields: ReadonlyMap<string, unknown>, names: readonly string[]): [string, string] | null {
  for (const name of names) {
    const value = fields.get(name)
    if (typeof value === 'string' || typeof value === 'number') return [name, String(value)]
  }
  return null
}

interface Entry {
  readonly text: string
  readonly time: string
  readonly names: readonly string[]
}

function readEntry(line: string): Entry | null {
  const fields = fieldsOf(line)
  if (!fields) return null
  const message = pick(fields, MESSAGE)
  const time = pick(fields, TIME)
  const level = pick(fields, LEVEL)
  if (message === null || typeof fields.get(message[0]) !== 'string' || (time === null && level === null)) return null
  const rest: string[] = []
  for (const [name, value] of fields) {
    if (name === message[0] || name === time?.[0] || name === level?.[0] || PLACE.has(name)) continue
    rest.push(`${name}=${typeof value === 'string' && !/[\s"]/.test(value) ? value : JSON.stringify(value)}`)
  }
  const said = message[1].replace(/\n$/, '')
  const word = level === null ? '' : `${NUMBERED.get(level[1]) ?? level[1].toUpperCase()} `
  // A driver's line holds the program's own, with the program's own stamp.
  const stamp = message[0] === 'log' || time === null ? '' : `${time[1]} `
  return {
    text: `${stamp}${word}${said}${rest.length > 0 ? ` ${rest.join(' ')}` : ''}`,
    time: time?.[1] ?? '',
    names: [...fields.keys()],
  }
}

export const viewOfEntry = (line: string): string => (line.startsWith('{') ? (readEntry(line)?.text ?? line) : line)

export const isJsonLog = (lines: readonly string[]): boolean => {
  const sample = lines.slice(0, 20)
  return sample.length >= 3 && sample.filter((line) => readEntry(line) !== null).length >= sample.length * 0.8
}

/** Reads the lines; null where too few are entries of a log. */
export function readJsonLog(lines: readonly string[]): JsonLog | null {
  if (!isJsonLog(lines)) return null
  const names = new Set<string>()
  let first = ''
  let last = ''
  const texts = lines.map((line) => {
    const entry = readEntry(line)
    if (!entry) return line
    for (const name of entry.names) if (names.size < 40) names.add(name)
    if (first === '') first = entry.time
    if (entry.time !== '') last = entry.time
    return entry.text
  })
  const end = lines.at(-1) ?? ''
  return { texts, first, last, fields: [...names].join(', '), cut: end.startsWith('{') && fieldsOf(end) === null }
}
