import { runtimeTimer, type Timer } from './deadline.ts'
import { type Engine, engine as realEngine } from './engine.ts'
import { createEventStore } from './event-store.ts'
import { createFilter } from './filter.ts'
import { createJudge } from './guarded.ts'
import { createMask } from './mask.ts'
import { createObserver } from './observe.ts'
import type { Guard, OutputStore, Signer, TelemetrySink } from './ports.ts'
import { createReady } from './ready.ts'
import { createRecall } from './recall.ts'
import { defaultSettings, type Settings } from './settings.ts'
import { createSpiller, type KeyOf } from './spill.ts'
import { createTokens } from './tokens.ts'
import type { Spillway } from './types.ts'

export { defaultSettings, type Settings } from './settings.ts'

/** What a Spillway runs on. Everything may be left out. */
export interface SpillwayPorts {
  /** `defaultSettings` where left out. */
  readonly settings?: Settings
  /** Without a store, outputs are shortened all the same, and say that they were not stored. */
  readonly store?: OutputStore
  /** Needed with a store. */
  readonly keyOf?: KeyOf
  /** Without one, masking gives no receipts and reads none. */
  readonly signer?: Signer
  readonly telemetry?: TelemetrySink
  /** Without a guard everything is allowed. */
  readonly guard?: Guard
  /** Milliseconds of a steady clock, for the time that the engine takes; left out where CPU time can't be seen. */
  readonly clock?: () => number
  /** Milliseconds since the epoch, to tell what is about to expire. */
  readonly now?: () => number
  readonly timer?: Timer
  readonly engine?: Engine
}

/** Binds the use cases to their ports. Does no I/O. Throws where a store comes without `keyOf`: nothing could be stored. */
export function createSpillway(ports: SpillwayPorts = {}): Spillway {
  const { settings = defaultSettings, store, keyOf, signer = null } = ports
  const { engine = realEngine, timer = runtimeTimer, now = Date.now } = ports
  if (store && !keyOf) throw new TypeError('createSpillway: a store needs keyOf')
  const spiller = store && keyOf ? createSpiller(store, keyOf, settings.store, timer) : null
  const events = store && keyOf && spiller ? createEventStore(store, spiller, keyOf, settings.store, now) : null
  const observer = createObserver(ports.telemetry, ports.clock)
  const judge = createJudge(ports.guard, settings.guard, timer)
  const parts = { engine, settings, judge, spiller, observer, estimate: estimateWith(engine) }

  return {
    filter: createFilter(parts),
    mask: createMask({ ...parts, judge: ports.guard ? judge : null, events, signer, now }),
    ...createRecall({ spiller, observer, settings: settings.store, now }),
    ready: createReady(spiller, store?.warnings),
    tokens: createTokens(parts),
  }
}

/** A reply that says "the engine failed" needs a figure too: then the usual rule of thumb, four characters a token. */
function estimateWith(engine: Engine): (text: string) => number {
  return (text) => {
    try {
      return engine.estimateTokens(text)
    } catch {
      return Math.ceil(text.length / 4)
    }
  }
}
