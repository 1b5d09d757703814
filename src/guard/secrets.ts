import { readTrailer } from '../engine/marker.ts'
import { hasControls, showLine } from '../engine/text/terminal.ts'
import type { Guard } from '../service/ports.ts'
import { SECRET_RULES, type Span } from './secret-rules.ts'

/** A secret in a text: what kind, and where. */
export interface Finding extends Span {
  readonly name: string
}

/** A group for each rule: the one that took part says whose keyword was found. */
const KEYWORDS = SECRET_RULES.map(({ keyword }) => `(${keyword})`).join('|')

/**
 * The secrets of known forms in a text, in order, without overlaps. One pass looks for the rules' keywords, and each rule
 * looks closer only where its own stands: linear in the text, and cheap for a text without any.
 */
export function findSecrets(text: string): Finding[] {
  const findings: Finding[] = []
  const keywords = new RegExp(KEYWORDS, 'g')
  const limit = ownTrailerStart(text)
  for (let hit = keywords.exec(text); hit !== null && hit.index < limit; hit = keywords.exec(text)) {
    const { index } = hit
    const rule = SECRET_RULES[hit.findIndex((group, i) => i > 0 && group !== undefined) - 1]
    const spans = rule?.find(text, index).filter(({ end }) => end <= limit) ?? []
    for (const { start, end } of spans) findings.push({ name: rule?.name ?? '', start, end })
    // Behind the first alone: a second span is a neighbour, and other secrets may stand between.
    keywords.lastIndex = Math.max(index + 1, spans[0]?.end ?? 0)
  }
  return withoutOverlaps(findings)
}

/** What overlaps becomes one, under the name of what starts first. */
function withoutOverlaps(findings: readonly Finding[]): Finding[] {
  const apart: Finding[] = []
  for (const finding of findings.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = apart.at(-1)
    if (!last || finding.start >= last.end) apart.push(finding)
    else if (finding.end > last.end) apart[apart.length - 1] = { ...last, end: finding.end }
  }
  return apart
}

/** The text with each secret replaced: `[redacted: github-token]`. */
export function redactSecrets(text: string, findings: readonly Finding[]): string {
  let redacted = ''
  let from = 0
  for (const { name, start, end } of findings) {
    redacted += `${text.slice(from, start)}[redacted: ${name}]`
    from = end
  }
  return redacted + text.slice(from)
}

/**
 * A guard that knows secrets by their published forms: high precision, so that what it does not know passes. Never asks
 * anybody, never fails, the same verdict for the same text.
 */
export function createSecretsGuard(mode: 'redact' | 'block'): Guard {
  return {
    async judge(text) {
      const plain = findSecrets(text)
      const redacted = redactSecrets(text, plain)
      const shown = asShown(redacted)
      const hidden = shown === redacted ? [] : findSecrets(shown)
      const findings = [...plain, ...hidden]
      if (findings.length === 0) return { action: 'allow' }
      const reason = describe(findings)
      if (mode === 'block') return { action: 'block', reason: `secrets: ${reason}` }
      return { action: 'redact', text: hidden.length > 0 ? redactSecrets(shown, hidden) : redacted, reason }
    },
  }
}

/**
 * The text as a terminal shows it: a colour may stand inside a secret (`grep --color`), and what is shown of an output
 * later has none.
 */
function asShown(text: string): string {
  return hasControls(text) ? text.split('\n').map(showLine).join('\n') : text
}

/** `github-token, jwt (3)`: kinds in order of appearance, with counts. */
function describe(findings: readonly Finding[]): string {
  const counts = new Map<string, number>()
  for (const { name } of findings) counts.set(name, (counts.get(name) ?? 0) + 1)
  return Array.from(counts, ([name, count]) => (count === 1 ? name : `${name} (${count})`)).join(', ')
}

/** A filtered output's own trailer is left alone: the hint in it is the caller's, and a checksum covers it. */
function ownTrailerStart(text: string): number {
  return readTrailer(text) === null ? text.length : text.lastIndexOf('[filtered: ')
}
