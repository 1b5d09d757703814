/** What a line says of an operation: that it starts, still goes on, or is over. */
export interface Step {
  /** The resource and what is done with it. */
  readonly key: string
  readonly kind: 'start' | 'still' | 'end'
}

/**
 * The lines that tell of operations that never ended: each one's start, and the last word of how long it has gone on.
 * A start is paired with a later end of its own kind: a resource that is replaced is destroyed first, then created.
 */
export function unendedLines(steps: readonly (Step | null)[]): ReadonlySet<number> {
  const open = new Map<string, { start: number; still: number }>()
  steps.forEach((step, i) => {
    if (step === null) return
    if (step.kind === 'end') open.delete(step.key)
    else if (step.kind === 'start') open.set(step.key, { start: i, still: i })
    else open.set(step.key, { start: open.get(step.key)?.start ?? i, still: i })
  })
  return new Set([...open.values()].flatMap(({ start, still }) => [start, still]))
}
