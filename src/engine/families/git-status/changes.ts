/** One changed path of a status. */
export interface Change {
  /** What stands before the path in the condensed form: `M`, ` M`, `??`, `UU`, or `modified:` in the human form. */
  readonly label: string
  /** As git prints it: quoted where it has to be, `old -> new` for a rename. */
  readonly path: string
  /** What it counts as: `staged`, `modified`, `untracked`, `conflicted` ... */
  readonly counts: readonly string[]
}

/** A status read line by line: what stays as it is, what is a change, and what is only a hint. */
export type StatusLine =
  | { readonly kind: 'keep' }
  | { readonly kind: 'hint'; readonly what: string }
  | { readonly kind: 'change'; readonly change: Change }

const ORDER = ['conflicted', 'staged', 'modified', 'deleted', 'typechange', 'untracked', 'ignored']

/** `3 modified, 1 staged`: how many paths are in each state; a path may be in two. */
export function countsOf(changes: readonly Change[]): string {
  const counts = new Map<string, number>()
  for (const change of changes) for (const name of change.counts) counts.set(name, (counts.get(name) ?? 0) + 1)
  const names = [
    ...ORDER.filter((name) => counts.has(name)),
    ...[...counts.keys()].filter((name) => !ORDER.includes(name)),
  ]
  return names.map((name) => `${counts.get(name)} ${name}`).join(', ')
}

/** Directory and base name of a plain path; null where it must not be taken apart (quoted, or a rename). */
function split(path: string): { folder: string; base: string } | null {
  if (path.startsWith('"') || path.includes(' ')) return null
  const at = path.replace(/\/$/, '').lastIndexOf('/')
  return at < 0 ? null : { folder: path.slice(0, at + 1), base: path.slice(at + 1) }
}

/** Paths that share a directory and a label stand on one line, the directory once: `?? src/gen/: a.go b.go`. */
export function groupPaths(entries: readonly { change: Change; index: number }[]): { text: string; lines: number[] }[] {
  const groups = new Map<string, { lead: string; names: string[]; path: string; lines: number[] }>()
  for (const { change, index } of entries) {
    const { label, path } = change
    const at = split(path)
    const lead = `${label} ${at === null ? path : at.folder}`
    const key = at === null ? `${lead}\n${index}` : lead
    const known = groups.get(key)
    if (known && at) {
      known.names.push(at.base)
      known.lines.push(index)
    } else groups.set(key, { lead, names: at ? [at.base] : [], path: `${label} ${path}`, lines: [index] })
  }
  return [...groups.values()].map(({ lead, names, path, lines }) => ({
    text: names.length > 1 ? `${lead}: ${names.join(' ')}` : path,
    lines,
  }))
}
