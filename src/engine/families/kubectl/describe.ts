import type { Draft } from '../../draft.ts'
import { type KnownLine, whatOf } from '../../strategies/known-lines.ts'
import { ROUTINE } from './routine.ts'

/** Fields of a description that say nothing where they are empty or hold their default. */
const EMPTY: readonly KnownLine[] = [
  [
    /^\s*(?:Annotations|IPs|Mounts|Volumes|Environment|Port|Host Port|Node-Selectors|Tolerations|Priority Class Name): +<none>$/,
    'empty fields',
  ],
  [
    /^\s*(?:Tolerations: +)?node\.kubernetes\.io\/(?:not-ready|unreachable):NoExecute op=Exists for 300s$/,
    'empty fields',
  ],
  [/^\s+-{4}[- ]*$|^$/, 'blank lines'],
]

const NORMAL = /^ {2}Normal {2,}(\S+)/

/** Whether a described pod is well: running, all conditions true, no restarts, no warning. */
function isWell(lines: readonly string[], from: number, to: number): boolean {
  let running = false
  for (let i = from; i < to; i += 1) {
    const line = lines[i] ?? ''
    if (/^Status: +Running$/.test(line)) running = true
    else if (isOddEvent(line) || /^ +(?:Reason|Exit Code): /.test(line)) return false
    else if (/^ +(?:Ready|Initialized|ContainersReady|PodScheduled):? +False/.test(line)) return false
    else if (/^ +Restart Count: +[1-9]/.test(line) || /^Reason:|^Termination Grace|^DeletionTimestamp/.test(line))
      return false
  }
  return running
}

function isOddEvent(line: string): boolean {
  const reason = NORMAL.exec(line)?.[1]
  return reason === undefined ? /^ {2}Warning /.test(line) : !ROUTINE.test(reason)
}

/** `kubectl describe`: objects that are not known to be well stay, without their empty fields and normal events. */
export function condenseDescribe(lines: readonly string[], draft: Draft): string | null {
  const starts: number[] = []
  lines.forEach((line, i) => {
    if (/^Name: +\S/.test(line)) starts.push(i)
  })
  if (starts.length === 0) return null
  const well: { name: string; from: number; to: number }[] = []
  for (let i = 0; i < (starts[0] ?? 0); i += 1) draft.keep(i)
  starts.forEach((from, k) => {
    const to = starts[k + 1] ?? lines.length
    if (starts.length > 2 && k < starts.length - 1 && isWell(lines, from, to)) {
      well.push({ name: (lines[from] ?? '').slice('Name:'.length).trim(), from, to })
      return
    }
    const gone: { what: string; line: number }[] = []
    for (let i = from; i < to; i += 1) {
      const line = lines[i] ?? ''
      const reason = NORMAL.exec(line)?.[1]
      const what = reason !== undefined && ROUTINE.test(reason) ? 'normal events' : whatOf(line, EMPTY)
      if (what === null) draft.keep(i)
      else gone.push({ what, line: i })
    }
    // One marker an object, at its end.
    for (const { what, line } of gone) draft.elide(what, [line])
  })
  if (well.length > 0) {
    const names = well.map((pod) => pod.name)
    draft.restate(
      `${well.length} more, Status: Running, all ready, no restarts, no warning events; Name: ${names.join(' ')}`,
      well.map((pod) => pod.from),
    )
    for (const pod of well) draft.elideRange('descriptions of healthy pods', pod.from + 1, pod.to)
  }
  return 'kubectl-describe'
}
