import type { JsonNode } from './tree.ts'

/**
 * A value without the white space between its parts; every number, string and key as it stands in the text.
 * @param replace gives other text for a value, or null to write it as it is
 */
export function compact(text: string, node: JsonNode, replace?: (node: JsonNode) => string | null): string {
  const parts: string[] = []
  write(text, node, parts, replace)
  return parts.join('')
}

function write(text: string, node: JsonNode, parts: string[], replace?: (node: JsonNode) => string | null): void {
  const other = replace?.(node) ?? null
  if (other !== null) {
    parts.push(other)
    return
  }
  if (node.kind !== 'object' && node.kind !== 'array') {
    parts.push(text.slice(node.start, node.end))
    return
  }
  parts.push(node.kind === 'object' ? '{' : '[')
  node.items.forEach((item, i) => {
    if (i > 0) parts.push(',')
    const key = node.keys[i] ?? ''
    // The space after a colon, where there was one, costs next to nothing.
    if (key !== '') parts.push(key, text.charCodeAt(item.start - 1) === 0x20 ? ': ' : ':')
    write(text, item, parts, replace)
  })
  if (!node.cut) parts.push(node.kind === 'object' ? '}' : ']')
}
