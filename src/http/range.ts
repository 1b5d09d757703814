/** Either half of a range, in bytes; `to` null: to the end. `last`: so many bytes at the end. */
export type ByteRange = { readonly from: number; readonly to: number | null } | { readonly last: number }

/**
 * Reads a `Range` header (RFC 9110, section 14). Null where it is to be ignored, as the RFC allows or demands: another
 * unit, several ranges, wrong syntax, a last byte before the first.
 */
export function parseRange(header: string | null): ByteRange | null {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header?.replaceAll(/[ \t]/g, '') ?? '')
  if (match === null) return null
  const [, first = '', last = ''] = match
  if (first === '') return last === '' ? null : { last: Number(last) }
  if (last !== '' && Number(last) < Number(first)) return null
  return { from: Number(first), to: last === '' ? null : Number(last) }
}

/** The bytes of an output of `size` bytes that a range asks for, both ends included; null where there are none (416). */
export function satisfy(range: ByteRange, size: number): readonly [from: number, to: number] | null {
  if ('last' in range) return range.last === 0 || size === 0 ? null : [Math.max(0, size - range.last), size - 1]
  if (range.from >= size) return null
  return [range.from, range.to === null ? size - 1 : Math.min(range.to, size - 1)]
}

/** `100-200`, `100-` and `100` as a slice of lines. The text has been checked. */
export function parseLines(text: string): { readonly lines: readonly [from: number, to: number] } {
  const [from = '1', to = from] = text.split('-')
  return { lines: [Number(from), to === '' ? Number.MAX_SAFE_INTEGER : Number(to)] }
}
