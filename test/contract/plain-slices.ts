import type { Slice } from '../../src/service/ports.ts'

/** What a slice means, said as plainly as possible: the whole output is at hand, and is split into lines. */
export function plainSlice(whole: Uint8Array, slice: Slice | undefined): { content: number[]; offset: number } {
  const lines = plainLines(whole)
  const cut = (from: number, to: number) => ({ content: [...whole.slice(from, Math.max(from, to))], offset: from })
  const cutLines = (from: number, to: number) => {
    const before = lines.slice(0, from - 1).flat().length
    const content = lines.slice(from - 1, to).flat()
    return { content, offset: content.length > 0 || from === 1 ? before : whole.length }
  }
  if (slice === undefined) return cut(0, whole.length)
  if ('bytes' in slice) return cut(Math.min(slice.bytes[0], whole.length), slice.bytes[1] + 1)
  if ('lastBytes' in slice) return cut(Math.max(0, whole.length - slice.lastBytes), whole.length)
  if ('head' in slice) return cutLines(1, slice.head)
  if ('tail' in slice) return cutLines(Math.max(1, lines.length - slice.tail + 1), lines.length)
  return cutLines(Math.max(1, slice.lines[0]), slice.lines[1])
}

export function plainLines(whole: Uint8Array): number[][] {
  const lines: number[][] = []
  let line: number[] = []
  for (const byte of whole) {
    line.push(byte)
    if (byte === 10) {
      lines.push(line)
      line = []
    }
  }
  if (line.length > 0) lines.push(line)
  return lines
}
