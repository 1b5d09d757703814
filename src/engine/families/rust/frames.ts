import type { Fates } from '../../strategies/fates.ts'

const FRAME = /^ *\d{1,4}: \S/
const PLACE = /^ {4,}at (\S.*?):\d{1,7}(?::\d{1,7})?$/
/** Frames of the standard library, of dependencies, and of the runtime below main. */
const LIBRARY_PATH =
  /\/rustc\/[0-9a-f]{8,40}\/|\/\.cargo\/registry\/|\/rustlib\/src\/|\/library\/(?:std|core|alloc|test)\//
const LIBRARY_NAME =
  /^ *\d{1,4}: (?:0x[0-9a-f]{1,16} - )?(?:std|core|alloc|test|__rust|rust_begin_unwind|_start|__libc_start|main$|<?unknown>?$|clone3?$|start_thread$)/

/** Backtraces: frames in user code stay, the others go. */
export function foldBacktraces(lines: readonly string[], fates: Fates): void {
  for (let i = 0; i < lines.length; i += 1) {
    if ((lines[i] ?? '').trim() !== 'stack backtrace:') continue
    const from = i + 1
    let user = 0
    let k = from
    while (k < lines.length && FRAME.test(lines[k] ?? '')) {
      const place = PLACE.exec(lines[k + 1] ?? '')
      const isLibrary = place ? LIBRARY_PATH.test(place[1] ?? '') : LIBRARY_NAME.test(lines[k] ?? '')
      const end = place ? k + 2 : k + 1
      if (isLibrary) fates.dropRange(k, end, 'library frames')
      else user += 1
      k = end
    }
    // Nothing of the user's own: the trace is all there is.
    if (user === 0) for (let line = from; line < k; line += 1) fates.keep(line)
    if (/^ *note: Some details are omitted, run with `RUST_BACKTRACE=full`/.test(lines[k] ?? '')) {
      fates.drop(k, 'hints')
      k += 1
    }
    if (k > from) fates.group(from, k)
    i = k - 1
  }
}
