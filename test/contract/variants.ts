import { createSealer } from '../../src/store/seal.ts'
import type { Variant } from './output-store.ts'

const KIB = 1024
const key = (id: string) => ({ id, bytes: new Uint8Array(32).fill(id.charCodeAt(0)) })
const SEALER = createSealer([key('new'), key('old')])

export const PLAIN: readonly [name: string, variant: Variant] = ['plain', {}]
export const SEALED_AND_CACHED: readonly [name: string, variant: Variant] = [
  'sealed and cached',
  { sealer: SEALER, cacheBytes: 100 * KIB },
]

/** Every storage is run with each. */
export const VARIANTS: readonly (readonly [name: string, variant: Variant])[] = [
  PLAIN,
  ['sealed', { sealer: SEALER }],
  ['cached', { cacheBytes: 2 * KIB * KIB }],
  SEALED_AND_CACHED,
]
