import type { Lookup } from '../engine/memo.ts'
import type { Limit } from './limit.ts'
import type { OutputName } from './memo.ts'
import { type OutputMeta, type OutputStore, type StoredOutput, StoreError } from './ports.ts'
import type { Voucher } from './receipt.ts'
import { type StoreSettings, ttlOf } from './settings.ts'
import type { KeyOf, Spiller } from './spill.ts'

/** An output that a masking event needs stored. */
export interface EventOutput {
  readonly text: string
  readonly meta: OutputMeta
  /** Where the history says that the full output is; the content is stored where it isn't there. Null: nothing is said. */
  readonly claimedId: string | null
  /** UTF-16 units that the history says the output there has; null where it doesn't say. */
  readonly claimedChars: number | null
}

interface NamedOutput extends EventOutput, OutputName {
  readonly id: string
}

/** An event by its outputs: equal events of a tenant have one key, and one marker in the store. */
export interface NamedEvent {
  /** Of its marker. */
  readonly key: string
  readonly meta: OutputMeta
  /** In the order given. */
  readonly outputs: readonly NamedOutput[]
  /** Each once, in an order that is the same for equal events: what a voucher counts by. */
  readonly distinct: readonly NamedOutput[]
}

/** An event, and whether its outputs are known to be stored. */
export interface FoundEvent {
  readonly event: NamedEvent
  /** Null where the outputs have to be written. */
  readonly voucher: Voucher | null
}

/** Outputs that are being put, or have been, by id. */
export type Puts = Map<string, Promise<void>>

export interface EventStore {
  /**
   * Names an event, and tells whether it is stored: by what `believed` knows of its key, which asks no store, else by
   * one read, of its marker. Rejects with StoreError.
   * @param believed what a receipt says
   * @param names what was named earlier for the tenant: an output's digest is most of the work
   */
  find(
    tenant: string,
    outputs: readonly EventOutput[],
    limit: Limit,
    believed: (key: string) => Voucher | undefined,
    names?: Lookup<OutputName>,
  ): Promise<FoundEvent>
  /**
   * Sees to it that an event's outputs are stored, and writes its marker. A claimed id is looked up once; where it is
   * not found, the output itself is stored. Rejects with StoreError.
   * @param puts what is being put at this call already, by id: two events may hold one output, and a storage may refuse
   * two writes of one object at a time
   */
  write(tenant: string, found: FoundEvent, limit: Limit, puts: Puts): Promise<{ voucher: Voucher; written: number }>
}

/**
 * Share of its life that a marker must have left to be believed. A put may leave an output alone that has more than half
 * its life left, so an output may be older than its event's marker by that half: what lies between the two shares is
 * the time an output still has when its marker is believed for the last time.
 */
const FRESH_SHARE = 0.6
/** Share of its life that an output must have left to be as good as one just put. */
const RENEWED_SHARE = 0.5

const MARKER = 'spillway event 1'

/** The id of each of an event's outputs, in the order given: the claimed one where it was found. */
export function idsOf({ outputs, distinct }: NamedEvent, { replaced }: Voucher): string[] {
  const gone = new Set(replaced.map((place) => distinct[place]).map((output) => output && nameOf(output)))
  return outputs.map((output) => (gone.has(nameOf(output)) ? output.id : (output.claimedId ?? output.id)))
}

/**
 * Keeps the outputs of masking events, and with each event one small object, its marker: a later call asks for it alone,
 * never for the outputs. So an output that somebody deletes stays deleted: its event is not stored again as long as the
 * marker is believed, and the stubs that the history has shown stay as they were.
 * @param now milliseconds since the epoch
 */
export function createEventStore(
  store: OutputStore,
  spiller: Spiller,
  keyOf: KeyOf,
  settings: StoreSettings,
  now: () => number,
): EventStore {
  async function nameOnce(
    tenant: string,
    text: string,
    meta: OutputMeta,
    names: Lookup<OutputName> | undefined,
  ): Promise<OutputName> {
    const about = JSON.stringify(meta)
    const known = names?.get(text, about)
    if (known) return known
    const content = utf8(text)
    const made = { key: await keyOf(tenant, content, meta), bytes: content.length }
    names?.set(text, about, made)
    return made
  }

  async function nameEvent(
    tenant: string,
    outputs: readonly EventOutput[],
    names: Lookup<OutputName> | undefined,
  ): Promise<NamedEvent> {
    const named = await Promise.all(
      outputs.map(async (output) => {
        const name = await nameOnce(tenant, output.text, output.meta, names)
        return { ...output, ...name, id: store.idOf(name.key, name.bytes, output.meta.kind) }
      }),
    )
    const byName = new Map(named.map((output) => [nameOf(output), output]))
    const inOrder = [...byName.keys()].sort()
    const meta = markerMeta(outputs[0]?.meta.session)
    // Ids and not keys: where another storage is configured, or another life, nothing is known to be stored. Another
    // session's event is another one, though its outputs are the same: each session has to refer to them.
    const about = JSON.stringify([ttlOf(settings, tenant), meta.session ?? null])
    const { key } = await nameOnce(tenant, `${MARKER} ${about}\n${inOrder.join('\n')}\n`, meta, names)
    return { key, meta, outputs: named, distinct: inOrder.flatMap((name) => byName.get(name) ?? []) }
  }

  async function readMarker(tenant: string, key: string): Promise<Voucher | null> {
    const found = await store.get(tenant, store.idOf(key, 0, 'marker'))
    if ('missing' in found) return null
    const replaced = parseMarker(new TextDecoder().decode(found.content))
    return replaced && { key, says: 'stored', until: found.expiresAt - ttlOf(settings, tenant) * FRESH_SHARE, replaced }
  }

  /**
   * Whether an output stands under a claimed id, as large as is claimed, for as long as one that is put now; if need be
   * its life begins anew. From here on it belongs to this event's session, too.
   */
  async function isThere(tenant: string, id: string, { claimedChars, meta }: EventOutput): Promise<boolean> {
    const found = await store.head(tenant, id)
    if ('missing' in found || found.kind === 'marker') return false
    if (claimedChars !== null && !mayHold(found, claimedChars)) return false
    if (meta.session !== undefined && !(await isReferred(tenant, id, meta.session))) return false
    return found.expiresAt - now() > ttlOf(settings, tenant) * RENEWED_SHARE || (await store.renew(tenant, id))
  }

  /**
   * Sees to it that a session refers to an output, which deleting another session would take away otherwise. What was
   * stored without any label needs that no more than it did.
   */
  async function isReferred(tenant: string, id: string, session: string): Promise<boolean> {
    if (await store.inSession(tenant, session, id)) return true
    const found = await store.get(tenant, id)
    if ('missing' in found) return false
    const { content, kind, stdoutBytes } = found
    const meta = { kind, session, ...(stdoutBytes !== undefined && { stdoutBytes }) }
    const key = await keyOf(tenant, content, meta)
    if (store.idOf(key, content.length, kind) === id) await store.put(tenant, key, content, meta)
    return true
  }

  return {
    find(tenant, outputs, limit, believed, names) {
      return spiller.ask(async () => {
        const event = await nameEvent(tenant, outputs, names)
        const known = believed(event.key)
        if (known) return { event, voucher: known.says === 'stored' ? known : null }
        // A marker that can't be read is written anew: that mends a damaged one, and a failing store fails again.
        const voucher = await limit(() => readMarker(tenant, event.key).catch(() => null))
        return { event, voucher: voucher && voucher.until >= now() ? voucher : null }
      })
    },

    write(tenant, { event }, limit, puts) {
      return spiller.ask(async (_, expired) => {
        const timely = <T>(work: () => Promise<T>): Promise<T> =>
          limit(async () => {
            if (expired()) throw new StoreError('store', 'no time left')
            return work()
          })
        const until = now() + ttlOf(settings, tenant) * (1 - FRESH_SHARE)
        // What can't be looked up may be damaged: as if nothing were there, the text is stored. A failing store fails again.
        const there = await Promise.all(
          event.distinct.map(async (output) => {
            const { claimedId } = output
            return claimedId !== null && (await timely(() => isThere(tenant, claimedId, output).catch(() => false)))
          }),
        )
        const missing = new Map(event.distinct.flatMap((output, i) => (there[i] ? [] : [[output.id, output]])))
        let written = 0
        const putting = Array.from(missing.values(), (output) => {
          const begun = puts.get(output.id)
          if (begun) return begun
          written += 1
          const put = timely(async () => {
            const { id } = await store.put(tenant, output.key, utf8(output.text), output.meta)
            if (id !== output.id) throw new StoreError('store', 'stored an output under another id than it said')
          })
          puts.set(output.id, put)
          return put
        })
        await Promise.all(putting)
        const replaced = event.distinct.flatMap(({ claimedId }, i) => (claimedId !== null && !there[i] ? [i] : []))
        // Last, so that a marker never stands for an output that is not there.
        await timely(() => store.put(tenant, event.key, utf8(writeMarker(replaced)), event.meta))
        return { voucher: { key: event.key, says: 'stored', until, replaced }, written }
      })
    },
  }
}

/** What tells one output of an event from another: two that claim different ids are two, though their texts are equal. */
function nameOf({ claimedId, id }: NamedOutput): string {
  return `${claimedId ?? '-'} ${id}`
}

/** Whether so many UTF-16 units may be the output's, in UTF-8 with or without a byte order mark; of two streams, one of them. */
function mayHold({ bytes, stdoutBytes }: StoredOutput, chars: number): boolean {
  return chars <= bytes && (stdoutBytes !== undefined || bytes <= 3 * chars + 3)
}

function markerMeta(session: string | undefined): OutputMeta {
  return { kind: 'marker', ...(session !== undefined && { session }) }
}

function writeMarker(replaced: readonly number[]): string {
  return `${MARKER}\n${replaced.join(' ')}\n`
}

function parseMarker(text: string): number[] | null {
  const match = /^spillway event 1\n((?:\d{1,6}(?: \d{1,6})*)?)\n$/.exec(text)
  if (!match) return null
  return match[1] ? match[1].split(' ').map(Number) : []
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
