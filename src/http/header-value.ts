const LIMIT = 1000

/**
 * A text as a header value that every runtime accepts: printable ASCII stays, all else (and `%`) is percent-encoded
 * UTF-8, cut at 1000 characters. Line breaks in a value would otherwise start a header of their own.
 */
export function headerValue(text: string): string {
  const encoded = text
    .slice(0, LIMIT)
    .toWellFormed()
    .replace(/[^\x20-\x24\x26-\x7e]+/g, encodeURIComponent)
    .trim()
  return encoded.length <= LIMIT ? encoded : encoded.slice(0, LIMIT).replace(/%[0-9A-F]?$/, '')
}
