import type { Draft } from '../../draft.ts'
import { listOf, memberOf, textOf } from '../../strategies/json-report.ts'
import { cutLong } from './cut.ts'

/** A message of `rg --json`, as far as it is read here. */
interface Message {
  readonly type: string
  readonly data: unknown
}

const OPENS = /^\{"(?:type":"(?:begin|match|context|end|summary)"|data":\{)/

export function readMessage(line: string): Message | null {
  if (!OPENS.test(line) || !line.endsWith('}')) return null
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return null
  }
  const type = textOf(value, 'type')
  return /^(?:begin|match|context|end|summary)$/.test(type) ? { type, data: memberOf(value, 'data') } : null
}

/** Writes an event stream as `rg --heading` prints it; text that is no UTF-8 stands as it came, encoded. */
export function writeJson(lines: readonly string[], words: string, draft: Draft): void {
  let held: number[] = []
  for (const [i, line] of lines.entries()) {
    const message = readMessage(line)
    if (message === null) {
      draft.keep(i)
      continue
    }
    const { type, data } = message
    const path = textOf(memberOf(data, 'path'), 'text')
    if (type === 'begin' && path !== '') draft.restate(path, [i])
    else if (type === 'end') {
      const binary = memberOf(data, 'binary_offset')
      if (typeof binary === 'number') draft.restate(`binary file, from byte ${binary} on`, [i])
      else held.push(i)
    } else if (type === 'summary') {
      const stats = memberOf(data, 'stats')
      const count = (key: string): string => textOf(stats, key)
      const said = `${count('matches')} matches in ${count('matched_lines')} lines; ${count('searches_with_match')} of ${count('searches')} files searched`
      draft.restate(said, [...held, i])
      held = []
    } else {
      const text = memberOf(memberOf(data, 'lines'), 'text')
      const number = textOf(data, 'line_number')
      if (typeof text !== 'string' || number === '') draft.keep(i)
      else {
        const bare = text.replace(/\r?\n$/, '')
        const sign = type === 'context' ? '-' : ':'
        draft.restate(`${number}${sign}${cutLong(bare, words) ?? bare}`, [i])
      }
    }
  }
  draft.elide('ends of files in the stream', held)
}

/** Whether the output begins as such a stream does. */
export function isStream(lines: readonly string[]): boolean {
  const first = readMessage(lines[0] ?? '')
  return first?.type === 'begin' && listOf(first.data).length === 0
}
