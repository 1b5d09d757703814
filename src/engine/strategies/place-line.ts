/** A line that names a place and says something of it. */
export interface PlaceLine {
  readonly path: string
  /** `12:3` or `12`. */
  readonly place: string
  readonly text: string
}

/** The path may hold spaces and a drive letter; it ends before the first colon with a number behind it. */
const PLACE_LINE = /^((?:[A-Za-z]:)?[^\s:][^:]{0,400}):(\d{1,9}(?::\d{1,9})?): ?(\S.*)$/

/** Reads `path:12:3: text` and `path:12: text`, as most compilers and linters write a finding; null for any other line. */
export function readPlaceLine(line: string): PlaceLine | null {
  const match = PLACE_LINE.exec(line)
  return match?.[1] && match[2] && match[3] ? { path: match[1], place: match[2], text: match[3] } : null
}
