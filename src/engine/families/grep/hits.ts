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

/** Reads each line: hits `path:12:text`, context between them `path-11-text`; null for any other line. */
export function readHits(lines: readonly string[]): (Hit | null)[] {
  const hits = lines.map((line): Hit | null => {
    if (OWN_MESSAGE.test(line) || ONE_FILE.test(line)) return null
    const match = HIT.exec(line.slice(0, HEAD))
    if (!match?.[1] || !match[2]) return null
    return { path: match[1], place: match[2], sign: ':', text: line.slice(match[0].length) }
  })
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
export function readOneFile(lines: readonly string[]): (Hit | null)[] {
  return lines.map((line) => {
    const match = ONE_FILE.exec(line)
    if (!match?.[1]) return null
    return { path: '', place: match[1], sign: match[2] === '-' ? '-' : ':', text: line.slice(match[0].length) }
  })
}

/** What stands before the first colon, where it looks like a path; else empty. */
function unnumberedPath(line: string): string {
  const path = line.slice(0, Math.max(0, line.slice(0, HEAD).indexOf(':')))
  return /[./]/.test(path) && !/[\s"'`(){}=;,<>]/.test(path) ? path : ''
}

/** Reads an output without numbers, `path:text`: a path looks like one and stands before two lines or more in a row. */
export function readUnnumbered(lines: readonly string[]): (Hit | null)[] {
  const paths = lines.map((line) => (OWN_MESSAGE.test(line) ? '' : unnumberedPath(line)))
  return lines.map((line, i) => {
    const path = paths[i] ?? ''
    if (path === '' || (paths[i - 1] !== path && paths[i + 1] !== path)) return null
    return { path, place: '', sign: ':', text: line.slice(path.length + 1) }
  })
}
