import { aiSdk } from './ai-sdk.ts'
import { aiSdkUi } from './ai-sdk-ui.ts'
import { anthropic } from './anthropic.ts'
import { bedrock } from './bedrock.ts'
import type { HistoryCodec, ListKey } from './codec.ts'
import { gemini } from './gemini.ts'
import { mcp } from './mcp.ts'
import { openaiChat } from './openai-chat.ts'
import { openaiResponses } from './openai-responses.ts'
import { pi } from './pi.ts'

/** Every format, the more telling shapes first: `auto` takes the first that recognises the list. */
export const codecs: readonly HistoryCodec[] = [
  pi,
  aiSdkUi,
  aiSdk,
  bedrock,
  anthropic,
  openaiChat,
  openaiResponses,
  gemini,
  mcp,
]

/**
 * The codec for a request: by name, or for `auto` by the list's shape. Null for `auto` where no format recognises the
 * list (a history without any tool call looks alike in several formats, and has nothing to mask); undefined for a name
 * that does not exist or has another key.
 */
export function findCodec(format: string, key: ListKey, list: readonly unknown[]): HistoryCodec | null | undefined {
  if (format === 'auto') return codecs.find((codec) => codec.key === key && codec.detect(list)) ?? null
  return codecs.find((codec) => codec.format === format && codec.key === key)
}
