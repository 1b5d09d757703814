import type { Family } from '../family.ts'
import { condenseBuildLog } from './build-log/condense.ts'

const NINJA = /^ninja: (?:build stopped|error: |no work to do|fatal: |Entering directory )/
const STEP =
  /^\[(\d{1,7})\/(\d{1,7})\] (?:(?:Building|Linking) [A-Z]+ \w+ |Generating \S|Re-running |\S{0,300}\/(?:cc|c\+\+|gcc|g\+\+|clang|clang\+\+|ar)\b|: && )/
const SAMPLE = 300

/** ninja: each failed step with its command and output stays, the other steps go, counted. */
export const ninja: Family = {
  name: 'ninja',
  commands: ['ninja', 'ninja-build', 'samu'],
  decides: false,
  detect(lines) {
    const sample = [...lines.slice(0, SAMPLE), ...lines.slice(-SAMPLE)]
    return sample.some((line) => NINJA.test(line)) || sample.filter((line) => STEP.test(line)).length >= 4
  },
  condense: ({ lines }, draft) => (condenseBuildLog(lines, draft) ? 'ninja' : null),
}
