import type { SearchForm } from './options.ts'

/** A line of a search's output that quotes a line of a file. */
export interface Hit {
  /** Empty where the output names no file. */
  readonly path: string
  /** The line's number; empty where the output gives none. */
  readonly place: string
  /** `:` for a line that matches, `-` for context around it. */
  readonly sign: ':' | '-'
  readonly text: string
}

/** `path:12:text`; a path may hold colons, but the first number between two is taken for the line's. */
const HIT = /^([^:\0][^\0]{0,1000}?):(\d{1,9}):/
const ONE_FILE = /^(\d{1,9})([:-])/
/** Text is searched for a path's end so far. */
const HEAD = 1100
/** More numbers between dashes than this are not tried as the end of a context line's path. */
const TRIES = 8

/** Messages of the program's own: what can't be read, what is binary. */
export const OWN_MESSAGE =
  /^(?:(?:[ef]?grep|zgrep|rg|ripgrep|ag|ack|git|fatal|error|warning): |Binary file .{1,1000} matches$)/

const CONTEXT = /^[^\s:]{1,1000}?-\d{1,9}-/
/** Longer than any program's own message: what matches in a file. */
const LONG = 300

/** Whether a line reads as a quoted one of whatever form; what no form tells apart from its surroundings is none. */
export function looksQuoted(line: string): boolean {
  if (OWN_MESSAGE.test(line)) return false
  if (line.length > LONG || line.startsWith('{"')) return true
  return HIT.test(line) || ONE_FILE.test(line) || CONTEXT.test(line) || unnumberedPath(line) !== ''
}

/**
 * Reads an output in the form that its arguments name. Where they leave it open, the form that reads most lines, and
 * numbers are places only where they rise through each file: times and dates stand at the beginning of many a line.
 */
export function readSearch(lines: readonly string[], { numbered, context }: SearchForm): (Hit | null)[] {
  const forms: (Hit | null)[][] = []
  if (numbered !== false) {
    const placed = [readHits(lines, context !== false), readOneFile(lines, context !== false)]
    forms.push(...(numbered === true ? placed : placed.filter((hits) => arePlaces(lines, hits))))
  }
  const unnumbered = readUnnumbered(lines)
  // Without numbers nothing tells the path of a line of context from its text.
  const read = context === true && numbered !== true ? unnumbered.map(() => null) : unnumbered
  if (numbered === true) forms.push(read)
  else forms.unshift(read)
  return forms.reduce((best, hits) => (countOf(hits) > countOf(best) ? hits : best))
}

const countOf = (hits: readonly (Hit | null)[]): number =>
  hits.reduce((count, hit) => count + (hit === null ? 0 : 1), 0)

/** `12:30:00`, `2024-01-01`: what a log's line begins with. */
const TIME = /^(?:\d{1,2}:\d{2}\b|\d{4}[-/]\d{2}[-/]\d{2})/

/** Whether the numbers of a reading rise within each file, and are not for the most part times or dates. */
function arePlaces(lines: readonly string[], hits: readonly (Hit | null)[]): boolean {
  let path: string | null = null
  let last = -1
  let times = 0
  for (const [i, hit] of hits.entries()) {
    if (hit === null) {
      path = null
      continue
    }
    const place = Number(hit.place)
    if (hit.path === path && place <= last) return false
    path = hit.path
    last = place
    const line = lines[i] ?? ''
    if (TIME.test(line.slice(line.length - hit.text.length - hit.place.length - 1))) times += 1
  }
  return times * 2 <= countOf(hits)
}

/** Reads each line: hits `path:12:text`, context between them `path-11-text`; null for any other line. */
function readHits(lines: readonly string[], context: boolean): (Hit | null)[] {
  const hits = lines.map((line): Hit | null => {
    if (OWN_MESSAGE.test(line) || ONE_FILE.test(line)) return null
    const match = HIT.exec(line.slice(0, HEAD))
    if (!match?.[1] || !match[2]) return null
    return { path: match[1], place: match[2], sign: ':', text: line.slice(match[0].length) }
  })
  if (!context) return hits
  const paths = new Set(hits.flatMap((hit) => (hit === null ? [] : [hit.path])))
  return hits.map((hit, i) => hit ?? readContext(lines[i] ?? '', paths))
}

function readContext(line: string, paths: ReadonlySet<string>): Hit | null {
  const pattern = /-(\d{1,9})-/g
  const head = line.slice(0, HEAD)
  for (let tries = 0; tries < TRIES; tries += 1) {
    const match = pattern.exec(head)
    if (!match?.[1]) return null
    const path = head.slice(0, match.index)
    const end = match.index + match[0].length
    if (paths.has(path)) return { path, place: match[1], sign: '-', text: line.slice(end) }
    // The dash that ends one number may begin the next.
    pattern.lastIndex = end - 1
  }
  return null
}

/** Reads the output of a search in one file, `12:text`; null for any other line. */
function readOneFile(lines: readonly string[], context: boolean): (Hit | null)[] {
  return lines.map((line) => {
    const match = ONE_FILE.exec(line)
    if (!match?.[1] || (match[2] === '-' && !context)) return null
    return { path: '', place: match[1], sign: match[2] === '-' ? '-' : ':', text: line.slice(match[0].length) }
  })
}

/** An address, a version or a date. */
const NO_PATH = /^(?:[\d.]+$|\d{4}[-/.]\d{2}[-/.]\d{2})/

/** What stands before the first colon, where it looks like a path; else empty. */
function unnumberedPath(line: string): string {
  const path = line.slice(0, Math.max(0, line.slice(0, HEAD).indexOf(':')))
  return /[./]/.test(path) && !/[\s"'`(){}=;,<>]/.test(path) && !NO_PATH.test(path) ? path : ''
}

/** Reads an output without numbers, `path:text`: a path looks like one and stands before two lines or more in a row. */
function readUnnumbered(lines: readonly string[]): (Hit | null)[] {
  const paths = lines.map((line) => (OWN_MESSAGE.test(line) ? '' : unnumberedPath(line)))
  return lines.map((line, i) => {
    const path = paths[i] ?? ''
    if (path === '' || (paths[i - 1] !== path && paths[i + 1] !== path)) return null
    return { path, place: '', sign: ':', text: line.slice(path.length + 1) }
  })
}
