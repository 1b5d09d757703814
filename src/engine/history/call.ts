import { isArray, isObject } from './value.ts'

const COMMAND_KEYS = ['command', 'cmd', 'script']
const PATH_KEYS = ['path', 'file_path', 'filePath', 'filename', 'file', 'absolute_path', 'notebook_path']

/** Shells that run a script given as a word: `["bash", "-lc", "go test ./..."]`. */
const SHELLS = ['sh', 'bash', 'zsh', 'dash', 'ash']

/** The command line that a call's arguments run; null where they hold none. */
export function commandOf(input: unknown): string | null {
  // Arguments may nest deeper than calls can.
  for (let at = input; isObject(at); at = at.action) {
    for (const key of COMMAND_KEYS) {
      const value = at[key]
      if (typeof value === 'string' && value !== '') return value
      if (isArray(value)) return joinWords(value)
    }
  }
  return null
}

function joinWords(value: readonly unknown[]): string | null {
  const words = value.filter((word) => typeof word === 'string')
  if (words.length === 0 || words.length < value.length) return null
  const [shell = '', option = '', script] = words
  if (words.length === 3 && script !== undefined && option.startsWith('-') && option.endsWith('c')) {
    if (SHELLS.includes(shell.slice(shell.lastIndexOf('/') + 1))) return script
  }
  return words.join(' ')
}

/**
 * The same text for calls of one tool with equal arguments, whatever the order of their keys; null where the call is
 * unknown, or nests deeper than `JSON.stringify` takes.
 */
export function callKey(call: { readonly tool: string; readonly input: unknown }): string | null {
  if (call.tool === '' || call.input === null) return null
  try {
    return JSON.stringify([call.tool, call.input], (_, value: unknown) =>
      isObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value,
    )
  } catch {
    return null
  }
}

/** A tool's name without its server's, which a client may put before it: `mcp__files__read`, `files.read`, `files/read`. */
export function ownName(tool: string): string {
  const end = Math.max(tool.lastIndexOf('__') + 2, ...['.', '/', ':'].map((sign) => tool.lastIndexOf(sign) + 1))
  return end > 1 ? tool.slice(end) : tool
}

/** Names of tools that give a file's content, in the lower case. */
const READ_TOOLS = ['read', 'read_file', 'readfile', 'read_text_file', 'view', 'view_file', 'open', 'open_file', 'cat']

/** The file whose content a call read; null for any other call. Parts of one file are one path: the newest counts. */
export function readPath(tool: string, input: unknown): string | null {
  if (!READ_TOOLS.includes(ownName(tool).toLowerCase()) || !isObject(input)) return null
  for (const key of PATH_KEYS) {
    const value = input[key]
    if (typeof value === 'string' && value !== '') return value
  }
  return null
}
