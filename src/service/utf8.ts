/** The bytes of a text in UTF-8; a lone surrogate counts as what encoders put in its place. */
export function utf8Length(text: string): number {
  let bytes = text.length
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i)
    if (unit < 0x80) continue
    // The halves of a surrogate pair have four bytes together, a lone one three.
    bytes += unit < 0x800 || isPair(unit, text.charCodeAt(i + 1)) || isPair(text.charCodeAt(i - 1), unit) ? 1 : 2
  }
  return bytes
}

function isPair(first: number, second: number): boolean {
  return first >= 0xd800 && first < 0xdc00 && second >= 0xdc00 && second < 0xe000
}
