import type { Fates } from './fates.ts'

/** Files of the interpreter, of installed packages, and of the runner's own start. */
const LIBRARY =
  /(?:site|dist)-packages[\\/]|[\\/]lib(?:64)?[\\/]python\d|^<(?:frozen|string)\b|[\\/]bin[\\/](?:pytest|py\.test|python[\d.]{0,6}|coverage)$|[\\/]Lib[\\/](?:asyncio|unittest|importlib|concurrent|runpy|threading|contextlib)\b/

/** Whether a path in a traceback is none of the user's own files. */
export const isLibraryPath = (path: string): boolean => LIBRARY.test(path)

/** What may stand before a traceback's lines: an internal error's prefix, an exception group's rule. */
const FRAME = /^((?:INTERNALERROR> )?[ |]{0,40})File "([^"]{1,1000})", line \d{1,9}/

/** What folded frames are called in their marker. */
export const LIBRARY_FRAMES = 'library frames'
const REPEATED_FRAMES = 'repeated frames'

interface Frame {
  readonly from: number
  readonly to: number
  readonly library: boolean
  readonly text: string
}

/**
 * Folds the tracebacks in the lines `from` to `to` (exclusive): frames of libraries go, and frames that repeat the one
 * before them. Of a traceback without a frame of the user's own the last frame stays.
 */
export function foldPythonFrames(lines: readonly string[], from: number, to: number, fates: Fates): void {
  for (let i = from; i < to; ) {
    if (!FRAME.test(lines[i] ?? '')) {
      i += 1
      continue
    }
    const frames: Frame[] = []
    for (;;) {
      const frame = readFrame(lines, i, to)
      if (!frame) break
      frames.push(frame)
      i = frame.to
    }
    foldStack(frames, lines, fates)
  }
}

function readFrame(lines: readonly string[], at: number, to: number): Frame | null {
  const match = at < to ? FRAME.exec(lines[at] ?? '') : null
  if (!match) return null
  const code = `${match[1] ?? ''}  `
  let end = at + 1
  while (end < to && (lines[end] ?? '').startsWith(code) && !FRAME.test(lines[end] ?? '') && end - at < 12) end += 1
  return { from: at, to: end, library: isLibraryPath(match[2] ?? ''), text: lines.slice(at, end).join('\n') }
}

function foldStack(frames: readonly Frame[], lines: readonly string[], fates: Fates): void {
  const none = frames.every((frame) => frame.library)
  frames.forEach((frame, k) => {
    if (frame.library && !(none && k === frames.length - 1)) {
      fates.dropRange(frame.from, frame.to, LIBRARY_FRAMES)
      return
    }
    if (frame.text === frames[k - 1]?.text) {
      fates.dropRange(frame.from, frame.to, REPEATED_FRAMES)
      return
    }
    for (let i = frame.from + 1; i < frame.to; i += 1) if (/^[\s|~^]*[~^][\s~^]*$/.test(lines[i] ?? '')) fates.fold(i)
  })
}
