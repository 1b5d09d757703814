import type { Diagnostic } from './diagnostics.ts'

/** Findings of several files with one text, that are written shorter as one line of places than under each file. */
export interface AcrossFiles {
  readonly text: string
  readonly findings: readonly Diagnostic[]
}

/** As little as this saves of what the findings take under their files, they stay there. */
const LEAST_SAVING = 0.15

/**
 * Parts findings into those whose text is worth writing once for several files, and the rest, both in order of first
 * occurrence. Findings with notes, advice, a scope or no place are never taken out of their file.
 */
export function partAcrossFiles(findings: readonly Diagnostic[]): { shared: AcrossFiles[]; rest: Diagnostic[] } {
  const byText = new Map<string, Diagnostic[]>()
  const textsOf = new Map<string, Set<string>>()
  for (const finding of findings) {
    const texts = textsOf.get(finding.path)
    if (texts) texts.add(finding.text)
    else textsOf.set(finding.path, new Set([finding.text]))
    if (!isPlain(finding)) continue
    const same = byText.get(finding.text)
    if (same) same.push(finding)
    else byText.set(finding.text, [finding])
  }
  const shared: AcrossFiles[] = []
  const taken = new Set<string>()
  for (const [text, group] of byText) {
    if (group.length < 3 || !isShorter(text, group, textsOf)) continue
    shared.push({ text, findings: group })
    taken.add(text)
  }
  const rest = findings.filter((finding) => !taken.has(finding.text) || !isPlain(finding))
  return { shared, rest }
}

function isPlain(finding: Diagnostic): boolean {
  return (
    finding.place !== '' &&
    /^[^\s,:]+$/.test(finding.path) &&
    (finding.notes ?? []).length === 0 &&
    (finding.advice ?? []).length === 0 &&
    (finding.scope ?? '') === ''
  )
}

function isShorter(text: string, group: readonly Diagnostic[], textsOf: ReadonlyMap<string, Set<string>>): boolean {
  const files = new Set(group.map((finding) => finding.path))
  let under = 0
  let joined = text.length
  // A file with nothing else need not be named on a line of its own.
  for (const path of files) under += text.length + 2 + (textsOf.get(path)?.size === 1 ? path.length + 1 : 0)
  for (const finding of group) {
    under += finding.place.length + 1
    joined += finding.path.length + finding.place.length + 3
  }
  return files.size > 1 && joined < under * (1 - LEAST_SAVING)
}
