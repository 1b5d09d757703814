import type { Family } from '../family.ts'
import { condenseByWindow } from '../strategies/window.ts'

/** What a CI runner (GitHub Actions, Azure Pipelines) writes before each line. */
const STAMP = /^\uFEFF?(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.\d{7}Z ?/

/** Estimated tokens for the kept lines, and of those for signals. */
const BUDGETS = { lines: 3600, signals: 2400 }

/** Logs of CI jobs: the stamps before each line go (first and last are said), the lines that tell most stay. */
export const ciLog: Family = {
  name: 'ci-log',
  commands: ['gh run view', 'glab ci trace'],
  decides: false,
  budgeted: true,
  detect(lines) {
    const sample = lines.slice(0, 100)
    const stamped = sample.filter((line) => STAMP.test(line)).length
    return sample.length >= 5 && stamped >= sample.length * 0.8
  },
  condense({ lines, facts }, draft) {
    let first = ''
    let last = ''
    const bare = lines.map((line) => {
      const stamp = STAMP.exec(line)
      if (!stamp?.[1]) return line
      if (first === '') first = stamp[1]
      last = stamp[1]
      return line.slice(stamp[0].length)
    })
    if (first === '') return null
    draft.restate(`times left out, from ${first}Z to ${last}Z`, [])
    condenseByWindow({ lines, facts }, BUDGETS, draft, bare)
    return 'ci-log'
  },
}
