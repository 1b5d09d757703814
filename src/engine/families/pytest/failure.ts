import type { Fates } from '../../strategies/fates.ts'
import { foldPythonFrames, isLibraryPath, LIBRARY_FRAMES } from '../../strategies/python-frames.ts'
import { foldCaptured } from './captured.ts'
import { foldLongDiff } from './diff.ts'

/** `path.py:12: ValueError`, `path.py:12: ` (long form) and `path.py:12: in function` (short form). */
const PLACE = /:\d{1,9}: ?(in .{1,300}|[\w.]{0,200})$/
const SEPARATOR = /^_ _ _[ _]*$/
const CARETS = /^\s*[~^][\s~^]*$/
const WORKER = /^\[gw\d{1,5}\] \S+ -- Python /
const CAPTURED = /^-{3,} Captured .{1,80} -{3,}$/
const SOURCE = 'source'
const HINT = /^>\s+use 'pytest --fixtures/

interface Place {
  readonly path: string
  readonly short: boolean
}

function readPlace(line: string): Place | null {
  if (line === '' || /^[\s>E]/.test(line.slice(0, 1))) {
    if (!/^[E]\S/.test(line)) return null
  }
  const match = PLACE.exec(line)
  if (!match) return null
  const path = line.slice(0, match.index)
  return path.includes(' = ') ? null : { path, short: (match[1] ?? '').startsWith('in ') }
}

/**
 * Folds what stands under a failure's heading, lines `from` to `to` (exclusive): of each frame the marked lines, the
 * arguments, the error and the place stay; source around them, frames of libraries and repeated frames go.
 * @param shown code that already stands under its place, in any failure: it stands once
 */
export function foldFailure(
  lines: readonly string[],
  from: number,
  to: number,
  shown: Set<string>,
  fates: Fates,
): void {
  let trace = from
  while (trace < to && !CAPTURED.test(lines[trace] ?? '')) trace += 1
  foldPythonFrames(lines, from, trace, fates)
  let start = from
  let before = ''
  const values = new Set<string>()
  for (let i = from; i < trace; i += 1) {
    const line = lines[i] ?? ''
    if (line.trim() === '' || SEPARATOR.test(line) || CARETS.test(line) || WORKER.test(line) || HINT.test(line))
      fates.fold(i)
    const place = readPlace(line)
    if (!place) continue
    if (place.short) {
      const end = foldShortFrame(lines, i, trace, place, before, shown, fates)
      before = lines.slice(i, end).join('\n')
      start = end
      i = end - 1
    } else {
      foldLongFrame(lines, start, i, place, values, shown, fates)
      start = i + 1
    }
  }
  foldLongDiff(lines, from, trace, fates)
  foldCaptured(lines, trace, to, fates)
}

/** `path.py:12: in f`, its source and carets. @returns the line after it */
function foldShortFrame(
  lines: readonly string[],
  at: number,
  to: number,
  place: Place,
  before: string,
  shown: Set<string>,
  fates: Fates,
): number {
  let end = at + 1
  while (end < to && /^\s+\S/.test(lines[end] ?? '')) end += 1
  if (isLibraryPath(place.path)) fates.dropRange(at, end, LIBRARY_FRAMES)
  else if (lines.slice(at, end).join('\n') === before) fates.dropRange(at, end, 'repeated frames')
  else
    for (let i = at + 1; i < end; i += 1) {
      const line = lines[i] ?? ''
      if (CARETS.test(line) || isRepeat(shown, `${lines[at]}\n${line}`)) fates.fold(i)
      else if (/^\s+self\s+= </.test(line)) fates.drop(i, SOURCE)
    }
  return end
}

/** Arguments, source, marked lines, errors, and at `at` the place. */
function foldLongFrame(
  lines: readonly string[],
  from: number,
  at: number,
  place: Place,
  values: Set<string>,
  shown: Set<string>,
  fates: Fates,
): void {
  let mark = from
  let failed = false
  for (let i = at - 1; i >= from; i -= 1) if (/^E\s/.test(lines[i] ?? '')) failed = true
  while (mark < at && !(lines[mark] ?? '').startsWith('>')) mark += 1
  const library = isLibraryPath(place.path)
  if (library && !failed) {
    for (let i = from; i <= at; i += 1) if (!isChain(lines[i] ?? '')) fates.drop(i, LIBRARY_FRAMES)
    return
  }
  if (mark === at) return
  for (let i = from; i < mark; i += 1) {
    const line = lines[i] ?? ''
    if (isChain(line) || line.startsWith('E')) continue
    if (library || /^\s+\S/.test(line) || /^(?:self|cls) = </.test(line))
      fates.drop(i, library ? LIBRARY_FRAMES : SOURCE)
    else if (line !== '' && isRepeat(values, line)) fates.fold(i)
  }
  for (let i = mark; i < at; i += 1) {
    const line = lines[i] ?? ''
    if (line.startsWith('>') && isRepeat(shown, `${lines[at]}\n${line}`)) fates.fold(i)
  }
}

/** Whether a text was seen before; it is from now on. */
function isRepeat(seen: Set<string>, text: string): boolean {
  if (seen.has(text)) return true
  seen.add(text)
  return false
}

/** `The above exception was the direct cause of the following exception:` */
function isChain(line: string): boolean {
  return /^(?:The above exception was|During handling of the above)/.test(line)
}
