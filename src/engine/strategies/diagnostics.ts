import type { Draft } from '../draft.ts'

/** One finding of a compiler or linter. */
export interface Diagnostic {
  readonly path: string
  /** As the tool writes it behind the path: `12:3`, `(12,3)`, `12`; empty for a finding on a whole file. */
  readonly place: string
  /** Everything after the place on one line, as it is to be read: `error TS2322: …`, `warning … no-var`. */
  readonly text: string
  /** Further lines that stay: notes, have and want, related places. */
  readonly notes?: readonly string[]
  /** Input lines that it restates. */
  readonly lines: readonly number[]
}

/**
 * Writes findings grouped by file, the path once: `src/a.ts` and, under it, ` 12:3 error …`. Findings of one file with
 * the same text share a line, every place kept: ` 12:3, 14:9 error …`. Order is that of first occurrence.
 */
export function writeDiagnostics(findings: readonly Diagnostic[], draft: Draft): void {
  const files = new Map<string, Map<string, Diagnostic[]>>()
  for (const finding of findings) {
    let texts = files.get(finding.path)
    if (!texts) {
      texts = new Map()
      files.set(finding.path, texts)
    }
    const key = [finding.text, ...(finding.notes ?? [])].join('\n')
    const same = texts.get(key)
    if (same) same.push(finding)
    else texts.set(key, [finding])
  }
  for (const [path, texts] of files) {
    draft.restate(path, [])
    for (const group of texts.values()) {
      const first = group[0]
      if (!first) continue
      const places = group.map((finding) => finding.place).filter((place) => place !== '')
      const head = [places.join(', '), first.text].filter((part) => part !== '').join(' ')
      const text = [` ${head}`, ...(first.notes ?? []).map((note) => `  ${note.trim()}`)].join('\n')
      draft.restate(
        text,
        group.flatMap((finding) => finding.lines),
      )
    }
  }
}
