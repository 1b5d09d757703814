import type { Observer } from './observe.ts'
import type { Missing } from './ports.ts'
import type { Spiller } from './spill.ts'
import type { Spillway } from './types.ts'

/** Without a store nothing was ever kept: every id is finally missing. */
const NOTHING_KEPT: Missing = { missing: 'final' }

/** The use cases on stored outputs: thin, each with its event. */
export function createRecall(
  spiller: Spiller | null,
  observer: Observer,
): Pick<Spillway, 'recall' | 'describe' | 'remove'> {
  return {
    recall(id, slice, caller) {
      return observer.watch('recall', caller, async ({ note }) => {
        const found = spiller ? await spiller.ask((store) => store.get(caller.tenant, id, slice)) : NOTHING_KEPT
        note('missing' in found ? { outcome: 'missing' } : { bytes: found.content.length, lines: found.lines })
        return found
      })
    },
    describe(id, caller) {
      return observer.watch('recall', caller, async ({ note }) => {
        const found = spiller ? await spiller.ask((store) => store.head(caller.tenant, id)) : NOTHING_KEPT
        note('missing' in found ? { outcome: 'missing' } : { lines: found.lines })
        return found
      })
    },
    remove(id, caller) {
      return observer.watch('delete', caller, async ({ note }) => {
        const removed = spiller ? await spiller.ask((store) => store.delete(caller.tenant, id)) : false
        if (!removed) note({ outcome: 'missing' })
        return removed
      })
    },
  }
}
