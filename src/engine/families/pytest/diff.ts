import type { Fates } from '../../strategies/fates.ts'

/** `E` lines up to this many stay whole. */
const WHOLE = 24
/** Unchanged lines kept around each changed one. */
const CONTEXT = 1
/** Lines at the start, which say what was compared. */
const HEAD = 6
const CHANGED = /^E\s{1,30}[-+?](?:\s|$)/
const EMPTY = /^E\s*(?:\.\.\.Full output truncated.{0,60})?$/
/** Words of the comparison itself, not of what was compared. */
const SAID =
  /^E\s{1,30}(?:At index|Left contains|Right contains|Differing|Common items|Matching|Omitting|Extra items|Drill down|Full diff|Skipping|Use -v|\.\.\.Full|assert |[A-Za-z_.]{1,80}(?:Error|Exception|Failed|Warning)\b)/
/** An `E` line longer than this is cut where a diff follows that shows it in parts. */
const LONG = 800
const SHOWN = { head: 560, tail: 80 }

/** Folds long comparisons in the lines `from` to `to` (exclusive): unchanged lines go, a few around changes stay. */
export function foldLongDiff(lines: readonly string[], from: number, to: number, fates: Fates): void {
  for (let i = from; i < to; ) {
    if (!/^E(?:\s|$)/.test(lines[i] ?? '')) {
      i += 1
      continue
    }
    let end = i + 1
    while (end < to && /^E(?:\s|$)/.test(lines[end] ?? '')) end += 1
    foldRun(lines, i, end, fates)
    i = end
  }
}

function foldRun(lines: readonly string[], from: number, to: number, fates: Fates): void {
  const near = new Uint8Array(to - from)
  for (let i = from; i < to; i += 1) {
    const line = lines[i] ?? ''
    if (EMPTY.test(line)) fates.fold(i)
    else if (line.length > LONG && to - i > 3) {
      const cut = line.length - SHOWN.head - SHOWN.tail
      fates.say(i, `${line.slice(0, SHOWN.head)} …(${cut} characters)… ${line.slice(-SHOWN.tail)}`)
    }
    if (!CHANGED.test(line) && !SAID.test(line)) continue
    for (let k = Math.max(from, i - CONTEXT); k <= i + CONTEXT && k < to; k += 1) near[k - from] = 1
  }
  if (to - from <= WHOLE) return
  for (let i = from + HEAD; i < to; i += 1)
    if (near[i - from] === 0 && !EMPTY.test(lines[i] ?? '')) fates.drop(i, 'unchanged lines of a diff')
}
