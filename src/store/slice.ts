import type { Slice } from '../service/ports.ts'
import { type BlockIndex, CorruptBody, lfsOf } from './block-index.ts'
import { afterLf } from './bytes.ts'

/** What a slice is in a given output: whole lines, or raw bytes from `from` up to but without `to`. */
export type Span =
  | { readonly unit: 'lines'; readonly from: number; readonly to: number }
  | { readonly unit: 'bytes'; readonly from: number; readonly to: number }

/** A slice clamped to what the output has. Past the end, or the wrong way round, it is empty. */
export function resolveSlice(slice: Slice | undefined, index: BlockIndex): Span {
  const { rawLength, lines } = index
  if (slice === undefined) return bytes(0, rawLength)
  if ('bytes' in slice) {
    const from = clamp(slice.bytes[0], 0, rawLength)
    return bytes(from, Math.max(from, clamp(slice.bytes[1] + 1, 0, rawLength)))
  }
  if ('lastBytes' in slice) return bytes(rawLength - clamp(slice.lastBytes, 0, rawLength), rawLength)
  if ('head' in slice) return lineSpan(1, clamp(slice.head, 0, lines), index)
  if ('tail' in slice) return lineSpan(lines - clamp(slice.tail, 0, lines) + 1, lines, index)
  return lineSpan(clamp(slice.lines[0], 1, lines + 1), clamp(slice.lines[1], 0, lines), index)
}

/** The blocks that a span needs: from the first, up to but without the second. */
export function blocksOf(span: Span, index: BlockIndex): readonly [first: number, end: number] {
  if (span.unit === 'bytes') {
    if (span.from === span.to) return [0, 0]
    return [Math.floor(span.from / index.blockBytes), Math.ceil(span.to / index.blockBytes)]
  }
  const first = span.from === 1 ? 0 : blockOfLf(span.from - 1, index)
  return [first, span.to > lfsOf(index) ? index.blocks.length : blockOfLf(span.to, index) + 1]
}

/**
 * Where a span begins in the whole output, in raw bytes.
 * @param raw the raw bytes of the blocks from `first` on, the span's first block among them
 */
export function startOf(span: Span, raw: Uint8Array, first: number, index: BlockIndex): number {
  if (span.unit === 'bytes') return span.from
  return span.from === 1 ? 0 : first * index.blockBytes + afterLfOf(span.from - 1, raw, first, index)
}

/** Where a span ends in the whole output; as `startOf`, with the span's last block. */
export function endOf(span: Span, raw: Uint8Array, first: number, index: BlockIndex): number {
  if (span.unit === 'bytes') return span.to
  return span.to > lfsOf(index) ? index.rawLength : first * index.blockBytes + afterLfOf(span.to, raw, first, index)
}

function afterLfOf(lf: number, raw: Uint8Array, first: number, index: BlockIndex): number {
  const block = blockOfLf(lf, index)
  const at = afterLf(raw, lf - (index.blocks[block]?.lfsBefore ?? 0), (block - first) * index.blockBytes)
  if (at < 0) throw new CorruptBody(`line ${lf} has no end`)
  return at
}

/** The block that holds the `lf`-th LF (from 1): the last one with fewer LFs before it. */
function blockOfLf(lf: number, index: BlockIndex): number {
  let low = 0
  let high = index.blocks.length
  while (high - low > 1) {
    const middle = (low + high) >>> 1
    if ((index.blocks[middle]?.lfsBefore ?? 0) < lf) low = middle
    else high = middle
  }
  return low
}

/** No lines are no bytes, at the start or at the end: no line start has to be looked up for them. */
function lineSpan(from: number, to: number, index: BlockIndex): Span {
  if (from <= to) return { unit: 'lines', from, to }
  const at = from === 1 ? 0 : index.rawLength
  return bytes(at, at)
}

function bytes(from: number, to: number): Span {
  return { unit: 'bytes', from, to }
}

/** The integer part within bounds; what is no number is the lower bound. */
function clamp(value: number, low: number, high: number): number {
  return Number.isNaN(value) ? low : Math.min(high, Math.max(low, Math.trunc(value)))
}
