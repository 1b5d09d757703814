import type { OutputMeta } from '../service/ports.ts'
import type { Bytes } from './blobs.ts'
import { viewOf } from './bytes.ts'
import { crc32 } from './crc32.ts'

/**
 * The end of a stored body: a trailer (the index of its blocks) and a footer of fixed size. Numbers are little-endian.
 *
 * Trailer, 32 bytes and 12 a block:
 *   u32 raw length, u32 lines, u8 kind (0 text, 1 json, 2 marker), u8 ends in LF, u16 zero, u32 bytes of stdout (2^32-1: none),
 *   u32 raw bytes a block, u32 blocks, u64 zero; then for each block
 *   u32 stored length, u32 LFs before it, u32 CRC-32 of the stored bytes
 * Footer, 32 bytes:
 *   u32 stored length of the trailer, u32 CRC-32 of the stored trailer, u8 version, u8 flags (1: sealed), u16 zero,
 *   8 bytes id of the sealing key (ASCII, zeros after it), u32 CRC-32 of the 20 bytes before, 8 bytes `spillway`
 */
export const FORMAT_VERSION = 1
export const FOOTER_BYTES = 32
const HEAD_BYTES = 32
const ENTRY_BYTES = 12
const FLAG_SEALED = 1
const NO_STDOUT = 0xffffffff
const MAGIC = 'spillway'
/** By their number in a trailer. */
const KINDS: readonly OutputMeta['kind'][] = ['text', 'json', 'marker']

/** Largest output, in bytes: what the index's 32-bit numbers hold. */
export const MAX_RAW_BYTES = 0xfffffffe
/** Largest block that a reader accepts: bounds what one block may unpack to. */
const MAX_BLOCK_BYTES = 16 * 1024 * 1024

/** What is stored is not what was written; the message says what disagrees. */
export class CorruptBody extends Error {
  override readonly name = 'CorruptBody'
}

export interface BlockEntry {
  /** Where the block's stored bytes are in the body. */
  readonly start: number
  readonly length: number
  readonly lfsBefore: number
  readonly crc: number
}

export interface BlockIndex extends OutputMeta {
  readonly rawLength: number
  readonly lines: number
  readonly endsInLf: boolean
  readonly blockBytes: number
  readonly blocks: readonly BlockEntry[]
}

export interface Footer {
  readonly trailerLength: number
  readonly trailerCrc: number
  /** Id of the key that sealed the body; null for a body that is not sealed. */
  readonly keyId: string | null
}

/** LFs in the whole output: each line has one, but a last line may do without. */
export function lfsOf(index: BlockIndex): number {
  return index.lines - (index.rawLength > 0 && !index.endsInLf ? 1 : 0)
}

/** Raw bytes of block `number`: all are full but the last. */
export function rawLengthOf(index: BlockIndex, number: number): number {
  return Math.min(index.blockBytes, index.rawLength - number * index.blockBytes)
}

export function writeTrailer(index: BlockIndex): Bytes {
  const bytes = new Uint8Array(HEAD_BYTES + ENTRY_BYTES * index.blocks.length)
  const view = viewOf(bytes)
  view.setUint32(0, index.rawLength, true)
  view.setUint32(4, index.lines, true)
  view.setUint8(8, KINDS.indexOf(index.kind))
  view.setUint8(9, index.endsInLf ? 1 : 0)
  view.setUint32(12, index.stdoutBytes ?? NO_STDOUT, true)
  view.setUint32(16, index.blockBytes, true)
  view.setUint32(20, index.blocks.length, true)
  for (const [number, block] of index.blocks.entries()) {
    const at = HEAD_BYTES + ENTRY_BYTES * number
    view.setUint32(at, block.length, true)
    view.setUint32(at + 4, block.lfsBefore, true)
    view.setUint32(at + 8, block.crc, true)
  }
  return bytes
}

/**
 * @param stored total length of the stored blocks: what is left of the body without trailer and footer
 * @throws CorruptBody when the trailer disagrees with itself or with `stored`
 */
export function readTrailer(bytes: Uint8Array, stored: number): BlockIndex {
  if (bytes.length < HEAD_BYTES) throw new CorruptBody('trailer is too short')
  const view = viewOf(bytes)
  const rawLength = view.getUint32(0, true)
  const stdout = view.getUint32(12, true)
  const blockBytes = view.getUint32(16, true)
  const count = view.getUint32(20, true)
  const kind = KINDS[view.getUint8(8)]
  if (
    kind === undefined ||
    view.getUint8(9) > 1 ||
    view.getUint16(10, true) !== 0 ||
    view.getBigUint64(24, true) !== 0n
  )
    throw new CorruptBody('trailer has unknown values')
  if (blockBytes === 0 || blockBytes > MAX_BLOCK_BYTES || count !== Math.ceil(rawLength / blockBytes))
    throw new CorruptBody('trailer disagrees on the number of blocks')
  if (bytes.length !== HEAD_BYTES + ENTRY_BYTES * count) throw new CorruptBody('trailer has the wrong length')
  if (stdout !== NO_STDOUT && stdout > rawLength) throw new CorruptBody('trailer has more stdout than output')
  const blocks: BlockEntry[] = []
  let start = 0
  for (let at = HEAD_BYTES; at < bytes.length; at += ENTRY_BYTES) {
    const length = view.getUint32(at, true)
    blocks.push({ start, length, lfsBefore: view.getUint32(at + 4, true), crc: view.getUint32(at + 8, true) })
    start += length
  }
  if (start !== stored) throw new CorruptBody('blocks do not fill the body')
  const index: BlockIndex = {
    rawLength,
    lines: view.getUint32(4, true),
    endsInLf: view.getUint8(9) === 1,
    kind,
    ...(stdout === NO_STDOUT ? {} : { stdoutBytes: stdout }),
    blockBytes,
    blocks,
  }
  checkLineStarts(index)
  return index
}

/** Each block holds at least no LF and at most as many as it has bytes. */
function checkLineStarts(index: BlockIndex): void {
  const total = lfsOf(index)
  let before = 0
  for (const [number, block] of index.blocks.entries()) {
    const after = index.blocks[number + 1]?.lfsBefore ?? total
    if (block.lfsBefore !== before || after < before || after - before > rawLengthOf(index, number))
      throw new CorruptBody('trailer disagrees on line starts')
    before = after
  }
  if (before !== total) throw new CorruptBody('trailer disagrees on the number of lines')
}

export function writeFooter(footer: Footer): Bytes {
  const bytes = new Uint8Array(FOOTER_BYTES)
  const view = viewOf(bytes)
  view.setUint32(0, footer.trailerLength, true)
  view.setUint32(4, footer.trailerCrc, true)
  view.setUint8(8, FORMAT_VERSION)
  view.setUint8(9, footer.keyId === null ? 0 : FLAG_SEALED)
  for (const [at, letter] of [...(footer.keyId ?? '')].entries()) view.setUint8(12 + at, letter.charCodeAt(0))
  view.setUint32(20, crc32(bytes.subarray(0, 20)), true)
  for (const [at, letter] of [...MAGIC].entries()) view.setUint8(24 + at, letter.charCodeAt(0))
  return bytes
}

/** @throws CorruptBody for anything but an intact footer of this version */
export function readFooter(bytes: Uint8Array): Footer {
  if (bytes.length !== FOOTER_BYTES || ascii(bytes.subarray(24)) !== MAGIC) throw new CorruptBody('footer is missing')
  const view = viewOf(bytes)
  if (view.getUint32(20, true) !== crc32(bytes.subarray(0, 20))) throw new CorruptBody('footer is damaged')
  const version = view.getUint8(8)
  if (version !== FORMAT_VERSION) throw new CorruptBody(`format version is ${version}, not ${FORMAT_VERSION}`)
  const flags = view.getUint8(9)
  if ((flags & ~FLAG_SEALED) !== 0 || view.getUint16(10, true) !== 0) throw new CorruptBody('footer has unknown flags')
  const keyId = ascii(bytes.subarray(12, 20)).replace(/\0+$/, '')
  return {
    trailerLength: view.getUint32(0, true),
    trailerCrc: view.getUint32(4, true),
    keyId: flags & FLAG_SEALED ? keyId : null,
  }
}

function ascii(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes)
}
