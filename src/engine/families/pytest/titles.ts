import { ruledTitle } from '../../test-names.ts'

const KNOWN_SECTION =
  /^(?:test session starts|ERRORS|FAILURES|PASSES|XFAILURES|XPASSES|warnings summary(?: \(final\))?|short test summary info|rerun test summary info|slowest (?:\d{1,9} )?durations|tests coverage|Hypothesis Statistics)$/
const VERDICT =
  /^(?:no tests ran|(?:\d{1,9} (?:failed|passed|skipped|deselected|xfailed|xpassed|warnings?|errors?|rerun|subtests passed|subtests failed)(?:, )?){1,12})(?: in \d.{0,60})?$/

/** The title of a section of the report, or null. Ruled lines that a test printed are none. */
export function sectionTitle(line: string): string | null {
  const title = ruledTitle(line, '=')
  return title !== null && KNOWN_SECTION.test(title) ? title : null
}

/** Whether a line is the run's last word: `=== 1 failed, 2 passed in 0.12s ===`, `3 passed in 0.42s` with `-q`. */
export function isVerdict(line: string): boolean {
  const title = ruledTitle(line, '=')
  return VERDICT.test(title ?? line) && (title !== null || / in \d/.test(line))
}

/** What a failure's heading says: `ERROR at setup of test_a` is of `test_a`. */
export interface Heading {
  readonly kind: 'FAILED' | 'ERROR'
  /** `at setup of`, `collecting`, or empty. */
  readonly phase: string
  readonly name: string
}

const PHASE = /^ERROR (at (?:setup|teardown) of|collecting|at call of) (.+)$/

export function readHeading(title: string): Heading {
  const phase = PHASE.exec(title)
  return phase
    ? { kind: 'ERROR', phase: phase[1] ?? '', name: phase[2] ?? '' }
    : { kind: 'FAILED', phase: '', name: title }
}
