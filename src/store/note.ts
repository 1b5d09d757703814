import type { OutputMeta } from '../service/ports.ts'
import { VOUCHER } from './blobs.ts'
import type { Format } from './block-format.ts'
import { FORMAT_VERSION } from './block-index.ts'

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
