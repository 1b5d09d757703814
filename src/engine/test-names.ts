import { factKey } from './text/normal.ts'

/** `FAILED tests/a.py::test_b[x] - message`, `ERROR tests/a.py`, `ERROR at setup of test_b`. */
const LISTED =
  /^(?:FAILED|ERROR) (?:(?:at (?:setup|teardown|call) of|collecting) (\S.*)|(\S{1,500}\.py(?:::.+| - .+)?))$/
const PHASE = /^ERROR (?:at (?:setup|teardown|call) of|collecting) /
const WORKER = /^\[gw\d{1,5}\] {1,3}\[ {0,3}\d{1,3}%\] (?:FAILED|ERROR) /
const PERCENT = / {1,300}\[ {0,3}\d{1,3}%\]$/
const STATUS = / (?:FAILED|ERROR)$/

/** pytest's name for a test without its file: `tests/a.py::TestB::test_c[x]` is `TestB.test_c[x]` in headings. */
export function withoutFile(id: string): string {
  const file = id.indexOf('::')
  if (file < 0) return id
  const bracket = id.indexOf('[', file)
  const end = bracket < 0 ? id.length : bracket
  return id.slice(file + 2, end).replaceAll('::', '.') + id.slice(end)
}

function withoutMessage(id: string): string {
  const dash = id.indexOf(' - ')
  return dash < 0 ? id : id.slice(0, dash)
}

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

/** `____ TestA.test_b[x] ____`, `____ ERROR at setup of test_b ____`, `____ ERROR collecting tests/a.py ____`. */
function headed(line: string): readonly string[] | null {
  const title = ruledTitle(line, '_')
  if (title === null) return null
  const phase = PHASE.exec(title)
  if (phase) return [withoutMessage(title.slice(phase[0].length))]
  return /^(?:\S{0,500}\.)?[Tt]est/.test(title) ? [withoutMessage(title)] : null
}

/** `tests/a.py::test_b FAILED  [  4%]`, and of a worker: `[gw0] [  4%] FAILED tests/a.py::test_b`. */
function reported(line: string): string | null {
  const worker = WORKER.exec(line)
  if (worker) return line.slice(worker[0].length).trimEnd()
  const bare = line.replace(PERCENT, '')
  const status = bare === line ? null : STATUS.exec(bare)
  const id = status ? bare.slice(0, status.index) : ''
  return id.includes('::') ? id : null
}

/**
 * The names by which a line of pytest says that a test failed: its id, and the name that headings give it.
 * @returns null for a line that says no such thing
 */
export function pytestFailure(line: string): readonly string[] | null {
  if (line.startsWith('_')) return headed(line)
  if (!line.includes('FAILED') && !line.includes('ERROR')) return null
  const listed = LISTED.exec(line)
  const id = listed?.[1] ?? listed?.[2] ?? reported(line)
  if (id === null) return null
  const bare = withoutMessage(id)
  return [bare, withoutFile(bare)]
}

/** A test's name as it was written, and its last part alone where suites stand before it: `a.test.ts > suite > name`. */
export function namesOfTest(written: string): readonly string[] {
  const name = factKey(written).replace(/ ?\(\)$/, '')
  const at = Math.max(name.lastIndexOf(' > '), name.lastIndexOf(' › '))
  return at < 0 ? [name] : [name, name.slice(at + 3)]
}
