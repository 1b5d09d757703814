/** A part of a CI log: the output of one step, without the block that announces it. */
export interface Step {
  readonly from: number
  readonly to: number
  /** The step's name, where the log gives it. */
  readonly name: string | null
  /** The first command that the step runs, where the log gives it. */
  readonly command: string | null
  readonly failed: boolean
}

const START = /^##\[group\]Run (.*)$/
const END_OF_BLOCK = '##[endgroup]'
const ERROR = /^##\[error\]/
const AFTER_STEPS = /^(?:Post job cleanup\.|Cleaning up orphan processes)$/

/**
 * Splits a log, its prefixes gone, into steps: at `##[group]Run command` (whose block of settings ends at
 * `##[endgroup]`), or where the name before the lines changes.
 * @param nameAt the step's name that the log gives before line i; null where it gives none
 */
export function splitSteps(lines: readonly string[], nameAt: (line: number) => string | null): Step[] {
  const steps: Step[] = []
  let from = -1
  let name: string | null = null
  let command: string | null = null
  let failed = false
  const close = (to: number): void => {
    if (from >= 0 && to > from) steps.push({ from, to, name, command, failed })
    from = -1
    failed = false
  }
  for (let i = 0; i < lines.length; i += 1) {
    const line = lines[i] ?? ''
    const named = nameAt(i)
    if (named !== null && named !== name) {
      close(i)
      name = named
      command = null
      from = i
    }
    const start = START.exec(line)
    if (start) {
      close(i)
      command = start[1] ?? null
      while (i + 1 < lines.length && lines[i] !== END_OF_BLOCK) i += 1
      from = i + 1
    } else if (AFTER_STEPS.test(line)) close(i)
    else if (ERROR.test(line)) {
      failed = true
      // What the runner itself says stands apart from the step's own output.
      if (from >= 0) {
        steps.push({ from, to: i, name, command, failed })
        from = -1
      }
    }
  }
  close(lines.length)
  return steps
}
