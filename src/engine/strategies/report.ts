import type { Draft } from '../draft.ts'
import { type Diagnostic, writeDiagnostics } from './diagnostics.ts'

/** A finding on several lines, as the forms with source excerpts write it. */
export interface Block {
  readonly finding: Diagnostic
  /** Lines of source, of marks, of fixes. */
  readonly excerpt: readonly number[]
  /** Index behind it. */
  readonly next: number
}

/** A linter's output on its way into a draft: its lines are told in order, findings are written by file. */
export interface Report {
  finding(finding: Diagnostic): void
  /** A finding whose excerpt goes as `what`. @returns the index behind it */
  block(block: Block, what: string): number
  /** Line `line` only frames findings (a file's name above them, a blank line): they restate it. */
  frame(line: number): void
  /** Line `line` goes as `what`; the marker stands behind the findings around it. */
  elide(what: string, line: number): void
  /** Line `line` stands as it is; findings before it stay before it. */
  keep(line: number): void
  /** A text of one's own or in other words for `lines`, at this point. */
  say(text: string, lines: readonly number[]): void
  /** Writes what is open. @returns how many findings there were in all */
  end(): number
}

/** Starts a report into `draft`. */
export function createReport(draft: Draft): Report {
  let findings: Diagnostic[] = []
  let frames: number[] = []
  let gaps = new Map<string, number[]>()
  let count = 0

  function flush(): void {
    const first = findings[0]
    if (first) {
      writeDiagnostics([{ ...first, lines: [...frames, ...first.lines] }, ...findings.slice(1)], draft)
    } else for (const line of frames) draft.keep(line)
    for (const [what, lines] of gaps) draft.elide(what, lines)
    count += findings.length
    findings = []
    frames = []
    gaps = new Map()
  }

  const elide = (what: string, line: number): void => {
    const lines = gaps.get(what)
    if (lines) lines.push(line)
    else gaps.set(what, [line])
  }
  return {
    finding(finding) {
      findings.push(finding)
    },
    block({ finding, excerpt, next }, what) {
      findings.push(finding)
      for (const line of excerpt) elide(what, line)
      return next
    },
    frame(line) {
      frames.push(line)
    },
    elide,
    keep(line) {
      flush()
      draft.keep(line)
    },
    say(text, lines) {
      flush()
      draft.restate(text, lines)
    },
    end() {
      flush()
      return count
    },
  }
}
