import { isArray, isObject } from './value.ts'

const COMMAND_KEYS = ['command', 'cmd', 'script']
const PATH_KEYS = ['path', 'file_path', 'filePath', 'filename', 'file', 'absolute_path', 'notebook_path']

/** Shells that run a script given as a word: `["bash", "-lc", "go test ./..."]`. */
const SHELLS = ['sh', 'bash', 'zsh', 'dash', 'ash']

/** The command line that a call's arguments run; null where they hold none. */
export function commandOf(input: unknown): string | null {
  if (!isObject(input)) return null
  for (const key of COMMAND_KEYS) {
    const value = input[key]
    if (typeof value === 'string' && value !== '') return value
    if (isArray(value)) return joinWords(value)
  }
  return isObject(input.action) ? commandOf(input.action) : null
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

/** Names of tools that give a file's content, in the lower case. */
const READ_TOOLS = ['read', 'read_file', 'readfile', 'read_text_file', 'view', 'view_file', 'open', 'open_file', 'cat']

/** The file whose content a call read; null for any other call. Parts of one file are one path: the newest counts. */
export function readPath(tool: string, input: unknown): string | null {
  // A client may put its server's name before the tool's.
  const name = tool.split(/__|\./).at(-1) ?? ''
  if (!READ_TOOLS.includes(name.toLowerCase()) || !isObject(input)) return null
  for (const key of PATH_KEYS) {
    const value = input[key]
    if (typeof value === 'string' && value !== '') return value
  }
  return null
}
