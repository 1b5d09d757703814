import type { LineTest } from '../engine/strategies/line-rules.ts'
import { showLine } from '../engine/text/terminal.ts'
import { cutLine } from './cut-line.ts'
import type { Pace } from './pace.ts'

export interface SearchOptions {
  /** Whether a line, without its end, matches. */
  readonly matches: LineTest
  /** Lines shown before and after each match. */
  readonly context: number
  /** Matching lines after which the search ends. */
  readonly max: number
  /** Numbers, from 1, of the first and of the last line that come in. */
  readonly firstLine: number
  readonly lastLine: number
  /** Without one, the search neither pauses nor ends before its end, and takes the pattern for a cheap one. */
  readonly pace?: Pace
}

/** One line alone takes longer than a search may take: it is not the store that is slow, but the pattern. */
export class CostlyPattern extends Error {
  override readonly name = 'CostlyPattern'
}

export interface SearchResult {
  /** As `grep -n` prints it: `12:` before a line that matches, `12-` before one of context, `--` between groups. */
  readonly text: string
  /** Matching lines that are shown. */
  readonly matches: number
  /** Shown lines of which a part is left out, and says so. */
  readonly cut: number
  /** The last line that was searched. */
  readonly searchedTo: number
  /** True where the search ended at a limit: behind `searchedTo` nothing was looked at. */
  readonly truncated: boolean
}

/** Bytes of a line that are matched in one piece: a longer line would have to be held whole. */
const PIECE = 1024 * 1024
/** A piece is smaller where the pattern is large, so that none takes long: it has this many steps, and so many bytes at least. */
const PIECE_STEPS = PIECE
const SMALLEST_PIECE = 8192
/** Bytes that two pieces of a line share: a match up to this length is found wherever it stands. */
const OVERLAP = 4096
/** UTF-16 units of a result, after which the search ends. */
const MAX_CHARS = 1024 * 1024
const LF = 10

/**
 * Searches an output line by line while it comes in; holds the lines of context and one line, or one piece of it.
 * A line is matched and shown as a terminal shows it; where only its raw text matches (an escape sequence, text
 * overwritten since), that is shown. Ends as soon as it has seen `max` matches and the context after the last, or behind
 * a line when its time is over.
 * @param parts UTF-8, cut anywhere; bytes that are none become U+FFFD
 * @throws CostlyPattern when the time is over within the first line
 */
export async function searchLines(parts: AsyncIterable<Uint8Array>, options: SearchOptions): Promise<SearchResult> {
  const { pace, firstLine } = options
  const report = createReport(options)
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const piece = Math.min(PIECE, Math.max(SMALLEST_PIECE, Math.floor(PIECE_STEPS / (pace?.cost ?? 1))))
  let carry: Uint8Array = new Uint8Array(0)
  /** Bytes of the line that went out in pieces before the carry. */
  let before = 0
  /** The time is over within a line: what was searched ends before it. */
  let late = false

  async function take(text: string, isLast: boolean): Promise<void> {
    report.take(text, before, isLast)
    if (pace?.isDue(text.length)) await pace.rest()
    if (isLast || !pace?.isOver()) return
    if (report.searchedTo() < firstLine) throw new CostlyPattern()
    late = true
  }

  /** Takes pieces of a line until one piece or less is left. */
  async function takePieces(line: Uint8Array): Promise<Uint8Array> {
    let from = 0
    while (!late && line.length - from > piece) {
      const to = boundary(line, from + piece)
      await take(decoder.decode(line.subarray(from, to)), false)
      const next = boundary(line, to - OVERLAP)
      before += next - from
      from = next
    }
    return from === 0 ? line : line.slice(from)
  }

  for await (const part of parts) {
    const lf = part.lastIndexOf(LF)
    if (lf >= 0) {
      for (const line of decoder.decode(join(carry, part.subarray(0, lf))).split('\n')) {
        const rest = line.length > piece ? decoder.decode(await takePieces(new TextEncoder().encode(line))) : line
        if (late) return report.end()
        await take(rest, true)
        before = 0
        if (report.isDone() || pace?.isOver()) return report.end()
      }
      carry = part.slice(lf + 1)
    } else carry = join(carry, part)
    carry = await takePieces(carry)
    if (late) return report.end()
  }
  if (carry.length > 0) await take(decoder.decode(carry), true)
  return report.end()
}

/** The place itself, or the beginning of the UTF-8 character that it lies in. */
function boundary(bytes: Uint8Array, at: number): number {
  for (let back = 0; back < 4; back += 1) if (((bytes[at - back] ?? 0) & 0xc0) !== 0x80) return at - back
  return at
}

function join(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (first.length === 0) return second
  const joined = new Uint8Array(first.length + second.length)
  joined.set(first)
  joined.set(second, first.length)
  return joined
}

/** A line as it is shown, and whether a part of it is left out. */
interface Shown {
  readonly text: string
  readonly cut: boolean
}

/** Takes lines in order and writes down those that belong to the result. */
function createReport({ matches, context, max, firstLine, lastLine }: SearchOptions) {
  const rows: string[] = []
  /** Lines that are context if a match follows. */
  const waiting: Shown[] = []
  let chars = 0
  let found = 0
  let cut = 0
  /** Lines of context still to come after the last match. */
  let after = 0
  let number = firstLine
  let printed = 0
  let missed = false
  /** Of a line that comes in pieces: whether one of them was shown, and how it begins. */
  let shown = false
  let beginning: Shown | null = null

  function print(at: number, sign: ':' | '-', line: Shown): void {
    if (context > 0 && printed > 0 && at > printed + 1) rows.push('--')
    if (line.cut) cut += 1
    rows.push(`${at}${sign}${line.text}`)
    chars += line.text.length + 10
    printed = at
  }

  /** The form of a line that matches; null where none does. */
  function matching(raw: string, terminal: string): string | null {
    if (matches(terminal)) return terminal
    return terminal !== raw && matches(raw) ? raw : null
  }

  return {
    /**
     * @param bytesBefore of a piece of a line: the bytes of it that came before
     * @param isLast false where a piece of a line is not its last one
     */
    take(raw: string, bytesBefore: number, isLast: boolean): void {
      const terminal = showLine(raw)
      const match = shown ? null : matching(raw, terminal)
      const isWhole = bytesBefore === 0 && isLast
      if (match !== null && found >= max) missed = true
      else if (match !== null) {
        for (const [place, line] of waiting.entries()) print(number - waiting.length + place, '-', line)
        waiting.length = 0
        print(number, ':', show(match, bytesBefore, isWhole, matches))
        found += 1
        shown = true
        after = context
      }
      if (bytesBefore === 0 && !isLast) beginning = show(terminal, 0, false, null)
      if (!isLast || missed) return
      if (!shown && context > 0) {
        const line = beginning ?? show(terminal, 0, isWhole, null)
        if (after > 0) {
          print(number, '-', line)
          after -= 1
        } else {
          if (waiting.length === context) waiting.shift()
          waiting.push(line)
        }
      }
      shown = false
      beginning = null
      number += 1
    },
    searchedTo: () => number - 1,
    isDone: () => missed || chars >= MAX_CHARS || (found >= max && after === 0),
    end(): SearchResult {
      const searchedTo = number - 1
      const text = rows.length === 0 ? '' : `${rows.join('\n')}\n`
      return { text, matches: found, cut, searchedTo, truncated: missed || searchedTo < lastLine }
    },
  }
}

function show(line: string, bytesBefore: number, isWhole: boolean, matches: LineTest | null): Shown {
  const text = cutLine(line, bytesBefore, isWhole, matches)
  return { text, cut: text !== line }
}
