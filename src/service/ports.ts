/** Describes a stored output. Sizes are of the raw bytes. */
export interface OutputMeta {
  /**
   * `text`: UTF-8 or the raw bytes received; `json`: an exact JSON slice; `marker`: the service's own note that outputs
   * are stored. It is looked up before it is written, so a store keeps it where a look-up sees fresh writes; its key is
   * no digest of its content, and each put replaces it.
   */
  readonly kind: 'text' | 'json' | 'marker'
  /** For stdout and stderr stored as one object: the length of stdout in bytes. */
  readonly stdoutBytes?: number
  /** The caller's label of the session that the output belongs to. An output with one is another object than without. */
  readonly session?: string
}

export interface StoredOutput extends Omit<OutputMeta, 'session'> {
  readonly id: string
  readonly bytes: number
  /** Lines split at LF; a last line without LF counts. */
  readonly lines: number
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
}

/** Part of an output. Lines are 1-based and inclusive; bytes are 0-based and inclusive, as in RFC 9110 ranges. */
export type Slice =
  | { readonly lines: readonly [from: number, to: number] }
  | { readonly head: number }
  | { readonly tail: number }
  | { readonly bytes: readonly [from: number, to: number] }
  | { readonly lastBytes: number }

export interface OutputPart extends StoredOutput {
  readonly content: Uint8Array
  /** Offset of `content` in the whole output, in bytes. */
  readonly offset: number
}

/** An output, or a slice of one, that is read while it is walked through. */
export interface OutputStream extends StoredOutput {
  /** The bytes in order, a block or less at a time; what is not walked through is not read. Rejects with StoreError. */
  readonly parts: AsyncIterable<Uint8Array>
}

/** One page of a deletion: how many outputs went, and where the next page begins; null: all is done. */
export interface Purge {
  readonly deleted: number
  readonly cursor: string | null
}

/** What a lookup of an output that isn't there means: `unsure` where the store may not see a fresh write yet (KV). */
export type Missing = { readonly missing: 'final' | 'unsure' }

/**
 * Where full outputs are kept. Ids are content-derived, so a second put of one output is the same object; it renews it,
 * at the latest when half its life is over.
 * Every method rejects with StoreError when the store fails; a lookup of what isn't there is no failure.
 */
export interface OutputStore {
  /** `key` is the output's digest within its tenant; the id returned adds what the store needs to find it (its tier). */
  put(tenant: string, key: string, content: Uint8Array, meta: OutputMeta): Promise<{ id: string }>
  /** The id that `put` would return for a content of this size and kind (`text` where none is given), without any I/O. */
  idOf(key: string, bytes: number, kind?: OutputMeta['kind']): string
  get(tenant: string, id: string, slice?: Slice): Promise<OutputPart | Missing>
  /** As `get`, for outputs too large to hold. */
  stream(tenant: string, id: string, slice?: Slice): Promise<OutputStream | Missing>
  head(tenant: string, id: string): Promise<StoredOutput | Missing>
  /** Starts an output's life anew; false where it isn't there. */
  renew(tenant: string, id: string): Promise<boolean>
  /** True where something was deleted. Whoever else stored the same output has lost it too. */
  delete(tenant: string, id: string): Promise<boolean>
  /** Whether an output was stored with the session's label. What was stored just now may be seen as late as by `head`. */
  inSession(tenant: string, session: string, id: string): Promise<boolean>
  /**
   * Deletes what was stored with the session's label, a page at a time; what another session has stored as well stays.
   * @param cursor from the page before; null for the first
   */
  deleteSession(tenant: string, session: string, cursor: string | null): Promise<Purge>
  /** Deletes everything of a tenant, a page at a time. */
  deleteTenant(tenant: string, cursor: string | null): Promise<Purge>
  /** What an operator should know before it becomes a failure: a limit that is near. */
  warnings?(): readonly string[]
}

/** A cursor that no page of this store has given out. */
export class CursorError extends Error {
  override readonly name = 'CursorError'
}

/** Signs short texts for a tenant, so that what a client hands back can be told from what it made up. */
export interface Signer {
  /** Printable ASCII without `~`. */
  sign(tenant: string, text: string): Promise<string>
  /** Whether `signature` is that of this text for this tenant; false for anything else, whatever it holds. */
  verify(tenant: string, text: string, signature: string): Promise<boolean>
}

export class StoreError extends Error {
  override readonly name = 'StoreError'
  readonly store: string
  /** True where the store answers, but what it has can't be read: asking again does not help. */
  readonly unreadable: boolean
  constructor(store: string, message: string, options: ErrorOptions & { readonly unreadable?: boolean } = {}) {
    super(`${store}: ${message}`, options)
    this.store = store
    this.unreadable = options.unreadable ?? false
  }
}

/** One operation's event. Never content, never a command's arguments. */
export interface TelemetryEvent {
  readonly route: string
  readonly operation: 'filter' | 'mask' | 'recall' | 'delete' | 'tokens'
  /** `ok`, or the reason code of what went otherwise. */
  readonly outcome: string
  readonly tenant: string
  readonly family: string
  /** Of a filter; of a mask, the history's format. */
  readonly strategy: string
  readonly tokensBefore: number
  readonly tokensAfter: number
  readonly tokensSaved: number
  readonly bytes: number
  readonly lines: number
  readonly maskedNow: number
  /** Outputs written to the store. */
  readonly spills: number
  /** Engine time in milliseconds; -1 where it is not measured (Workers' timers stand still during CPU work). */
  readonly engineMs: number
}

/** Takes events. Must neither throw nor delay: the service ignores what it returns or throws. */
export interface TelemetrySink {
  record(event: TelemetryEvent): void
}

/** `warnings` are told to the caller beside the result: what a guard could not do. */
export type GuardVerdict =
  | { readonly action: 'allow'; readonly warnings?: readonly string[] }
  | { readonly action: 'redact'; readonly text: string; readonly reason: string; readonly warnings?: readonly string[] }
  /** `failed`: blocked because there was no verdict, not because of one. */
  | { readonly action: 'block'; readonly reason: string; readonly failed?: boolean }

/** Judges a raw result before anything is stored, and the filtered one before it leaves. Redact and block always win. */
export interface Guard {
  judge(text: string, stage: 'raw' | 'filtered', context: { readonly tool: string | null }): Promise<GuardVerdict>
}

/**
 * The verdict itself, if it is one. A guard is foreign code: an answer that is none of the three is a failure, never an
 * "allow".
 * @throws Error
 */
export function checkVerdict(verdict: GuardVerdict): GuardVerdict {
  const sound =
    verdict.action === 'allow' ||
    (verdict.action === 'block' && typeof verdict.reason === 'string') ||
    (verdict.action === 'redact' && typeof verdict.text === 'string' && typeof verdict.reason === 'string')
  if (!sound) throw new Error('the guard gave no verdict')
  return verdict
}
