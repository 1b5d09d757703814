import { cutAt } from './text/lines.ts'

/**
 * Every text that Spillway itself writes into an output: gap markers, trailers and stubs, written and recognised here.
 * A marker is recognised by its exact anchored form and a checksum; the checksum guards against accident, not forgery.
 */

const LETTERS = 'abcdefghijklmnop'

/** FNV-1a over UTF-16 code units in two lanes, as 8 letters a-p: the same on every runtime, letters only so that its token cost is constant. */
export function checksum(text: string): string {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i)
    hash = Math.imul(hash ^ (unit & 0xff), 0x01000193)
    hash = Math.imul(hash ^ (unit >>> 8), 0x01000193)
  }
  let letters = ''
  for (let shift = 28; shift >= 0; shift -= 4) letters += LETTERS[(hash >>> shift) & 15]
  return letters
}

/** An output's id: `o_`, a letter for the store's tier, and 31 letters a-p (124 bits). Its token cost is constant. */
export const ID_PATTERN = /^o_[a-z][a-p]{31}$/
const ID_ANYWHERE = /\bo_[a-z][a-p]{31}\b/

/** Stands for an id while planning; as long as any id. */
export const PLACEHOLDER_ID = `o_z${'a'.repeat(31)}`

/** `[filtered: 12 lines elided: passing tests]` */
export function gapMarker(count: number, what: string): string {
  return `[filtered: ${count} ${count === 1 ? 'line' : 'lines'} elided: ${what}]`
}

/** For rows of one-line JSON, where no line goes: `[filtered: 250 rows elided: orders]` */
export function rowsMarker(count: number, what: string): string {
  return `[filtered: ${count} ${count === 1 ? 'row' : 'rows'} elided: ${what}]`
}

/** `[filtered: 120 characters cut by rule 3]`: stands in a line, behind what is left of it. */
export function cutMarker(count: number, by: string): string {
  return `[filtered: ${count} ${count === 1 ? 'character' : 'characters'} cut by ${by}]`
}

/** Default words for how to get the full output; `{id}` is replaced. */
export const DEFAULT_HINT = 'full output: {id}'
const NOT_STORED = 'full output not stored'

export interface Trailer {
  /** Gaps: input lines elided, and input lines in all. */
  readonly elided: number
  readonly lines: number
  /** Family or strategy that condensed. */
  readonly by: string
  /** Size of the raw output in UTF-16 units, and its estimated tokens. */
  readonly chars: number
  readonly tokens: number
  /** Where the raw output is stored; null where no store is configured. */
  readonly id: string | null
}

/**
 * The last line of a filtered output, with a checksum over itself and `body`, the text above it (without the LF between).
 * @param hint the caller's words, with `{id}`
 */
export function writeTrailer(trailer: Trailer, hint: string, body: string): string {
  const where = trailer.id === null ? NOT_STORED : wordsOf(hint).replaceAll('{id}', trailer.id)
  const open = `[filtered: ${trailer.elided} of ${trailer.lines} lines elided by ${trailer.by}; ${trailer.chars} chars, ${trailer.tokens} tokens; ${where}; sum `
  return `${open}${checksum(`${body}\n${open}`)}]`
}

/** One line; what would make the trailer unreadable (another id in it, or its own too often) gives way to the default. */
function wordsOf(words: string): string {
  const hint = oneLine(words)
  const parts = hint.split('{id}')
  return parts.length > 6 || ID_ANYWHERE.test(parts.join(' ')) ? DEFAULT_HINT : hint
}

const TRAILER =
  /^\[filtered: (\d+) of (\d+) lines elided by ([a-z][a-z0-9+-]*); (\d+) chars, (\d+) tokens; ([^\]\n]*); sum ([a-p]{8})\]$/

/** Reads the trailer of a text that ends in one, intact; null for any other text. */
export function readTrailer(text: string): Trailer | null {
  const end = text.endsWith('\n') ? text.length - 1 : text.length
  if (text.charCodeAt(end - 1) !== 0x5d) return null
  const start = text.lastIndexOf('\n', end - 1) + 1
  const line = text.slice(start, end)
  if (!line.startsWith('[filtered: ') || line.length > 2000) return null
  const match = TRAILER.exec(line)
  if (!match) return null
  const [, elided, lines, by, chars, tokens, where, sum] = match
  const body = text.slice(0, Math.max(0, start - 1))
  if (sum !== checksum(`${body}\n${line.slice(0, -9)}`)) return null
  const id = ID_ANYWHERE.exec(where ?? '')?.[0] ?? null
  return {
    elided: Number(elided),
    lines: Number(lines),
    by: by ?? '',
    chars: Number(chars),
    tokens: Number(tokens),
    id,
  }
}

/** Goes into a stub's checksum: another version's stubs are ordinary text. */
const STUB_VERSION = 'stub 1'
const STUB_OPEN = '<tool_output_masked '
const STUB_CLOSE = '\n</tool_output_masked>'

/** Default words in a stub for how to get the full output; `{id}` is replaced. */
export const DEFAULT_STUB_HINT = 'recall {id} for the full output'
const KEPT_BY_CALLER = 'preserved in your session history'

export interface Stub {
  /** Where the full output is stored; null where no store is configured. */
  readonly id: string | null
  readonly tool: string
  /** Size of what stood here: lines split at LF, UTF-16 units, estimated tokens. */
  readonly lines: number
  readonly chars: number
  readonly tokens: number
  /** Id of the call whose result, above, is the same, cut to what an attribute holds; null or absent for a masked result. */
  readonly same?: string | null
}

/** What may stand in a stub's `tool` attribute: names are the model's or the caller's words, the attribute is ours. */
function attribute(name: string): string {
  return name.replace(/[^A-Za-z0-9_.:/-]/g, '_').slice(0, 64)
}

/** A caller's words as one line that can't close the bracket around them, and that UTF-8 can hold. */
function oneLine(hint: string): string {
  return cutAt(hint.toWellFormed().replace(/[\]\r\n]/g, ' '), 300)
}

/**
 * What stands in a masked result's place; its checksum covers the text and the call's id.
 * @param preview a bounded extract, or empty
 * @param hint the caller's words, with `{id}`
 */
export function writeStub(stub: Stub, preview: string, hint: string, callId: string): string {
  const id = stub.id === null ? '' : `id="${stub.id}" `
  const same = typeof stub.same === 'string' ? attribute(stub.same) : null
  const open = `${STUB_OPEN}${id}tool="${attribute(stub.tool)}" lines="${stub.lines}" chars="${stub.chars}" tokens="${stub.tokens}" ${same === null ? '' : `same="${same}" `}sum="`
  const where = stub.id === null ? KEPT_BY_CALLER : oneLine(hint).replaceAll('{id}', stub.id)
  const size = stub.lines === 1 ? `${stub.chars} characters` : `${stub.lines} lines`
  const words =
    same === null ? `${size} masked` : `the same ${size} as the result above${same === '' ? '' : ` of call ${same}`}`
  const rest = `${preview === '' ? '' : `\n${preview}`}\n[${words}; ${where}]${STUB_CLOSE}`
  return `${open}${stubSum(open, rest, callId)}">${rest}`
}

function stubSum(open: string, rest: string, callId: string): string {
  return checksum(`${STUB_VERSION}\n${callId}\n${open}${rest}`)
}

const STUB =
  /^<tool_output_masked (?:id="(o_[a-z][a-p]{31})" )?tool="([^"\n]{0,64})" lines="(\d{1,15})" chars="(\d{1,15})" tokens="(\d{1,15})" (?:same="([^"\n]{0,64})" )?sum="([a-p]{8})">\n/

/** Reads a text that is, as a whole, a stub written for this call; null for any other text, also one that quotes a stub. */
export function readStub(text: string, callId: string): Stub | null {
  if (!text.startsWith(STUB_OPEN) || !text.endsWith(STUB_CLOSE)) return null
  const match = STUB.exec(text)
  if (!match) return null
  const [head, id, tool, lines, chars, tokens, same, sum] = match
  const open = head.slice(0, -'aaaaaaaa">\n'.length)
  if (sum !== stubSum(open, text.slice(head.length - 1), callId)) return null
  const size = { lines: Number(lines), chars: Number(chars), tokens: Number(tokens) }
  return { id: id ?? null, tool: tool ?? '', ...size, same: same ?? null }
}

const RECALL_ADDRESS = /\/v1\/outputs\/(o_[a-z][a-p]{31})\b/

/** The id in an address of a stored output (`https://host/v1/outputs/o_…`), wherever it stands in the text; else null. */
export function addressedOutput(text: string): string | null {
  return RECALL_ADDRESS.exec(text)?.[1] ?? null
}
