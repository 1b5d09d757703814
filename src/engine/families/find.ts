import type { Family } from '../family.ts'
import { headingOfPaths, type Named, writePaths } from '../strategies/paths.ts'
import { linesOfFacts } from '../strategies/quoted-lines.ts'

const OWN = /^(?:find|fd|fdfind|\[fd error\]|fatal|error|warning): |^\[fd error\]/
/** Actions whose output is no list of paths. */
const OTHER_OUTPUT =
  /^-(?:exec|execdir|ok|okdir|printf|ls|print0|fprint.*|x|X|-exec|-exec-batch|l|-list-details|0|-print0|-format|s|-stage|z)$/

/** `find` and other lists of paths: each folder once, every name. */
export const find: Family = {
  name: 'find',
  commands: ['find', 'fd', 'fdfind', 'git ls-files'],
  decides: false,
  detect: () => false,
  condense({ lines, program, facts }, draft) {
    if (program?.args.some((arg) => OTHER_OUTPUT.test(arg))) return null
    const messages = linesOfFacts(facts())
    const paths: Named[] = []
    const told: number[] = []
    for (const [line, name] of lines.entries()) {
      if (OWN.test(name) || messages.has(line)) told.push(line)
      else if (name.trim() === '' || name.length > 4096 || name.includes('\0')) return null
      else paths.push({ name, line })
    }
    draft.restate(headingOfPaths(paths, 'paths'), [])
    writePaths(paths, draft)
    for (const line of told) draft.keep(line)
    return 'find'
  },
}
