import type { Spiller } from './spill.ts'
import type { Spillway } from './types.ts'

/** A tenant of its own, so that no caller can reach, or delete, the probe. */
const TENANT = 'readiness-probe'

/** Puts a few bytes and gets them back. A store that may not see a fresh write yet is ready when the put succeeds. */
export function createReady(spiller: Spiller | null, warnings: () => readonly string[] = () => []): Spillway['ready'] {
  async function probe(): ReturnType<Spillway['ready']> {
    if (!spiller) return { ok: true, detail: 'no store configured: outputs are not kept' }
    // Other bytes each time: a store need not write again what it has.
    const content = new TextEncoder().encode(`spillway readiness probe ${crypto.randomUUID()}\n`)
    try {
      const { id } = await spiller.put(TENANT, { content, meta: { kind: 'text' } })
      const found = await spiller.ask((store) => store.get(TENANT, id))
      await spiller.ask((store) => store.delete(TENANT, id))
      if ('missing' in found) {
        return found.missing === 'unsure'
          ? { ok: true, detail: 'stored; the store does not show fresh writes at once' }
          : { ok: false, detail: 'the store lost what was just stored' }
      }
      const same =
        found.content.length === content.length && found.content.every((byte, index) => byte === content[index])
      return same
        ? { ok: true, detail: 'stored and read back' }
        : { ok: false, detail: 'the store gave back other bytes' }
    } catch (error) {
      return { ok: false, detail: error instanceof Error ? error.message : 'the store failed' }
    }
  }
  return async () => {
    const { ok, detail } = await probe()
    return { ok, detail: [detail, ...warnings()].join('; ') }
  }
}
