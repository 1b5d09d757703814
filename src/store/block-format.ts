import type { OutputMeta } from '../service/ports.ts'
import type { Bytes } from './blobs.ts'
import {
  type BlockEntry,
  type BlockIndex,
  CorruptBody,
  FOOTER_BYTES,
  FORMAT_VERSION,
  lfsOf,
  rawLengthOf,
  readFooter,
  readTrailer,
  writeFooter,
  writeTrailer,
} from './block-index.ts'
import { countLfs, joinBytes, plainBytes } from './bytes.ts'
import { crc32 } from './crc32.ts'
import { gunzip, gzip } from './gzip.ts'
import type { Sealer } from './seal.ts'

/**
 * A stored body: blocks of raw bytes, each gzipped and, with a sealer, sealed by itself; then trailer and footer
 * (block-index.ts). A gzip stream has no random access: blocks are what lets a range, a line or a tail be read alone.
 */
export const BLOCK_BYTES = 256 * 1024

export interface Format {
  /** Raw bytes a block, for new bodies. */
  readonly blockBytes: number
  /** Null: bodies are not sealed. With a sealer, bodies that are not sealed are refused: none can be slipped in. */
  readonly sealer: Sealer | null
}

/** @param id the output's id: a sealed part opens under no other */
export async function encodeBody(id: string, content: Uint8Array, meta: OutputMeta, format: Format): Promise<Bytes> {
  const { blockBytes, sealer } = format
  const count = Math.ceil(content.length / blockBytes)
  const parts: Uint8Array[] = []
  const blocks: BlockEntry[] = []
  let start = 0
  let lfs = 0
  for (let number = 0; number < count; number += 1) {
    const raw = plainBytes(content.subarray(number * blockBytes, (number + 1) * blockBytes))
    const packed = await gzip(raw)
    const part = sealer ? await sealer.seal(packed, associated(id, number, count)) : packed
    blocks.push({ start, length: part.length, lfsBefore: lfs, crc: crc32(part) })
    parts.push(part)
    start += part.length
    lfs += countLfs(raw)
  }
  const endsInLf = content.at(-1) === 10
  const lines = lfs + (content.length > 0 && !endsInLf ? 1 : 0)
  const plain = writeTrailer({ ...meta, rawLength: content.length, lines, endsInLf, blockBytes, blocks })
  const trailer = sealer ? await sealer.seal(plain, associated(id, -1, 0)) : plain
  const footer = { trailerLength: trailer.length, trailerCrc: crc32(trailer), keyId: sealer?.keyId ?? null }
  return joinBytes([...parts, trailer, writeFooter(footer)])
}

/** Access to a stored body: its size, and a read that gives exactly the stored bytes asked for. */
export interface BodyReader {
  readonly size: number
  read(offset: number, length: number): Promise<Uint8Array>
}

/** An opened body: its index, and the key that its parts are sealed with. */
export interface OpenBody {
  readonly id: string
  readonly index: BlockIndex
  readonly reader: BodyReader
  readonly open: (part: Bytes, number: number, count: number) => Promise<Bytes>
}

/** @throws CorruptBody when footer or trailer are not intact, or are sealed otherwise than `sealer` can open */
export async function openBody(id: string, reader: BodyReader, sealer: Sealer | null): Promise<OpenBody> {
  const footerAt = reader.size - FOOTER_BYTES
  if (footerAt < 0) throw new CorruptBody('body is too short')
  const { keyId, trailerLength, trailerCrc } = readFooter(await reader.read(footerAt, FOOTER_BYTES))
  const trailerAt = footerAt - trailerLength
  if (trailerAt < 0) throw new CorruptBody('trailer is cut off')
  const stored = plainBytes(await reader.read(trailerAt, trailerLength))
  if (crc32(stored) !== trailerCrc) throw new CorruptBody('trailer is damaged')
  const open = opener(id, keyId, sealer)
  return { id, reader, open, index: readTrailer(await open(stored, -1, 0), trailerAt) }
}

/**
 * The raw bytes of the blocks from `first` up to but without `end`, read with one request.
 * @throws CorruptBody when one of them is not intact
 */
export async function readBlocks(body: OpenBody, first: number, end: number): Promise<Bytes> {
  const { blockBytes, rawLength } = body.index
  const raw = new Uint8Array(Math.max(0, Math.min(end * blockBytes, rawLength) - first * blockBytes))
  let at = 0
  for await (const block of unpackBlocks(body, first, end)) {
    raw.set(block, at)
    at += block.length
  }
  return raw
}

/** The same, a block at a time: they are read with one request, and unpacked as they are asked for. */
export async function* unpackBlocks(body: OpenBody, first: number, end: number): AsyncGenerator<Bytes, void> {
  const { index, reader } = body
  const entries = index.blocks.slice(first, end)
  const from = entries[0]?.start ?? 0
  const last = entries.at(-1)
  if (last === undefined) return
  const stored = await reader.read(from, last.start + last.length - from)
  for (const [place, entry] of entries.entries()) {
    const part = stored.subarray(entry.start - from, entry.start - from + entry.length)
    yield await readBlock(body, first + place, entry, plainBytes(part))
  }
}

async function readBlock(body: OpenBody, number: number, entry: BlockEntry, part: Bytes): Promise<Bytes> {
  const { index } = body
  if (crc32(part) !== entry.crc) throw new CorruptBody(`block ${number} is damaged`)
  const packed = await body.open(part, number, index.blocks.length)
  const raw = await gunzip(packed, rawLengthOf(index, number))
  if (raw === null) throw new CorruptBody(`block ${number} does not unpack`)
  const lfs = (index.blocks[number + 1]?.lfsBefore ?? lfsOf(index)) - entry.lfsBefore
  if (countLfs(raw) !== lfs) throw new CorruptBody(`block ${number} disagrees with the trailer on lines`)
  return raw
}

function opener(id: string, keyId: string | null, sealer: Sealer | null): OpenBody['open'] {
  if (keyId === null) {
    if (sealer) throw new CorruptBody('body is not sealed')
    return async (part) => part
  }
  if (!sealer) throw new CorruptBody('body is sealed, and no sealing key is configured')
  return async function openPart(part, number, count) {
    try {
      return await sealer.open(keyId, part, associated(id, number, count))
    } catch (cause) {
      const why = cause instanceof Error && cause.message !== '' ? `: ${cause.message}` : ''
      throw new CorruptBody(`${number < 0 ? 'trailer' : `block ${number}`} does not unseal${why}`, { cause })
    }
  }
}

/** Binds a sealed part to its output and its place; the trailer is number -1. */
function associated(id: string, number: number, count: number): Bytes {
  return plainBytes(new TextEncoder().encode(`spillway ${FORMAT_VERSION} ${id} ${number} ${count}`))
}
