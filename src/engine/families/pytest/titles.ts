/** Reading pytest's ruled headings and its test ids. */

const KNOWN_SECTION =
  /^(?:test session starts|ERRORS|FAILURES|PASSES|XFAILURES|XPASSES|warnings summary(?: \(final\))?|short test summary info|rerun test summary info|slowest (?:\d{1,9} )?durations|tests coverage|Hypothesis Statistics)$/
const VERDICT =
  /^(?:no tests ran|(?:\d{1,9} (?:failed|passed|skipped|deselected|xfailed|xpassed|warnings?|errors?|rerun|subtests passed|subtests failed)(?:, )?){1,12})(?: in \d.{0,60})?$/

/** The title in a line ruled on both sides by `rule`: `=== FAILURES ===`; null for any other line. */
export function ruledTitle(line: string, rule: string): string | null {
  if (!line.startsWith(rule) || !line.endsWith(rule)) return null
  let from = 0
  let to = line.length
  while (from < to && line[from] === rule) from += 1
  while (to > from && line[to - 1] === rule) to -= 1
  if (line[from] !== ' ' || line[to - 1] !== ' ') return null
  const title = line.slice(from, to).trim()
  return title === '' || title.startsWith(`${rule} `) || title === rule ? null : title
}

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

/** How the report's sections call a test: `tests/a.py::TestB::test_c[x]` is `TestB.test_c[x]`. */
export function dottedName(id: string): string {
  const file = id.indexOf('::')
  if (file < 0) return id
  const bracket = id.indexOf('[', file)
  const end = bracket < 0 ? id.length : bracket
  return id.slice(file + 2, end).replaceAll('::', '.') + id.slice(end)
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
