import type { Span } from './secret-rules.ts'

const HEADER = '-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----'
const FOOTER = '-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----'
/** A line's end, as it is or as an escape in a string of JSON or source code (in a string of a string: several backslashes). */
const BREAK = '(?:\\r?\\n|(?:\\\\{1,4}r)?\\\\{1,4}n)'
/** What other programs put before a line: indentation, a diff's sign, a quote, a line's number. */
const PREFIX = '[ \\t>+|-]{0,16}(?:\\d{1,6}[\\t:|→-][ \\t]?)?[+-]?'
/** A full line of base64; a short one, or a field (`Proc-Type: 4,ENCRYPTED`), that ends where the line does; nothing. */
const CONTENT =
  '(?:[A-Za-z0-9+/]{32,4096}={0,2}|(?:[A-Za-z0-9+/]{1,31}={0,2}|=[A-Za-z0-9+/]{4}|[A-Za-z][A-Za-z-]{1,30}: [^\\r\\n\\\\"]{0,200}|)(?=[\\r\\n\\\\"\']|$))'
/** A key of 16384 bits has 200 lines. */
const BODY = `(?:${BREAK}${PREFIX}${CONTENT}){1,400}`
/** On one line, as in an environment variable: only runs that are no words. */
const FLAT = '(?: {1,2}[A-Za-z0-9+/]{32,16384}={0,2})(?: [A-Za-z0-9+/]{1,64}={0,2}(?= )){0,400} ?'
const PRIVATE_KEY = new RegExp(`${HEADER}(?:${BODY}|${FLAT})(?:${BREAK}?${PREFIX}${FOOTER})?`, 'y')
const KEY_MATERIAL = /[A-Za-z0-9+/]{32}/

/**
 * A private key in PEM (RFC 7468) or OpenPGP armour, from its first line to its last, or as far as it goes where it is
 * cut off. A first line alone, as in source code that looks for one, is none.
 */
export function findPrivateKey(text: string, at: number): readonly Span[] {
  PRIVATE_KEY.lastIndex = at
  const found = PRIVATE_KEY.exec(text)?.[0]
  return found !== undefined && KEY_MATERIAL.test(found) ? [{ start: at, end: at + found.length }] : []
}
