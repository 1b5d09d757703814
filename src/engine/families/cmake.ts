import type { Family } from '../family.ts'
import { condenseBuildLog } from './build-log/condense.ts'

const CMAKE =
  /^CMake (?:Error|Warning|Deprecation Warning)(?: \(dev\))?(?: at |: )|^-- (?:Configuring (?:done|incomplete)|The \w{1,10} compiler identification is )|^\[ {0,2}\d{1,3}%\] (?:Building \w{1,10} object|Built target|Linking \w{1,10} )/
const SAMPLE = 300

/** cmake: what a configure step did not find, errors and warnings whole; and what its generators' builds print. */
export const cmake: Family = {
  name: 'cmake',
  commands: ['cmake'],
  decides: false,
  detect: (lines) =>
    lines.slice(0, SAMPLE).some((line) => CMAKE.test(line)) || lines.slice(-SAMPLE).some((line) => CMAKE.test(line)),
  condense: ({ lines }, draft) => (condenseBuildLog(lines, draft) ? 'cmake' : null),
}
