import type { Family } from '../family.ts'
import { printsFiles } from './document.ts'
import { condenseJsonFrom, viewOfJson } from './json/condense.ts'
import { condenseHead, opensReply } from './json/http.ts'

/** How many lines may stand before the JSON: warnings, what was run. */
const MOST_BEFORE = 20

/**
 * JSON documents, JSON lines and HTTP replies. Lists of like objects become columns with every value as it came; other
 * documents lose their white space; JSON that is cut off is said to be.
 */
export const json: Family = {
  name: 'json',
  commands: ['curl', 'http', 'https', 'xh', 'gh api', 'glab api'],
  decides: false,
  detect: (lines) => /^\s*(?:[[{]\s*$|\{\s*"|\[\s*[[{"\d-])/.test(lines[0] ?? '') || opensReply(lines),
  condense({ lines, program }, draft) {
    if (opensReply(lines)) {
      const body = condenseHead(lines, draft)
      const strategy = condenseJsonFrom(lines, body, draft)
      if (strategy !== null) return strategy
      draft.keepRange(body, lines.length)
      return 'http'
    }
    const from = lines.slice(0, MOST_BEFORE).findIndex((line) => /^\s*[[{]/.test(line))
    if (from < 0) return null
    draft.keepRange(0, from)
    return condenseJsonFrom(lines, from, draft, printsFiles(program))
  },
  view: viewOfJson,
}
