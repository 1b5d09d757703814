import type { Fates } from './fates.ts'
import { LIBRARY_FRAMES } from './python-frames.ts'

const FRAME =
  /^(?:# )?\s{0,60}(?:at (?:async )?\S|❯ .{0,1000}:\d{1,9}:\d{1,9}$|\.\.\. \d{1,5} lines matching cause stack trace)/
const LIBRARY =
  /node_modules[\\/]|[\s(]node:|\(<anonymous>\)(?: \{)?$|\bat (?:native|<anonymous>)$|[(\s]internal[\\/]|Promise\.all \(index \d|lines matching cause stack trace/

/** Whether a line is a stack frame, and whether it lies in a package, in Node, or in the runner. */
export const isLibraryFrame = (line: string): boolean => FRAME.test(line) && LIBRARY.test(line)

/** Folds the frames of packages and of Node in the lines `from` to `to` (exclusive); the user's own stay. */
export function foldJsFrames(lines: readonly string[], from: number, to: number, fates: Fates): void {
  for (let i = from; i < to; i += 1) {
    const line = lines[i] ?? ''
    if (!isLibraryFrame(line)) continue
    // `at f (node:internal/x) {` opens an object of the error's own fields.
    if (line.endsWith('{')) fates.say(i, '{')
    else fates.drop(i, LIBRARY_FRAMES)
  }
}

const ESCAPES = /\u001b\[[0-9;]{0,20}m/g

/** The lines of an error's message out of a JSON report: without colours, blank lines and frames in packages. */
export function linesOfMessage(message: string): string[] {
  return message
    .replace(ESCAPES, '')
    .split('\n')
    .filter((line) => line.trim() !== '' && !isLibraryFrame(line))
}
