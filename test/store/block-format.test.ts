import { crc32 as zlibCrc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { encodeBody, type Format, openBody, readBlocks } from '../../src/store/block-format.ts'
import { readFooter, readTrailer, writeFooter, writeTrailer } from '../../src/store/block-index.ts'
import { joinBytes } from '../../src/store/bytes.ts'
import { crc32 } from '../../src/store/crc32.ts'
import { createSealer, type Sealer } from '../../src/store/seal.ts'

const ID = `o_r${'a'.repeat(31)}`
const OTHER_ID = `o_r${'b'.repeat(31)}`
const TEXT = { kind: 'text' } as const
const CONTENT = new TextEncoder().encode('first line\nsecond line\nthird')

const plain: Format = { blockBytes: 10, sealer: null }
const sealed = (sealer: Sealer): Format => ({ blockBytes: 10, sealer })
const keyOf = (id: string, fill: number) => ({ id, bytes: new Uint8Array(32).fill(fill) })

async function readAll(body: Uint8Array, sealer: Sealer | null, id = ID): Promise<string> {
  const reader = { size: body.length, read: async (at: number, length: number) => body.subarray(at, at + length) }
  const opened = await openBody(id, reader, sealer)
  return new TextDecoder().decode(await readBlocks(opened, 0, opened.index.blocks.length))
}

test('the CRC is that of zlib', () => {
  for (const text of ['', 'a', '123456789', 'x'.repeat(1000)])
    expect(crc32(new TextEncoder().encode(text))).toBe(zlibCrc32(text))
})

test('version 1 stays as it is: bodies outlive releases', async () => {
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
  expect(hex(await encodeBody(ID, new Uint8Array(0), TEXT, plain))).toBe(
    '000000000000000000000000ffffffff0a00000000000000000000000000000020000000f38b931d010000000000000000000000420b27de7370696c6c776179',
  )
  // Written once on Node; the gzip bytes of a new body may differ, and this one has to stay readable.
  const old = Buffer.from(
    '1f8b08000000000000034bcb2c2a2e51c8c9cc4b0500dc7c645d0a0000001f8b0800000000000003e32a4e4dcecf4b51c8c9040048505cb10a0000001f8b0800000000000003cb4be52ac9c82c4a0100bdfa463a080000001c0000000300000000000000ffffffff0a0000000300000000000000000000001e000000000000001b011e211e00000000000000a59a1a0c1c00000001000000cf2cbbed440000001b3838b501000000000000000000000071c504727370696c6c776179',
    'hex',
  )
  expect(await readAll(old, null)).toBe('first line\nsecond line\nthird')
})

test('an index that disagrees with itself is refused, though its checksum is right', async () => {
  const body = await encodeBody(ID, CONTENT, TEXT, plain)
  const footer = readFooter(body.subarray(-32))
  const blocks = body.subarray(0, -32 - footer.trailerLength)
  const index = readTrailer(body.subarray(blocks.length, -32), blocks.length)
  const [first, second, third] = index.blocks
  if (!first || !second || !third) throw new Error('three blocks expected')
  const rebuild = (changed: typeof index) => {
    const trailer = writeTrailer(changed)
    const end = writeFooter({ trailerLength: trailer.length, trailerCrc: crc32(trailer), keyId: null })
    return joinBytes([blocks, trailer, end])
  }
  expect(await readAll(rebuild(index), null)).toBe(new TextDecoder().decode(CONTENT))
  const wrong: (typeof index)[] = [
    { ...index, rawLength: index.rawLength + 1 },
    { ...index, rawLength: 0 },
    { ...index, lines: index.lines + 1 },
    { ...index, lines: 0 },
    { ...index, endsInLf: true },
    { ...index, blockBytes: 11 },
    { ...index, blockBytes: 0 },
    { ...index, stdoutBytes: 99 },
    { ...index, blocks: [second, first, third] },
    { ...index, blocks: [first, second] },
    { ...index, blocks: [first, { ...second, length: second.length - 1 }, third] },
    { ...index, blocks: [first, { ...second, lfsBefore: 1 }, third] },
    { ...index, blocks: [first, second, { ...third, lfsBefore: 99 }] },
  ]
  for (const changed of wrong) await expect(readAll(rebuild(changed), null)).rejects.toThrow('')
})

test('another version, or flags that this reader does not know, are refused', async () => {
  const body = await encodeBody(ID, CONTENT, TEXT, plain)
  for (const [at, value, message] of [
    [8, 2, 'format version is 2'],
    [9, 2, 'unknown flags'],
  ] as const) {
    const changed = body.slice()
    const footer = changed.subarray(-32)
    footer[at] = value
    new DataView(footer.buffer, footer.byteOffset).setUint32(20, crc32(footer.subarray(0, 20)), true)
    await expect(readAll(changed, null)).rejects.toThrow(message)
  }
})

test('a sealed body shows nothing of its content, opens with its key, and under its own id alone', async () => {
  const sealer = await createSealer([keyOf('k1', 1)])
  const body = await encodeBody(ID, CONTENT, { kind: 'text', stdoutBytes: 4 }, sealed(sealer))
  expect(await readAll(body, sealer)).toBe(new TextDecoder().decode(CONTENT))
  await expect(readAll(body, sealer, OTHER_ID)).rejects.toThrow('does not unseal')
  await expect(readAll(body, null)).rejects.toThrow('no sealing key is configured')
  await expect(readAll(body, await createSealer([keyOf('k1', 2)]))).rejects.toThrow('does not unseal')
  await expect(readAll(body, await createSealer([keyOf('k2', 1)]))).rejects.toThrow('does not unseal')
  expect(await encodeBody(ID, CONTENT, TEXT, sealed(sealer))).not.toEqual(body)
})

test('keys rotate: the newest seals, older ones still open', async () => {
  const before = await createSealer([keyOf('old', 1)])
  const after = await createSealer([keyOf('new', 2), keyOf('old', 1)])
  const body = await encodeBody(ID, CONTENT, TEXT, sealed(before))
  expect(await readAll(body, after)).toBe(new TextDecoder().decode(CONTENT))
  const renewed = await encodeBody(ID, CONTENT, TEXT, sealed(after))
  await expect(readAll(renewed, before)).rejects.toThrow('does not unseal')
})

test('whoever can write to the storage can neither slip in a plain body nor swap sealed blocks', async () => {
  const sealer = await createSealer([keyOf('k1', 1)])
  await expect(readAll(await encodeBody(ID, CONTENT, TEXT, plain), sealer)).rejects.toThrow('body is not sealed')

  // Two blocks of one size change places, and their checksums with them, in an index made by the same key's owner.
  const body = await encodeBody(ID, new TextEncoder().encode('aaaaaaaaa\nbbbbbbbbb\n'), TEXT, sealed(sealer))
  const reader = { size: body.length, read: async (at: number, length: number) => body.subarray(at, at + length) }
  const opened = await openBody(ID, reader, sealer)
  const [first, second] = opened.index.blocks
  if (!first || !second) throw new Error('two blocks expected')
  const swapped = joinBytes([body.subarray(second.start, second.start + second.length), body.subarray(0, first.length)])
  const blocks = [
    { ...first, length: second.length, crc: second.crc },
    { ...second, start: second.length, length: first.length, crc: first.crc },
  ]
  const forged = { ...opened, index: { ...opened.index, blocks } }
  const forgedReader = { size: 0, read: async (at: number, length: number) => swapped.subarray(at, at + length) }
  await expect(readBlocks({ ...forged, reader: forgedReader }, 0, 2)).rejects.toThrow('block 0 does not unseal')
})

test('bad sealing keys are refused', () => {
  for (const keys of [[], [keyOf('', 1)], [keyOf('far-too-long', 1)], [keyOf('a', 1), keyOf('a', 2)]])
    expect(() => createSealer(keys)).toThrow(TypeError)
  expect(() => createSealer([{ id: 'a', bytes: new Uint8Array(5) }])).toThrow(TypeError)
})
