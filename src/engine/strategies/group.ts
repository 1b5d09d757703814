import type { Draft } from '../draft.ts'
import { type Diagnostic, writeDiagnostics } from './diagnostics.ts'

/** `path:12:3: message`, `path:12: message`; the path has an extension, so that times and host:port are none. */
const FINDING = /^((?:[A-Za-z]:)?[^\s:()'"`[\]]+\.[A-Za-z][A-Za-z0-9+]{0,9}):(\d{1,9}(?::\d{1,9})?):? +(\S.*)$/
/** A rule's name at the end of a message: `(errcheck)`, `[no-unused-vars]`. */
const RULE = / +(?:\(([\w./@-]{1,100})\)|\[([\w./@-]{1,100})\])$/

interface Finding extends Diagnostic {
  readonly index: number
}

function readFinding(line: string, index: number): Finding | null {
  const match = FINDING.exec(line)
  if (!match) return null
  const [, path = '', place = '', text = ''] = match
  return { path, place, text, lines: [index], index }
}

/**
 * Groups findings (`path:line: message`) by their file, or by the rule that ends their message; every other line stays
 * where it is. @returns false where there are no findings
 */
export function condenseByGroup(lines: readonly string[], by: 'file' | 'rule', draft: Draft): boolean {
  let found = false
  let run: Finding[] = []
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

function writeByRule(findings: readonly Finding[], draft: Draft): void {
  const rules = new Map<string, Finding[]>()
  for (const finding of findings) {
    const match = RULE.exec(finding.text.slice(-120))
    const rule = match?.[1] ?? match?.[2] ?? ''
    const group = rules.get(rule)
    if (group) group.push(finding)
    else rules.set(rule, [finding])
  }
  for (const [rule, group] of rules) {
    draft.restate(`${rule === '' ? 'no rule named' : rule} (${group.length})`, [])
    for (const { path, place, text, index } of group) {
      const message = rule === '' ? text : text.slice(0, text.lastIndexOf(rule) - 1).trimEnd()
      draft.restate(` ${path}:${place}: ${message}`, [index])
    }
  }
}
