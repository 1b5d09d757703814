import type { JsonNode } from './tree.ts'

/** The way from the root to the value that is written: each container, and which of its items. */
export interface Trail {
  readonly nodes: readonly JsonNode[]
  readonly items: readonly number[]
}

/**
 * A value without the white space between its parts; every number, string and key as it stands in the text.
 * @param replace gives other text for a value, or null to write it as it is
 */
export function compact(
  text: string,
  node: JsonNode,
  replace?: (node: JsonNode, trail: Trail) => string | null,
): string {
  if (node.items.length === 0 && node.kind !== 'object' && node.kind !== 'array')
    return text.slice(node.start, node.end)
  const pieces = new Pieces(text)
  const nodes: JsonNode[] = []
  const items: number[] = []
  const trail: Trail = { nodes, items }

  function write(node: JsonNode): void {
    const other = replace?.(node, trail) ?? null
    if (other !== null) {
      pieces.put(other)
      return
    }
    if (node.kind !== 'object' && node.kind !== 'array') {
      pieces.putSource(node.start, node.end)
      return
    }
    pieces.putSource(node.start, node.start + 1)
    nodes.push(node)
    for (const [i, item] of node.items.entries()) {
      if (i > 0) pieces.put(',')
      const key = node.keys[i] ?? ''
      if (key !== '') {
        pieces.put(key)
        // The space after a colon, where there was one, costs next to nothing.
        pieces.put(text.charCodeAt(item.start - 1) === 0x20 ? ': ' : ':')
      }
      items.push(i)
      write(item)
      items.pop()
    }
    nodes.pop()
    if (!node.cut) pieces.put(node.kind === 'object' ? '}' : ']')
  }

  write(node)
  return pieces.join()
}

/** Text that is put together mostly of pieces of a source: what stands there in a row is taken in one piece. */
class Pieces {
  private readonly source: string
  private readonly parts: string[] = []
  // The piece of the source that is open; what comes next may continue it.
  private from = 0
  private to = 0

  constructor(source: string) {
    this.source = source
  }

  put(text: string): void {
    if (this.to > this.from && this.source.startsWith(text, this.to)) this.to += text.length
    else {
      this.flush()
      this.parts.push(text)
    }
  }

  putSource(from: number, to: number): void {
    if (this.to > this.from && from === this.to) this.to = to
    else {
      this.flush()
      this.from = from
      this.to = to
    }
  }

  private flush(): void {
    if (this.to > this.from) this.parts.push(this.source.slice(this.from, this.to))
    this.from = this.to
  }

  join(): string {
    this.flush()
    return this.parts.join('')
  }
}
