import { addressedOutput, ID_PATTERN } from '../marker.ts'
import { commandOf } from './call.ts'
import { isObject } from './value.ts'

/** Tools that give stored outputs back; a client may put its server's name before them. */
export const RECALL_TOOLS: readonly string[] = ['read_output', 'search_output']

export function isRecallTool(tool: string): boolean {
  return RECALL_TOOLS.some((name) => tool === name || tool.endsWith(`__${name}`) || tool.endsWith(`.${name}`))
}

/** Commands that fetch one address and do nothing else: without operators, substitutions or further lines. */
const PLAIN_FETCH =
  /^\s{0,8}curl(?: -(?:s|S|sS|f|fs|fsS|sSf|L))* (?:-H (?:"[^"]{0,300}"|'[^']{0,300}') )?["']?https?:\/\/[\w.:[\]-]{1,200}\/v1\/outputs\/o_[a-z]{32}(?:\?[\w=&-]{0,100})?["']?\s{0,8}$/

/**
 * The id of the stored output that a call gave back, whole or in part; null for any other call. Such a result is masked
 * back to the output it came from. A command counts only where it can have printed nothing else. (`&` may stand in an
 * address; a command line with it is not taken, since it also ends a command.)
 */
export function recalledId(tool: string, input: unknown): string | null {
  if (isRecallTool(tool))
    return isObject(input) && typeof input.id === 'string' && ID_PATTERN.test(input.id) ? input.id : null
  const command = commandOf(input)
  if (command !== null) return PLAIN_FETCH.test(command) ? addressedOutput(command) : null
  return isObject(input) && typeof input.url === 'string' ? addressedOutput(input.url) : null
}
