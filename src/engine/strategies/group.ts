import type { Draft } from '../draft.ts'
import { type Diagnostic, writeDiagnostics } from './diagnostics.ts'

/** `path:12:3: message`, `path:12: message`; the path has an extension, so that times and host:port are none. */
const FINDING = /^((?:[A-Za-z]:)?[^\s:()'"`[\]]+\.[A-Za-z][A-Za-z0-9+]{0,9}):(\d{1,9}(?::\d{1,9})?):? +(\S.*)$/
/** A rule's name at the end of a message: `(errcheck)`, `[no-unused-vars]`. */
const RULE = / +(?:\(([\w./@-]{1,100})\)|\[([\w./@-]{1,100})\])$/

const MAX_RULE = 104

function readFinding(line: string, index: number): Diagnostic | null {
  const match = FINDING.exec(line)
  if (!match) return null
  const [, path = '', place = '', text = ''] = match
  return { path, place, text, lines: [index] }
}

/**
 * Groups findings (`path:line: message`) by their file, or by the rule that ends their message; every other line stays
 * where it is. @returns false where there are no findings
 */
export function condenseByGroup(lines: readonly string[], by: 'file' | 'rule', draft: Draft): boolean {
  let found = false
  let run: Diagnostic[] = []
  const flush = (): void => {
    if (run.length === 0) return
    if (by === 'file') writeDiagnostics(run, draft)
    else writeByRule(run, draft)
    run = []
  }
  for (const [index, line] of lines.entries()) {
    const finding = readFinding(line, index)
    if (finding) {
      run.push(finding)
      found = true
    } else {
      flush()
      draft.keep(index)
    }
  }
  flush()
  return found
}

/** Under each rule's name its findings, grouped by file; the message without the rule. */
function writeByRule(findings: readonly Diagnostic[], draft: Draft): void {
  const rules = new Map<string, Diagnostic[]>()
  for (const finding of findings) {
    const match = RULE.exec(finding.text.slice(-MAX_RULE))
    const rule = match?.[1] ?? match?.[2] ?? ''
    const text = match ? finding.text.slice(0, -match[0].length) : finding.text
    const group = rules.get(rule)
    if (group) group.push({ ...finding, text })
    else rules.set(rule, [{ ...finding, text }])
  }
  for (const [rule, group] of rules) {
    draft.restate(`${rule === '' ? 'no rule named' : rule} (${group.length})`, [])
    writeDiagnostics(group, draft)
  }
}
