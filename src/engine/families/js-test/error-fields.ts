import type { Fates } from '../../strategies/fates.ts'
import { isLibraryFrame } from '../../strategies/js-frames.ts'

const OPENS = /^\s{2,40}at .{1,1000} \{$|^\s{0,40}\{$/
const CLOSES = /^\s{0,40}\}$/
const FIELD = /^\s{2,40}(generatedMessage|code|actual|expected|operator|diff): /

/**
 * Folds the fields that Node prints after an AssertionError's stack, in the lines `from` to `to` (exclusive): they stand
 * in the message already where Node itself wrote it (`generatedMessage: true`); else actual and expected stay.
 */
export function foldErrorFields(lines: readonly string[], from: number, to: number, fates: Fates): void {
  for (let i = from; i < to; i += 1) {
    if (!OPENS.test(lines[i] ?? '') || !/^\s{2,40}generatedMessage: /.test(lines[i + 1] ?? '')) continue
    const generated = (lines[i + 1] ?? '').trimStart().startsWith('generatedMessage: true')
    // The brace stood behind a frame that goes; it goes with it where nothing is left between the braces.
    if (generated && isLibraryFrame(lines[i] ?? '')) fates.drop(i, 'library frames')
    let field = ''
    let k = i + 1
    for (; k < to && !CLOSES.test(lines[k] ?? ''); k += 1) {
      field = FIELD.exec(lines[k] ?? '')?.[1] ?? field
      if (generated || field === 'generatedMessage' || field === 'diff' || field === 'code')
        fates.drop(k, 'fields of the assertion')
    }
    if (k < to && generated) fates.fold(k)
    i = k
  }
}
