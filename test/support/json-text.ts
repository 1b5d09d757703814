import fc from 'fast-check'
import { pointerKey } from '../../src/engine/json.ts'
import type { Operation } from './json-patch.ts'

/** A way of writing JSON that no serialiser has: what is lost when a text goes through a parser and back. */
export interface Style {
  /** White space: after an opening bracket, before a comma, after one, before a closing bracket, around colons. */
  readonly spaces: readonly string[]
  /** Every so manieth character of a string is written as an escape; 0: only what has to be. */
  readonly escapeEach: number
  /** What stands behind a whole number, `.0` or `e0`. */
  readonly afterInteger: string
  /** Members that stand first in each message: a key that comes again later, a number that no double holds. */
  readonly extra: string
}

export const styles: fc.Arbitrary<Style> = fc.record({
  spaces: fc.array(fc.constantFrom('', '', ' ', '\n', '\r\n\t '), { minLength: 5, maxLength: 5 }),
  escapeEach: fc.constantFrom(0, 1, 3, 7),
  afterInteger: fc.constantFrom('', '.0', 'e0', '.00E+0'),
  extra: fc.constantFrom('', '"role":"nobody",', '"n":12345678901234567890, "t":1.10,'),
})

/**
 * Writes a message list in a style, with operations on it carried out: what replaces a value is written plainly, and
 * with a removed element goes the comma before it, or with a first one the comma after it.
 */
export function writeJson(list: readonly unknown[], style: Style, operations: readonly Operation[] = []): string {
  const byPath = new Map(operations.map((operation) => [operation.path, operation]))
  const [open = '', before = '', after = '', close = '', colon = ''] = style.spaces

  function write(value: unknown, path: string, depth: number): string {
    const operation = byPath.get(path)
    if (operation?.op === 'replace') return JSON.stringify(operation.value)
    if (typeof value === 'string') return writeString(value, style.escapeEach)
    if (typeof value === 'number') return Number.isInteger(value) ? `${value}${style.afterInteger}` : String(value)
    if (Array.isArray(value)) {
      let text = ''
      for (const [index, item] of value.entries()) {
        const at = `${path}/${index}`
        const removed = byPath.get(at)?.op === 'remove'
        if (text !== '') text += removed ? before : `${before},${after}`
        if (!removed) text += write(item, at, depth + 1)
      }
      return `[${open}${text}${close}]`
    }
    if (typeof value === 'object' && value !== null) {
      const members = Object.entries(value).map(
        ([key, inner]) =>
          `${JSON.stringify(key)}${colon}:${colon}${write(inner, `${path}/${pointerKey(key)}`, depth + 1)}`,
      )
      return `{${open}${depth === 1 ? style.extra : ''}${members.join(`${before},${after}`)}${close}}`
    }
    return JSON.stringify(value)
  }
  return write(list, '', 0)
}

function writeString(text: string, each: number): string {
  if (each === 0) return JSON.stringify(text)
  let written = ''
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i)
    if (i % each === 0) written += `\\u${unit.toString(16).toUpperCase().padStart(4, '0')}`
    else written += text[i] === '/' ? '\\/' : JSON.stringify(text.charAt(i)).slice(1, -1)
  }
  return `"${written}"`
}
