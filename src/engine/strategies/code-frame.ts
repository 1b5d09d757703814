import type { Fates } from './fates.ts'

/** `> 12 | code`, `   12| code`: a line of an excerpt, marked or not. */
const LINE = /^\s{0,40}(>?)\s{0,12}\d{1,7} ?[|│]/
/** `     |     ^`: points at a place in the line above. */
const POINTER = /^\s{0,60}[|│][\s^~]*\^[\s^~]*$/

/**
 * Folds the source excerpts in the lines `from` to `to` (exclusive) to their marked lines; an excerpt that marks none
 * stays whole.
 */
export function foldCodeFrames(lines: readonly string[], from: number, to: number, fates: Fates): void {
  for (let i = from; i < to; ) {
    if (!LINE.test(lines[i] ?? '')) {
      i += 1
      continue
    }
    let end = i
    let marked = false
    while (end < to && (LINE.test(lines[end] ?? '') || POINTER.test(lines[end] ?? ''))) {
      if (isMarked(lines, end)) marked = true
      end += 1
    }
    if (marked) {
      for (let k = i; k < end; k += 1) {
        if (POINTER.test(lines[k] ?? '')) fates.fold(k)
        else if (!isMarked(lines, k)) fates.drop(k, 'source')
      }
    }
    i = end
  }
}

function isMarked(lines: readonly string[], at: number): boolean {
  return LINE.exec(lines[at] ?? '')?.[1] === '>' || POINTER.test(lines[at + 1] ?? '')
}
