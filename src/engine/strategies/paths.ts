import type { Draft } from '../draft.ts'

/** A name on an input line of its own. */
export interface Named {
  readonly name: string
  readonly line: number
}

/** Names on one line take at most about this many characters. */
const WIDTH = 1000

/**
 * Writes paths grouped by folder, the folder once, in order of first occurrence: `src/: a.ts b.ts`. A path alone in its
 * folder, and one without a folder, stands as it is.
 */
export function writePaths(paths: readonly Named[], draft: Draft): void {
  const folders = new Map<string, Named[]>()
  for (const { name, line } of paths) {
    const slash = name.lastIndexOf('/', name.length - 2)
    const folder = name.slice(0, slash + 1)
    const entry = { name: name.slice(slash + 1), line }
    const known = folders.get(folder)
    if (known) known.push(entry)
    else folders.set(folder, [entry])
  }
  for (const [folder, names] of folders) {
    if (folder === '' || names.length === 1) for (const { line } of names) draft.keep(line)
    else writeNames(`${folder}: `, names, draft)
  }
}

/**
 * Writes names behind `lead`, separated by spaces; a name that holds one stands in quotes. Where they do not fit on one
 * line, `lead` is repeated.
 */
export function writeNames(lead: string, names: readonly Named[], draft: Draft): void {
  let texts: string[] = []
  let lines: number[] = []
  let width = 0
  const flush = (): void => {
    if (lines.length > 0) draft.restate(lead + texts.join(' '), lines)
    texts = []
    lines = []
    width = 0
  }
  for (const { name, line } of names) {
    if (width > 0 && width + name.length > WIDTH) flush()
    texts.push(quoted(name))
    lines.push(line)
    width += name.length + 1
  }
  flush()
}

/** A name that can stand among others: with spaces or quotes in it, it stands in quotes, itself unchanged. */
function quoted(name: string): string {
  return /[\s"]/.test(name) && !/^".*"$/.test(name) ? `"${name}"` : name
}

/** `12 paths in 3 folders`: how many names follow, and how they are to be read. */
export function headingOfPaths(paths: readonly Named[], what: string): string {
  const folders = new Set(paths.map(({ name }) => name.slice(0, name.lastIndexOf('/', name.length - 2) + 1)))
  return `${paths.length} ${what} in ${folders.size} ${folders.size === 1 ? 'folder' : 'folders'}; names stand behind their folder`
}
