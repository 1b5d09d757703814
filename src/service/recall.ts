import { firstLineOf } from './numbered.ts'
import type { Observation, Observer } from './observe.ts'
import { createPace, type Pace } from './pace.ts'
import { loadPatterns, type Pattern } from './pattern.ts'
import { type Missing, type OutputStore, type Slice, type StoredOutput, StoreError } from './ports.ts'
import { CostlyPattern, type SearchResult, searchLines } from './search.ts'
import { type StoreSettings, ttlOf } from './settings.ts'
import type { Spiller } from './spill.ts'
import { RequestError, type SearchQuery, type Spillway } from './types.ts'

/** Without a store nothing was ever kept: every id is finally missing. */
const NOTHING_KEPT: Missing = { missing: 'final' }
/** Matches shown where a query doesn't say. */
export const DEFAULT_MATCHES = 100
/** Instructions of a request's pattern: one piece of a line then takes a second at worst. */
const MAX_PROGRAM = 1000
/** Of the time that a request waits for the store: after it, a search answers with what it has found so far. */
const SEARCH_SHARE = 0.7
/** Milliseconds that an answer waits for a renewal: it is right without it. */
const RENEWAL_MS = 1000

export interface RecallParts {
  readonly spiller: Spiller | null
  readonly observer: Observer
  readonly settings: StoreSettings
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

/** The use cases on stored outputs: thin, each with its event. */
export function createRecall({
  spiller,
  observer,
  settings,
  now,
}: RecallParts): Pick<
  Spillway,
  'recall' | 'stream' | 'search' | 'describe' | 'inSession' | 'remove' | 'removeSession' | 'removeAll'
> {
  /** What is used and has less than half its life left begins it anew. That this fails changes no answer. */
  async function renewUsed({ id, expiresAt }: StoredOutput, tenant: string): Promise<void> {
    if (!spiller || expiresAt - now() >= ttlOf(settings, tenant) / 2) return
    await spiller.ask((store) => store.renew(tenant, id), RENEWAL_MS).catch(() => {})
  }

  /** The parts, each waited for no longer than an answer of the store, with the operation's event at the end. */
  async function* watchParts(
    parts: AsyncIterable<Uint8Array>,
    note: Observation['note'],
    end: (error?: unknown) => void,
  ): AsyncGenerator<Uint8Array, void> {
    const iterator = parts[Symbol.asyncIterator]()
    let bytes = 0
    let failure: unknown
    try {
      for (;;) {
        const next = iterator.next()
        const { done, value } = spiller ? await spiller.ask(() => next) : await next
        if (done) return
        bytes += value.length
        yield value
      }
    } catch (error) {
      failure = error
      throw error
    } finally {
      // Not waited for: a store that hangs may not answer.
      iterator.return?.()?.catch(() => {})
      note({ bytes })
      end(failure)
    }
  }

  return {
    recall(id, slice, caller) {
      return observer.watch('recall', caller, async ({ note }) => {
        const found = spiller ? await spiller.ask((store) => store.get(caller.tenant, id, slice)) : NOTHING_KEPT
        if ('missing' in found) {
          note({ outcome: 'missing' })
          return found
        }
        note({ bytes: found.content.length, lines: found.lines })
        await renewUsed(found, caller.tenant)
        return found
      })
    },
    async stream(id, slice, caller) {
      const { observation, end } = observer.begin('recall', caller)
      const { note } = observation
      try {
        const found = spiller ? await spiller.ask((store) => store.stream(caller.tenant, id, slice)) : NOTHING_KEPT
        if ('missing' in found) {
          note({ outcome: 'missing' })
          end()
          return found
        }
        note({ lines: found.lines })
        await renewUsed(found, caller.tenant)
        return { ...found, parts: watchParts(found.parts, note, end) }
      } catch (error) {
        end(error)
        throw error
      }
    },
    search(id, query, caller) {
      return observer.watch('recall', caller, async ({ note }) => {
        const compile = await loadPatterns()
        const { pattern, ignoreCase = false } = query
        const matches = compile(pattern, { ignoreCase, maxProgram: MAX_PROGRAM })
        if (typeof matches !== 'function') throw new RequestError('/pattern', matches.fault)
        const pace = createPace(now, matches.size, settings.timeoutMs * SEARCH_SHARE)
        const found = spiller
          ? await spiller
              .ask((store, expired) => searchStored(store, caller.tenant, id, query, matches, pace, expired))
              .catch(asPatternFault)
          : NOTHING_KEPT
        if ('missing' in found) {
          note({ outcome: 'missing' })
          return found
        }
        note({ bytes: new TextEncoder().encode(found.text).length, lines: found.lines })
        await renewUsed(found, caller.tenant)
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
    async inSession(tenant, session, id) {
      return spiller ? spiller.ask((store) => store.inSession(tenant, session, id)) : false
    },
    remove(id, caller) {
      return observer.watch('delete', caller, async ({ note }) => {
        const removed = spiller ? await spiller.ask((store) => store.delete(caller.tenant, id)) : false
        if (!removed) note({ outcome: 'missing' })
        return removed
      })
    },
    removeSession(session, cursor, caller) {
      return observer.watch('delete', caller, async () =>
        spiller
          ? spiller.ask((store) => store.deleteSession(caller.tenant, session, cursor))
          : { deleted: 0, cursor: null },
      )
    },
    removeAll(cursor, caller) {
      return observer.watch('delete', caller, async () =>
        spiller ? spiller.ask((store) => store.deleteTenant(caller.tenant, cursor)) : { deleted: 0, cursor: null },
      )
    },
  }
}

/** What the store's guardian took for a failure of the store, and is the pattern's. */
function asPatternFault(error: unknown): never {
  if (error instanceof StoreError && error.cause instanceof CostlyPattern)
    throw new RequestError('/pattern', 'takes too long on a line of this output: use smaller repeat counts')
  throw error
}

async function searchStored(
  store: OutputStore,
  tenant: string,
  id: string,
  { context = 0, max = DEFAULT_MATCHES, lines }: SearchQuery,
  matches: Pattern,
  pace: Pace,
  expired: () => boolean,
): Promise<(StoredOutput & SearchResult) | Missing> {
  const slice: Slice | undefined = lines && { lines }
  const stream = await store.stream(tenant, id, slice)
  if ('missing' in stream) return stream
  const { parts, ...stored } = stream
  async function* inTime() {
    for await (const part of parts) {
      if (expired()) throw new StoreError('store', 'no time left')
      yield part
    }
  }
  const lastLine = Math.min(stored.lines, lines?.[1] ?? stored.lines)
  const firstLine = firstLineOf(slice, stored.lines)
  return { ...stored, ...(await searchLines(inTime(), { matches, context, max, firstLine, lastLine, pace })) }
}
