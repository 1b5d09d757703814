import { StoreError } from '../service/ports.ts'

const PLAIN = /^[a-z0-9-]$/
const LONGEST = 200

/**
 * A tenant's name as one part of a key and of a path: lowercase letters, digits and `-` stand for themselves, every other
 * byte of its UTF-8 is `_` and two hex digits, the empty name is `_`. No two names share a segment, also on file systems
 * that ignore case, and none is `..`.
 * @throws StoreError for a name longer than 200 characters when written so
 */
export function tenantSegment(tenant: string): string {
  let segment = ''
  for (const byte of new TextEncoder().encode(tenant)) {
    const letter = String.fromCharCode(byte)
    segment += PLAIN.test(letter) ? letter : `_${byte.toString(16).padStart(2, '0')}`
  }
  if (segment.length > LONGEST) throw new StoreError('store', 'the tenant name is too long')
  return segment === '' ? '_' : segment
}
