import type { OutputPart, Slice } from './ports.ts'

const LF = 10

/** The number, from 1, of a slice's first line in an output of `lines` lines; 1 for slices by bytes. */
export function firstLineOf(slice: Slice | undefined, lines: number): number {
  if (slice === undefined || !('tail' in slice || 'lines' in slice)) return 1
  return 'tail' in slice ? Math.max(1, lines - slice.tail + 1) : Math.max(1, slice.lines[0])
}

/** The content of a slice by lines with `12:` before each line; all other bytes stay as they are. */
export function numberLines({ content, lines }: OutputPart, slice: Slice | undefined): Uint8Array {
  const first = firstLineOf(slice, lines)
  const numbered = new Uint8Array(content.length + labelBytes(content, first))
  let at = 0
  let number = first
  for (let from = 0; from < content.length; number += 1) {
    const lf = content.indexOf(LF, from)
    const to = lf < 0 ? content.length : lf + 1
    const label = `${number}:`
    for (let i = 0; i < label.length; i += 1) numbered[at + i] = label.charCodeAt(i)
    numbered.set(content.subarray(from, to), at + label.length)
    at += label.length + to - from
    from = to
  }
  return numbered
}

/** Counted first: an array with an entry a line would cost many times the lines themselves. */
function labelBytes(content: Uint8Array, first: number): number {
  let bytes = 0
  let number = first
  for (let from = 0; from < content.length; number += 1) {
    bytes += `${number}:`.length
    const lf = content.indexOf(LF, from)
    from = lf < 0 ? content.length : lf + 1
  }
  return bytes
}
