import type { Draft } from '../draft.ts'
import type { Family } from '../family.ts'

const WARNED = /^\[warn\] (\S.*)$/
/** The frame of source below a file that does not parse. */
const EXCERPT = /^\[error\] +(?:>? *\d{1,9} \||\|)/
const WRITTEN = /^(\S.*) \d{1,9}ms( \((?:unchanged|cached)\)| \(unchanged\) \(cached\))?$/
const OUTCOME =
  /^(?:\[warn\] )?(?:All matched files use Prettier code style!|Code style issues (?:found|fixed) in |Error occurred when checking code style in )/

/** `prettier --check`, `--write`, `--list-different`: every file that differs or fails by name; unchanged ones go. */
export const prettier: Family = {
  name: 'prettier',
  commands: ['prettier'],
  decides: false,
  detect: (lines) => lines.slice(-5).some((line) => OUTCOME.test(line)),
  condense({ lines }, draft) {
    for (let i = 0; i < lines.length; ) {
      const run = runOf(lines, i)
      if (run > 2) {
        writeWarned(lines, i, i + run, draft)
        i += run
        continue
      }
      const line = lines[i] ?? ''
      const written = WRITTEN.exec(line)
      if (EXCERPT.test(line)) draft.elide('source excerpts', [i])
      else if (written?.[2]) draft.elide('unchanged files', [i])
      else if (written?.[1]) draft.restate(written[1], [i])
      else draft.keep(i)
      i += 1
    }
    return 'prettier'
  },
  view: (line) => (EXCERPT.test(line) ? '' : line),
}

/** How many lines from `at` on name a file that is not formatted. */
function runOf(lines: readonly string[], at: number): number {
  let end = at
  while (WARNED.test(lines[end] ?? '') && !OUTCOME.test(lines[end] ?? '')) end += 1
  return end - at
}

function writeWarned(lines: readonly string[], from: number, to: number, draft: Draft): void {
  draft.restate(`[warn] ${to - from} files:`, [])
  for (let i = from; i < to; i += 1) draft.restate(` ${WARNED.exec(lines[i] ?? '')?.[1]}`, [i])
}
