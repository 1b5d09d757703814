import { isScope, SCOPES, type Scope, USUAL_SCOPES } from '../service/scopes.ts'

/** What a server reads from its environment, the same names on every runtime. */
export interface Environment {
  readonly port: number
  readonly host: string
  /** Folder of the file store; null where none is set and there is no home folder (Workers). */
  readonly data: string | null
  /** SPILLWAY_CONFIG as it is set: a path on Node and Deno, the configuration's text on Workers; null where it is not. */
  readonly config: string | null
  /** The operator's own configuration folder, `~/.config/spillway`; null where there is no home folder. */
  readonly configFolder: string | null
  /** Ids derive from it, and it never rotates; null where it has to be made or is missing. */
  readonly secret: string | null
  readonly keys: readonly KeyDigest[]
  /** Origins whose scripts are answered, as `https://app.example.com`. */
  readonly corsOrigins: readonly string[]
  /** Keys that seal what is stored: the first seals, all of them open; none: nothing is sealed. */
  readonly sealKeys: readonly { readonly id: string; readonly bytes: Uint8Array }[]
  /** Bytes that one body may have; null for the runtime's own default. */
  readonly maxBody: number | null
  readonly filters: boolean
  readonly masking: boolean
}

/** An API key by its SHA-256 (32 bytes), its tenant, and what it is good for. */
export interface KeyDigest {
  readonly tenant: string
  readonly scopes: readonly Scope[]
  readonly digest: Uint8Array
}

/** Every fault of an environment at once, each naming its variable and what to set. */
export class EnvironmentError extends Error {
  override readonly name = 'EnvironmentError'
  readonly faults: readonly string[]
  constructor(faults: readonly string[]) {
    super(faults.join('\n'))
    this.faults = faults
  }
}

export const DEFAULT_PORT = 8787
export const DEFAULT_HOST = '127.0.0.1'
const MIN_SECRET = 32
const MAX_BODY = 1024 * 1024 * 1024

type Variables = Readonly<Record<string, unknown>>

/**
 * Reads the environment. Strict: a value that can't be meant is an error, never a default in silence. An empty value
 * counts as not set, as deployment tools write unset ones.
 * @throws EnvironmentError
 */
export function parseEnvironment(variables: Variables): Environment {
  const faults: string[] = []
  const read = (name: string): string | null => {
    const value = variables[name]
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : null
  }
  const whole = (name: string, min: number, max: number): number | null => {
    const text = read(name)
    if (text === null) return null
    const value = /^\d{1,12}$/.test(text) ? Number(text) : -1
    if (value >= min && value <= max) return value
    faults.push(`${name} is ${quote(text)}; it has to be a whole number from ${min} to ${max}.`)
    return null
  }
  const unlessOff = (name: string): boolean => {
    const text = read(name)
    if (text === null || text === 'on') return true
    if (text !== 'off') faults.push(`${name} is ${quote(text)}; it has to be "on" or "off".`)
    return false
  }

  const secret = read('SPILLWAY_SECRET')
  if (secret !== null && secret.length < MIN_SECRET) {
    faults.push(`SPILLWAY_SECRET has ${secret.length} characters; it needs ${MIN_SECRET} or more: openssl rand -hex 32`)
  }
  const data = read('SPILLWAY_DATA')
  if (data !== null && !ABSOLUTE.test(data)) {
    faults.push(
      `SPILLWAY_DATA is ${quote(data)}; it has to be an absolute path: outputs must not move with the working folder.`,
    )
  }
  const environment = {
    port: whole('PORT', 0, 65_535) ?? DEFAULT_PORT,
    host: read('HOST') ?? DEFAULT_HOST,
    data: data ?? folderOf(read, 'XDG_DATA_HOME', '.local/share'),
    config: read('SPILLWAY_CONFIG'),
    configFolder: folderOf(read, 'XDG_CONFIG_HOME', '.config'),
    secret,
    keys: parseKeys(read('SPILLWAY_API_KEYS'), faults),
    corsOrigins: parseOrigins(read('SPILLWAY_CORS_ORIGINS'), faults),
    sealKeys: parseSealKeys(read('SPILLWAY_SEAL_KEYS'), faults),
    maxBody: whole('SPILLWAY_MAX_BODY', 1024, MAX_BODY),
    filters: unlessOff('SPILLWAY_FILTERS'),
    masking: unlessOff('SPILLWAY_MASKING'),
  }
  if (faults.length > 0) throw new EnvironmentError(faults)
  return environment
}

function quote(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text)
}

const ABSOLUTE = /^(?:\/|[A-Za-z]:[\\/])/

/**
 * Spillway's folder among the user's: in the one that an XDG variable names (as the XDG specification has it, a relative
 * path there counts as not set: it would lead into the working folder), or in the usual one of the home folder.
 */
function folderOf(read: (name: string) => string | null, xdg: string, usual: string): string | null {
  const set = read(xdg)
  if (set !== null && ABSOLUTE.test(set)) return `${set}/spillway`
  const home = read('HOME') ?? read('USERPROFILE')
  return home === null ? null : `${home}/${usual}/spillway`
}

/** Exact origins, comma separated. */
function parseOrigins(text: string | null, faults: string[]): string[] {
  const origins = text === null ? [] : text.split(',').map((each) => each.trim())
  for (const origin of origins) {
    // Whatever is written otherwise than browsers send it would never match, in silence.
    if (/^https?:/.test(origin) && URL.canParse(origin) && new URL(origin).origin === origin) continue
    faults.push(
      `SPILLWAY_CORS_ORIGINS has ${quote(origin)}; each has to be an origin like https://app.example.com, without a path or *.`,
    )
  }
  return origins
}

const KEY = /^(?:([A-Za-z0-9_.-]{1,64}):)?(?:([a-z+]{1,100}):)?([0-9A-Fa-f]{64})$/

/** `digest`, `tenant:digest` or `tenant:scope+scope:digest`, comma separated; digests are SHA-256 in hex. */
function parseKeys(text: string | null, faults: string[]): KeyDigest[] {
  const keys: KeyDigest[] = []
  if (text === null) return keys
  const seen = new Set<string>()
  // No entry is shown: whoever sets a key in the place of its digest should not find it in a log.
  const fault = (number: number, words: string) => faults.push(`SPILLWAY_API_KEYS: entry ${number} ${words}`)
  for (const [index, entry] of text.split(',').entries()) {
    const [, tenant = 'default', words, hex] = KEY.exec(entry.trim()) ?? []
    if (hex === undefined) {
      fault(index + 1, 'is no digest; write tenant:SHA256, 64 hex digits: printf %s "$KEY" | sha256sum')
      continue
    }
    const scopes = words === undefined ? USUAL_SCOPES : words.split('+').filter(isScope)
    if (words !== undefined && scopes.length !== words.split('+').length) {
      fault(index + 1, `names an unknown scope; known are ${SCOPES.join(', ')}, joined by +`)
    }
    // One key can't be two tenants', and of two lists of scopes one would be ignored.
    if (seen.has(hex.toLowerCase())) fault(index + 1, 'has the digest of an earlier one; give each key once')
    seen.add(hex.toLowerCase())
    keys.push({ tenant, scopes, digest: bytesOfHex(hex) })
  }
  return keys
}

const SEAL_KEY = /^([a-z0-9-]{1,8}):([A-Za-z0-9+/]{43}=)$/

/** `id:base64`, comma separated; keys of 32 bytes. */
function parseSealKeys(text: string | null, faults: string[]): { id: string; bytes: Uint8Array }[] {
  const keys: { id: string; bytes: Uint8Array }[] = []
  for (const [index, entry] of (text === null ? [] : text.split(',')).entries()) {
    const [, id, base64] = SEAL_KEY.exec(entry.trim()) ?? []
    // No entry is shown: it may hold a key.
    const fault = (words: string) => faults.push(`SPILLWAY_SEAL_KEYS: entry ${index + 1} ${words}`)
    if (id === undefined || base64 === undefined)
      fault(
        'is no key; write ID:KEY, an id of 1 to 8 of a-z, 0-9 and -, and 32 bytes in base64: openssl rand -base64 32',
      )
    else if (keys.some((key) => key.id === id)) fault('has the id of an earlier one; give each key an id of its own')
    else keys.push({ id, bytes: Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)) })
  }
  return keys
}

function bytesOfHex(hex: string): Uint8Array {
  return Uint8Array.from({ length: hex.length / 2 }, (_, i) => Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16))
}
