import type { Bytes } from './blobs.ts'
import { type OpenBody, unpackBlocks } from './block-format.ts'
import { CorruptBody } from './block-index.ts'
import { blocksOf, endOf, type Span, startOf } from './slice.ts'
import { Vanished } from './stored-body.ts'

/** Blocks that one request reads at most: the first reads one, each next one twice as many, for most walks end early. */
const WIDEST = 8

/**
 * The bytes of a span, a block or less at a time. What is held is one request's stored blocks and one raw block.
 * @param reopen opens the body anew: a renewal between two requests replaces it, and the parts no longer fit
 * @throws CorruptBody, Vanished, or what the storage throws
 */
export async function* streamSpan(
  body: OpenBody,
  span: Span,
  reopen: () => Promise<OpenBody>,
): AsyncGenerator<Bytes, void> {
  const { index } = body
  const [first, end] = blocksOf(span, index)
  let current = body
  let reopened = false
  let width = 1
  let at = first
  while (at < end) {
    try {
      for await (const raw of unpackBlocks(current, at, Math.min(end, at + width))) {
        const base = at * index.blockBytes
        const from = at === first ? startOf(span, raw, at, index) - base : 0
        const to = at === end - 1 ? endOf(span, raw, at, index) - base : raw.length
        at += 1
        reopened = false
        if (from < to) yield raw.subarray(from, to)
      }
      width = Math.min(2 * width, WIDEST)
    } catch (error) {
      if (reopened || !(error instanceof CorruptBody || error instanceof Vanished)) throw error
      current = await reopen()
      reopened = true
      if (current.index.blockBytes !== index.blockBytes) throw error
    }
  }
}
