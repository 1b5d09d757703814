import type { Missing, OutputPart, OutputStream, Purge, Slice, StoredOutput } from './ports.ts'
import type { SearchResult } from './search.ts'

/** Who asks: the tenant that owns what is stored, and the route, for telemetry. */
export interface Caller {
  readonly tenant: string
  readonly route: string
}

/** One tool output: whole, or its two streams apart. */
export type Streams = { readonly output: string } | { readonly stdout: string; readonly stderr: string }

export interface FilterRequest {
  readonly streams: Streams
  /** The bytes received, where they are not simply the UTF-8 of `output` (text/plain): what recall gives back. */
  readonly raw?: Uint8Array
  readonly command?: string
  readonly tool?: string
  readonly exitCode?: number
  /** Upper bound for the estimated tokens of the result, markers included. */
  readonly maxTokens?: number
  /** The caller's words for how to get the full output, with `{id}`. */
  readonly hint?: string
  /** Label of the session that the output belongs to: it can be deleted by it. */
  readonly session?: string
}

/** Input lines by fate; the last three sum to the first. */
export interface LineCount {
  readonly in: number
  readonly kept: number
  readonly restated: number
  readonly elided: number
}

export interface FilterReply {
  readonly streams: Streams
  readonly filtered: boolean
  /** Why the output is not filtered as asked (unchanged, blocked, or cut by `fail_mode: closed`); null where it is. */
  readonly reason: string | null
  readonly family: string | null
  readonly strategy: string | null
  readonly lines: LineCount
  readonly tokens: { readonly before: number; readonly after: number; readonly saved: number }
  readonly spill: { readonly id: string; readonly bytes: number } | null
  readonly warnings: readonly string[]
}

/** The key of a message list in a request body, by format. */
export type ListKey = 'messages' | 'contents' | 'input'

export interface History {
  /** A format's name, or `auto`. */
  readonly format: string
  readonly key: ListKey
  /** The exact JSON text of the list, as it came in, and the same parsed. */
  readonly json: string
  readonly list: readonly unknown[]
}

export interface MaskRequest extends History {
  readonly policy?: unknown
  readonly hint?: string
  /**
   * `report.receipt` of an earlier reply: no store is asked for the masking events that it covers. It is good for this
   * tenant alone and for some days at most; one that is not good is ignored, with a warning in the report.
   */
  readonly receipt?: string
  /** Label of the session that the history belongs to: what is stored of it can be deleted by it. */
  readonly session?: string
  /** Name of the model that is going to read the history. */
  readonly model?: string
}

/**
 * One change of the list, at an RFC 6901 pointer into it as it came in: the string that stands there now, or (signed
 * thinking that is stripped) an array element that is gone.
 */
export type Edit =
  | { readonly pointer: string; readonly value: string | Readonly<Record<string, unknown>> }
  | { readonly pointer: string; readonly remove: true }

export interface MaskReply {
  /** The list's JSON text with the edits spliced in: every byte outside a replaced value is the byte that came in. */
  readonly json: string
  readonly edits: readonly Edit[]
  readonly report: Readonly<Record<string, unknown>>
}

/** A search of a stored output. */
export interface SearchQuery {
  /** RE2 syntax. Matched line by line. */
  readonly pattern: string
  readonly ignoreCase?: boolean
  /** Lines shown before and after each match; none unless set. */
  readonly context?: number
  /** Matching lines shown at most: 100 unless set. */
  readonly max?: number
  /** Lines, from 1, both ends included, to which the search keeps. */
  readonly lines?: readonly [from: number, to: number]
}

export type SearchReply = StoredOutput & SearchResult

/** The use cases; every face (HTTP, MCP, hooks, command line) is a thin layer over these. */
export interface Spillway {
  /** Never rejects: whatever goes wrong inside, the input comes back with a reason. */
  filter(request: FilterRequest, caller: Caller): Promise<FilterReply>
  /** Fails open like `filter`; rejects with RequestError only for what the caller has to mend (unknown format, bad policy). */
  mask(request: MaskRequest, caller: Caller): Promise<MaskReply>
  /**
   * Estimated tokens of a text, or of a history: then the figure that a mask report calls `tokensBefore`.
   * Throws RequestError for a format that does not exist.
   */
  tokens(input: string | History, caller: Caller): number
  /** Rejects with StoreError when the store fails. */
  recall(id: string, slice: Slice | undefined, caller: Caller): Promise<OutputPart | Missing>
  /**
   * The same for outputs too large to hold: `parts` is read while it is walked through, and rejects with StoreError. Its
   * event is recorded when the walk has ended; who does not walk to the end calls its iterator's `return`.
   */
  stream(id: string, slice: Slice | undefined, caller: Caller): Promise<OutputStream | Missing>
  /**
   * Reads no more than it needs, and holds little of that. Rejects with StoreError when the store fails, with
   * RequestError (`/pattern`) for a pattern that can't be used.
   */
  search(id: string, query: SearchQuery, caller: Caller): Promise<SearchReply | Missing>
  describe(id: string, caller: Caller): Promise<StoredOutput | Missing>
  /** Whether an output was stored with a session's label. Rejects with StoreError when the store fails. */
  inSession(tenant: string, session: string, id: string): Promise<boolean>
  remove(id: string, caller: Caller): Promise<boolean>
  /** Deletes a session's outputs, or all of the caller's tenant, a page at a time. Rejects with StoreError, CursorError. */
  removeSession(session: string, cursor: string | null, caller: Caller): Promise<Purge>
  removeAll(cursor: string | null, caller: Caller): Promise<Purge>
  /** Whether a put and a get of a probe succeed; a text that says what failed otherwise. */
  ready(): Promise<{ readonly ok: boolean; readonly detail: string }>
}

/** Something in the request that the caller has to mend; `pointer` names the field (RFC 6901), as far as known. */
export class RequestError extends Error {
  override readonly name = 'RequestError'
  readonly pointer: string
  constructor(pointer: string, message: string) {
    super(message)
    this.pointer = pointer
  }
}
