import type { OutputPart, Slice } from './ports.ts'

const LF = 10

/** The number, from 1, of a slice's first line in an output of `lines` lines; 1 for slices by bytes. */
export function firstLineOf(slice: Slice | undefined, lines: number): number {
  if (slice === undefined || !('tail' in slice || 'lines' in slice)) return 1
  return 'tail' in slice ? Math.max(1, lines - slice.tail + 1) : Math.max(1, slice.lines[0])
}

/** The content of a slice by lines with `12:` before each line; all other bytes stay as they are. */
export function numberLines(part: OutputPart, slice: Slice | undefined): Uint8Array {
  const encoder = new TextEncoder()
  const { content } = part
  const pieces: Uint8Array[] = []
  let size = 0
  let number = firstLineOf(slice, part.lines)
  for (let from = 0; from < content.length; number += 1) {
    const lf = content.indexOf(LF, from)
    const to = lf < 0 ? content.length : lf + 1
    const label = encoder.encode(`${number}:`)
    pieces.push(label, content.subarray(from, to))
    size += label.length + to - from
    from = to
  }
  const numbered = new Uint8Array(size)
  let at = 0
  for (const piece of pieces) {
    numbered.set(piece, at)
    at += piece.length
  }
  return numbered
}
