import type { JsonObject } from './value.ts'

/** The key of a request's message list. */
export type ListKey = 'messages' | 'contents' | 'input'

/** A value that a result shows to the model, and that a stub may replace. Pointers are RFC 6901, into the list. */
export type ResultPart =
  | { readonly kind: 'text'; readonly pointer: string; readonly text: string }
  | { readonly kind: 'json'; readonly pointer: string; readonly value: unknown }
  | MediaPart

/** A block that holds an image, a document or a recording, in a list in which a text block may stand in its place. */
export interface MediaPart {
  readonly kind: 'media'
  readonly pointer: string
  readonly value: JsonObject
  /** What a text block in its place holds besides `text`: the format's `type`, and what is no part of the medium. */
  readonly block: JsonObject
}

/** One tool call's result. */
export interface ToolResult {
  /** Index of the message (list element) it stands in. */
  readonly message: number
  /** Pairs it with its call; empty where the format gives none. */
  readonly callId: string
  /** Name of the tool; empty where nothing tells it. */
  readonly tool: string
  /** The call's arguments, parsed; null where unknown. */
  readonly input: unknown
  readonly isError: boolean
  /** Exit code, where the format has a field for it. */
  readonly exitCode: number | null
  readonly parts: readonly ResultPart[]
}

/** What happened, in order. One message is one step, or several where a format holds whole turns in one message. */
export type Step =
  /** What the model wrote; `blocks` counts its content blocks, `signed` points to those that hold signed thinking. */
  | {
      readonly kind: 'assistant'
      readonly message: number
      readonly signed: readonly string[]
      readonly blocks: number
      /** Name of the model that wrote it, where the message or the format tells; null or absent: unknown. */
      readonly model?: string | null
    }
  /** A message of the user role without results. */
  | { readonly kind: 'user'; readonly message: number; readonly text: string }
  | { readonly kind: 'results'; readonly message: number; readonly results: readonly ToolResult[] }
  | { readonly kind: 'other'; readonly message: number }

/** One message format: where results stand, and which call each answers. */
export interface HistoryCodec {
  /** Name in requests: `anthropic`. */
  readonly format: string
  readonly key: ListKey
  /** Whether the list can only be this format's: something in it that no other format has. */
  detect(list: readonly unknown[]): boolean
  /** Reads the list; never throws. What has an unknown shape is an `other` step, and is left alone. */
  read(list: readonly unknown[]): readonly Step[]
}
