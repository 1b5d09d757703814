import type { OutputMeta, OutputPart, Slice, StoredOutput } from '../../src/service/ports.ts'
import { CursorError, StoreError } from '../../src/service/ports.ts'
import {
  type Caller,
  type FilterRequest,
  type MaskRequest,
  RequestError,
  type Spillway,
} from '../../src/service/types.ts'

interface Kept extends StoredOutput {
  readonly content: Uint8Array
}

export interface SpillwayDouble extends Spillway {
  readonly filtered: FilterRequest[]
  readonly masked: MaskRequest[]
  readonly callers: Caller[]
  /** Sessions that were to be deleted (the empty name: all), each with its cursor. */
  readonly purged: [session: string, cursor: string | null][]
  /** What lookups of unknown ids say. */
  missing: 'final' | 'unsure'
  broken: boolean
  /** What `filter` answers in the output's place, as a guard would; null: the usual. */
  guarded: string | null
  keep(tenant: string, content: Uint8Array, meta?: OutputMeta): string
}

export const EXPIRES = Date.UTC(2030, 0, 2, 3, 4, 5)

/**
 * A service small enough to be read at a glance: outputs of more than three lines become their first line and a marker,
 * the first tool message of a history becomes a stub. What it is asked is noted.
 */
export function createSpillwayDouble(): SpillwayDouble {
  const kept = new Map<string, Kept>()
  const labels = new Map<string, string | undefined>()
  const self: SpillwayDouble = {
    filtered: [],
    masked: [],
    callers: [],
    purged: [],
    missing: 'final',
    broken: false,
    guarded: null,
    keep(tenant, content, meta = { kind: 'text' }) {
      const id = `o_m${String(kept.size)
        .padStart(31, '0')
        .replaceAll(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '')}`
      const lines = new TextDecoder().decode(content).split(/(?<=\n)/).length
      labels.set(`${tenant} ${id}`, meta.session)
      kept.set(`${tenant} ${id}`, { id, bytes: content.length, lines, expiresAt: EXPIRES, content, ...meta })
      return id
    },
    async filter(request, caller) {
      self.filtered.push(request)
      self.callers.push(caller)
      const text = 'output' in request.streams ? request.streams.output : request.streams.stdout
      const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n')
      const changed = lines.length > 3
      const id = changed ? self.keep(caller.tenant, request.raw ?? new TextEncoder().encode(text)) : null
      const short = self.guarded ?? (changed ? `${lines[0]}\n[gap]\n` : text)
      return {
        streams: 'output' in request.streams ? { output: short } : { stdout: short, stderr: request.streams.stderr },
        filtered: changed,
        reason: changed ? null : 'small',
        family: changed ? 'double' : null,
        strategy: changed ? 'first-line' : null,
        lines: {
          in: lines.length,
          kept: changed ? 1 : lines.length,
          restated: 0,
          elided: changed ? lines.length - 1 : 0,
        },
        tokens: { before: text.length, after: short.length, saved: text.length - short.length },
        spill: id === null ? null : { id, bytes: text.length },
        warnings: changed ? ['half of it\r\nset-cookie: gone – ü'] : [],
      }
    },
    async mask(request, caller) {
      self.masked.push(request)
      self.callers.push(caller)
      if (request.format === 'nonsense') throw new RequestError('/format', 'is no known format')
      const value = 'a stub'
      const json = request.json.replace('"MASK ME"', JSON.stringify(value))
      const edits = json === request.json ? [] : [{ pointer: '/1/content', value }]
      return { json, edits, report: { maskedNow: edits.length } }
    },
    tokens(input) {
      return typeof input === 'string' ? input.length : 1000 + input.json.length
    },
    async recall(id, slice, caller) {
      const found = await self.describe(id, caller)
      const whole = kept.get(`${caller.tenant} ${id}`)
      if ('missing' in found || whole === undefined) return { missing: self.missing }
      const [from, to] = slice === undefined ? [0, whole.bytes] : spanOf(slice, whole.content)
      const part: OutputPart = { ...found, content: whole.content.slice(from, to), offset: from }
      return part
    },
    async stream(id, slice, caller) {
      const found = await self.recall(id, slice, caller)
      if ('missing' in found) return found
      const { content, offset: _, ...stored } = found
      async function* parts() {
        for (let from = 0; from < content.length; from += 3) yield content.subarray(from, from + 3)
      }
      return { ...stored, parts: parts() }
    },
    async search(id, { pattern, max = 100 }, caller) {
      if (pattern === '(') throw new RequestError('/pattern', 'not a pattern in RE2 syntax: missing closing )')
      const found = await self.recall(id, undefined, caller)
      if ('missing' in found) return found
      const { content, offset: _, ...stored } = found
      const all = new TextDecoder()
        .decode(content)
        .split('\n')
        .flatMap((line, i) => (line.includes(pattern) ? [`${i + 1}:${line}\n`] : []))
      const shown = all.slice(0, max)
      const counts = { matches: shown.length, cut: 0, searchedTo: found.lines, truncated: all.length > max }
      return { ...stored, ...counts, text: shown.join('') }
    },
    async inSession(tenant, session, id) {
      return labels.get(`${tenant} ${id}`) === session
    },
    async removeSession(session, cursor, caller) {
      self.callers.push(caller)
      self.purged.push([session, cursor])
      if (cursor === 'stale') throw new CursorError('is no cursor of this server')
      return { deleted: 2, cursor: cursor === null ? 'next' : null }
    },
    async removeAll(cursor, caller) {
      return self.removeSession('', cursor, caller)
    },
    async describe(id, caller) {
      self.callers.push(caller)
      if (self.broken) throw new StoreError('double', 'secret path /data is gone')
      const found = kept.get(`${caller.tenant} ${id}`)
      if (found === undefined) return { missing: self.missing }
      const { content: _, ...stored } = found
      return stored
    },
    async remove(id, caller) {
      return kept.delete(`${caller.tenant} ${id}`)
    },
    async ready() {
      return self.broken
        ? { ok: false, detail: 'double: the probe was not kept' }
        : { ok: true, detail: 'stored and read back' }
    },
  }
  return self
}

function spanOf(slice: Slice, content: Uint8Array): readonly [number, number] {
  if ('bytes' in slice) return [slice.bytes[0], slice.bytes[1] + 1]
  if ('lastBytes' in slice) return [content.length - slice.lastBytes, content.length]
  const starts = [0, ...[...content.keys()].filter((i) => content[i] === 0x0a).map((i) => i + 1)]
  if (starts.at(-1) === content.length) starts.pop()
  const at = (line: number) => starts[line] ?? content.length
  if ('head' in slice) return [0, at(slice.head)]
  if ('tail' in slice) return [at(Math.max(0, starts.length - slice.tail)), content.length]
  return [at(slice.lines[0] - 1), at(slice.lines[1])]
}
