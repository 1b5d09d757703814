import type { Fates } from '../../strategies/fates.ts'

const HEADING = /^-{3,} (Captured .{1,80}) -{3,}$/
/** Captured output up to this many lines stays whole. */
const WHOLE = 60
const HEAD = 15
const TAIL = 30

/**
 * Output of a failing test stays; of a long one its head, its tail, and the lines that tell of trouble.
 * @param from first line, a heading `--- Captured stdout call ---`
 */
export function foldCaptured(lines: readonly string[], from: number, to: number, fates: Fates): void {
  for (let i = from; i < to; ) {
    let end = i + 1
    while (end < to && !HEADING.test(lines[end] ?? '')) end += 1
    for (let k = i; k < end; k += 1) if ((lines[k] ?? '').trim() === '') fates.fold(k)
    const title = HEADING.exec(lines[i] ?? '')?.[1]
    if (title !== undefined) fates.say(i, `--- ${title} ---`)
    if (end - i - 1 > WHOLE) {
      for (let k = i + 1 + HEAD; k < end - TAIL; k += 1)
        if (
          !/warn|error|exception|fail|fatal|traceback|critical|panic|denied|refused|timed? ?out/i.test(lines[k] ?? '')
        )
          fates.drop(k, 'captured output')
    }
    i = end
  }
}
