import { DEFAULT_FILTER_OPTIONS, type FilterOptions } from '../engine/filter.ts'
import { DEFAULT_BOUNDS, DEFAULT_POLICY, type MaskPolicy, type PolicyBounds } from '../engine/policy.ts'

/** The operator's settings as the service needs them: already parsed and complete. `defaultSettings` has every default. */
export interface Settings {
  readonly filters: FilterSettings
  readonly mask: MaskSettings
  readonly store: StoreSettings
  readonly guard: GuardSettings
  readonly limits: LimitSettings
  /** Words for how to get a full output, with `{id}`, where a request brings none; null for the engine's own. */
  readonly hint: string | null
}

export interface FilterSettings {
  /** False: every output comes back as it came. */
  readonly enabled: boolean
  /**
   * What comes back when something inside fails. `open`: the input as it came. `closed`: a bounded head and tail,
   * marked as not stored; the one case in which something may be lost, for those who would rather lose than overflow.
   */
  readonly failMode: 'open' | 'closed'
  /** Bytes of UTF-8, both streams together, beyond which an output is not filtered. */
  readonly maxContentBytes: number
  /** Sizes and budgets that the engine filters by, in tokens. */
  readonly options: FilterOptions
  /** UTF-16 units that `closed` keeps at each end of a text. */
  readonly closedChars: number
}

export interface MaskSettings {
  /** Master switch. False: every history comes back as it came, whatever the policy or a request says. */
  readonly enabled: boolean
  /** The operator's policy: what holds where a request says nothing else. */
  readonly policy: MaskPolicy
  /** How far a request may move the thresholds. */
  readonly bounds: PolicyBounds
  /** Outputs of one masking event that a call stores; the rest at later calls, before which it does not happen. 0: none. */
  readonly maxSpills: number
  /** UTF-16 units of earlier results, and of what was made of them, that are held in memory, over all tenants; 0 for none. */
  readonly memoChars: number
}

export interface StoreSettings {
  /** Milliseconds that a request waits for the store, in all; then the store has failed for it. */
  readonly timeoutMs: number
  /** Milliseconds that the store keeps an output after it was put. */
  readonly ttlMs: number
  /** The same for tenants with a time of their own, by name. */
  readonly ttlMsByTenant: ReadonlyMap<string, number>
  /** Stored bytes held in memory before the store; null for the runtime's own default, 0 for none. */
  readonly cacheBytes: number | null
  /** Bytes that a store of files may take up; null for no limit. */
  readonly maxBytes: number | null
}

/** How long a tenant's outputs are kept, in milliseconds. */
export function ttlOf(settings: Pick<StoreSettings, 'ttlMs' | 'ttlMsByTenant'>, tenant: string): number {
  return settings.ttlMsByTenant.get(tenant) ?? settings.ttlMs
}

export interface GuardSettings {
  /** What a guard that throws or hangs counts as: `closed` a block, `open` an allow. */
  readonly failMode: 'open' | 'closed'
  /** Milliseconds that a result waits for its verdict. */
  readonly timeoutMs: number
  /** What becomes of a result with a secret of a known form in it. Off: recall gives back every byte received. */
  readonly secrets: 'off' | 'redact' | 'block'
  /** A guard of the operator's own, asked over HTTP; null for none. */
  readonly http: HttpGuardSettings | null
}

/** What a request may ask of a server. */
export interface LimitSettings {
  /** Messages that a history may have. */
  readonly maxMessages: number
  /** Milliseconds in which a request's body has to arrive. */
  readonly bodyTimeoutMs: number
  /** Requests of one tenant in a window of so many seconds; null for no limit. */
  readonly rate: { readonly requests: number; readonly perSeconds: number } | null
}

export interface HttpGuardSettings {
  readonly url: string
  /** Milliseconds; under those of all guards. */
  readonly timeoutMs: number
  readonly failMode: 'open' | 'closed'
  /** Names of headers, each with the name of the environment variable that holds its value. */
  readonly headers: Readonly<Record<string, string>>
}

const DAY = 86_400_000

export const defaultSettings: Settings = {
  filters: {
    enabled: true,
    failMode: 'open',
    maxContentBytes: 10 * 1024 * 1024,
    closedChars: 4000,
    options: DEFAULT_FILTER_OPTIONS,
  },
  mask: { enabled: true, policy: DEFAULT_POLICY, bounds: DEFAULT_BOUNDS, maxSpills: 1000, memoChars: 8 * 1024 * 1024 },
  store: { timeoutMs: 10_000, ttlMs: 7 * DAY, ttlMsByTenant: new Map(), cacheBytes: null, maxBytes: null },
  // Whoever configures a guard wants it obeyed: the gentle failure of the rest would be a way around it.
  guard: { failMode: 'closed', timeoutMs: 10_000, secrets: 'off', http: null },
  limits: { maxMessages: 20_000, bodyTimeoutMs: 30_000, rate: null },
  hint: null,
}
