import type { HistoryCodec, ResultPart, Step } from './codec.ts'
import { mediaPart, valueParts } from './parts.ts'
import { asString, isArray, isObject, type JsonObject, objectsIn } from './value.ts'

const MEDIA = ['image', 'audio']

/**
 * A list of MCP CallToolResults, in the order in which a model read them: each but the last was read. A result may hold
 * its value twice, as text and structured; both are the result's parts.
 */
export const mcp: HistoryCodec = {
  format: 'mcp',
  key: 'messages',
  detect: (list) =>
    list.length > 0 && list.every((result) => isObject(result) && isArray(result.content) && !('role' in result)),
  read(list) {
    return list.flatMap((result, index): readonly Step[] => {
      if (!isObject(result)) return [{ kind: 'other', message: index }]
      const read: Step = {
        kind: 'results',
        message: index,
        results: [
          {
            message: index,
            callId: '',
            tool: '',
            input: null,
            isError: result.isError === true,
            exitCode: null,
            parts: readParts(result, `/${index}`),
          },
        ],
      }
      return index === 0 ? [read] : [{ kind: 'assistant', message: index, signed: [], blocks: 1 }, read]
    })
  },
}

function readParts(result: JsonObject, pointer: string): readonly ResultPart[] {
  const blocks = objectsIn(result.content).flatMap(([at, block]): readonly ResultPart[] => {
    if (block.type === 'text') return valueParts(block.text, `${pointer}/content/${at}/text`)
    if (MEDIA.includes(asString(block.type))) return [mediaPart(block, `${pointer}/content/${at}`, 'text')]
    const { resource } = block
    if (block.type !== 'resource' || !isObject(resource)) return []
    if (typeof resource.blob === 'string') return [mediaPart(block, `${pointer}/content/${at}`, 'text')]
    if (typeof resource.text !== 'string') return []
    return valueParts(resource.text, `${pointer}/content/${at}/resource/text`)
  })
  const structured = result.structuredContent
  return isObject(structured) ? [...blocks, ...valueParts(structured, `${pointer}/structuredContent`)] : blocks
}
