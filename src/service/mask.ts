import type { FilterParts } from './filter.ts'
import type { Spillway } from './types.ts'
export function createMask(_parts: FilterParts): Spillway['mask'] {
  return async (request) => ({ json: request.json, edits: [], report: {} })
}
