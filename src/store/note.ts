import type { OutputMeta, StoredOutput } from '../service/ports.ts'
import { VOUCHER } from './blobs.ts'
import type { Format } from './block-format.ts'
import { type BlockIndex, FORMAT_VERSION } from './block-index.ts'

const LABELLED = ' s'

/** Kept beside an object, so that a second put can tell without reading it that nothing has to be written. */
export function noteOf(
  rawBytes: number,
  storedBytes: number,
  { sealer }: Format,
  { session, kind }: OutputMeta,
): string {
  const flags = `${session === undefined ? '' : LABELLED}${kind === 'marker' ? VOUCHER : ''}`
  return `${FORMAT_VERSION} ${rawBytes} ${storedBytes} ${sealer?.keyId ?? '-'}${flags}`
}

/** Whether an object is there because sessions refer to it. */
export function isLabelled(note: string): boolean {
  return note.split(' ').includes(LABELLED.trim(), 4)
}

/** What is told of an output. */
export function describe(id: string, index: BlockIndex, expiresAt: number): StoredOutput {
  const { kind, stdoutBytes, rawLength: bytes, lines } = index
  return { id, kind, ...(stdoutBytes === undefined ? {} : { stdoutBytes }), bytes, lines, expiresAt }
}
