import type { Family } from '../family.ts'
import { condenseBuildLog } from './build-log/condense.ts'

const MAKE =
  /^(?:\S{0,300}\/)?g?make(?:\[\d{1,3}\])?: (?:\*\*\* |Entering directory |Leaving directory |Nothing to be done for |Target '|'.{1,4000}' is up to date\.)/
const SAMPLE = 300

/** make: the failing target with its output and make's own words stay, commands go, counted. */
export const make: Family = {
  name: 'make',
  commands: ['make', 'gmake'],
  decides: false,
  detect: (lines) =>
    lines.slice(0, SAMPLE).some((line) => MAKE.test(line)) || lines.slice(-SAMPLE).some((line) => MAKE.test(line)),
  condense: ({ lines }, draft) => (condenseBuildLog(lines, draft) ? 'make' : null),
}
