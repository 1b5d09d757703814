import type { Draft } from '../../draft.ts'

/** `HTTP/1.1 200 OK`, also behind the `< ` of `curl -v`. */
const STATUS = /^(?:< )?HTTP\/\d(?:\.\d)? \d{3}\b/
const HEADER = /^(?:< )?([A-Za-z][\w-]{0,80}): ?.*$/
/** What a reader acts on: the rest is counted. */
const TOLD =
  /^(?:content-type|location|retry-after|.*rate-?limit.*|www-authenticate|.*error.*|.*request-id|link|etag|allow|warning|x-total.*|deprecation|sunset)$/i
const TALK =
  /^(?:\* |[{}] \[\d+ bytes data\]|> |<\s*$|>\s*$| {2}% Total {4}%|\s+Dload {2}Upload|[ \d]{3} [ \d.kMG]{5} {1,2}[ \d]{3} )/

export const opensReply = (lines: readonly string[]): boolean =>
  STATUS.test(lines[0] ?? '') || lines.slice(0, 60).some((line) => STATUS.test(line) && line.startsWith('< '))

/**
 * The head of an HTTP reply (of each, where redirects were followed): status line and telling headers stay.
 * @returns the line on which the body begins
 */
export function condenseHead(lines: readonly string[], draft: Draft): number {
  let at = 0
  let inHead = false
  for (; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    const header = HEADER.exec(line)
    if (STATUS.test(line)) {
      inHead = true
      draft.keep(at)
    } else if (TALK.test(line)) {
      // What curl says of a failed connection is all there is to learn.
      if (
        /^\* .*(?:fail|refused|timed out|could not|error|unable|expire|denied)/i.test(line) ||
        /^> [A-Z]+ \S+ HTTP/.test(line)
      )
        draft.keep(at)
      else draft.elide('headers', [at])
    } else if (inHead && header?.[1] !== undefined) {
      if (TOLD.test(header[1])) draft.keep(at)
      else draft.elide('headers', [at])
    } else if (inHead && line === '') {
      draft.elide('headers', [at])
      if (!STATUS.test(lines[at + 1] ?? '') && !TALK.test(lines[at + 1] ?? '')) return at + 1
    } else return at
  }
  return at
}
