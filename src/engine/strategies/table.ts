/** Tables padded with spaces, as `docker ps` and `kubectl get` print them. */

export interface Table {
  readonly columns: readonly string[]
  /** The cells of one line, by column; null for a line that is cut off or does not stand under the columns. */
  row(line: string): ReadonlyMap<string, string> | null
}

const WORDS = /^[A-Z][A-Z0-9()%/_-]{0,40}(?: [A-Z][A-Z0-9()%/_-]{0,40}){0,2}$/

/** Reads a line of upper-case column names with two spaces or more between them; null for any other line. */
export function readTable(header: string): Table | null {
  if (header.startsWith(' ') || header.length > 1000) return null
  const columns: string[] = []
  const starts: number[] = []
  for (let at = 0; at < header.length; ) {
    let end = header.indexOf('  ', at)
    if (end < 0) end = header.length
    const name = header.slice(at, end).trim()
    if (!WORDS.test(name)) return null
    columns.push(name)
    starts.push(at)
    at = end
    while (at < header.length && header.charCodeAt(at) === 0x20) at += 1
  }
  if (columns.length < 2) return null
  return {
    columns,
    row(line) {
      const cells = new Map<string, string>()
      for (let c = 0; c < columns.length; c += 1) {
        const start = starts[c] ?? 0
        // Cells that don't begin where their column does are misread: such a line is kept as it is.
        if (start > 0 && line.length > start && line.charCodeAt(start - 1) !== 0x20) return null
        cells.set(columns[c] ?? '', line.slice(start, starts[c + 1] ?? line.length).trim())
      }
      return cells
    },
  }
}

/** Groups names under what they share, in order of first appearance. */
export function groupBy<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const name = key(item)
    const group = groups.get(name)
    if (group) group.push(item)
    else groups.set(name, [item])
  }
  return groups
}
