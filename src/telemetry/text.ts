/** The longest start of a text that fits in `maxBytes` of UTF-8, cut between characters; lone surrogates become U+FFFD. */
export function cutToBytes(text: string, maxBytes: number): string {
  const sound = text.toWellFormed()
  // encodeInto writes whole characters only, and tells how many UTF-16 units they were.
  const { read } = new TextEncoder().encodeInto(sound, new Uint8Array(maxBytes))
  return sound.slice(0, read)
}
