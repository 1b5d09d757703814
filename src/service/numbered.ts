import type { Slice } from './ports.ts'

const LF = 10

/** The number, from 1, of a slice's first line in an output of `lines` lines; 1 for slices by bytes. */
export function firstLineOf(slice: Slice | undefined, lines: number): number {
  if (slice === undefined || !('tail' in slice || 'lines' in slice)) return 1
  return 'tail' in slice ? Math.max(1, lines - slice.tail + 1) : Math.max(1, slice.lines[0])
}

/**
 * The parts of a slice by lines with `12:` before each line; all other bytes stay as they are.
 * @param first number of the first line
 */
export async function* numberLines(
  parts: AsyncIterable<Uint8Array>,
  first: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  let number = first
  let begins = true
  for await (const part of parts) {
    const numbered = new Uint8Array(part.length + labelBytes(part, number, begins))
    let at = 0
    for (let from = 0; from < part.length; ) {
      const lf = part.indexOf(LF, from)
      const to = lf < 0 ? part.length : lf + 1
      const label = begins ? `${number}:` : ''
      for (let i = 0; i < label.length; i += 1) numbered[at + i] = label.charCodeAt(i)
      numbered.set(part.subarray(from, to), at + label.length)
      at += label.length + to - from
      begins = lf >= 0
      if (begins) number += 1
      from = to
    }
    yield numbered
  }
}

/** Counted first: an array with an entry a line would cost many times the lines themselves. */
function labelBytes(part: Uint8Array, first: number, begins: boolean): number {
  let bytes = 0
  let number = first
  let labelled = begins
  for (let from = 0; from < part.length; ) {
    if (labelled) bytes += `${number}:`.length
    const lf = part.indexOf(LF, from)
    labelled = true
    number += 1
    from = lf < 0 ? part.length : lf + 1
  }
  return bytes
}
