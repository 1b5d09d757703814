import { factKey } from './text/normal.ts'

/** `FAILED tests/a.py::test_b[x] - message`, `ERROR tests/a.py`, `ERROR at setup of test_b`. */
const LISTED =
  /^(?:FAILED|ERROR) (?:(?:at (?:setup|teardown|call) of|collecting) (\S.*)|(\S{1,500}\.py(?:::.+| - .+)?))$/
/** `tests/a.py::test_b FAILED  [  4%]`, and of a worker: `[gw0] [  4%] FAILED tests/a.py::test_b`. */
const REPORTED =
  /^(?:(\S.{0,1000}?::.{0,1000}?) (?:FAILED|ERROR)|\[gw\d{1,5}\] {1,3}\[ {0,3}\d{1,3}%\] (?:FAILED|ERROR) (\S.*?)) {0,300}(?:\[ {0,3}\d{1,3}%\])?$/
/** `____ TestA.test_b[x] ____`, `____ ERROR at setup of test_b ____`, `____ ERROR collecting tests/a.py ____`. */
const HEADED =
  /^_{1,200} (?:ERROR (?:at (?:setup|teardown|call) of|collecting) (\S.{0,1000}?)|((?:\S{0,500}\.)?[Tt]est\S.{0,1000}?)) _{1,200}$/

/** pytest's name for a test without its file: `tests/a.py::TestB::test_c[x]` is `TestB.test_c[x]` in headings. */
function withoutFile(id: string): string {
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

/**
 * The names by which a line of pytest says that a test failed: its id, and the name that headings give it.
 * @returns null for a line that says no such thing
 */
export function pytestFailure(line: string): readonly string[] | null {
  if (line.startsWith('_')) {
    const headed = HEADED.exec(line)
    const name = headed?.[1] ?? headed?.[2]
    return name === undefined ? null : [withoutMessage(name)]
  }
  const listed = LISTED.exec(line)
  const reported = listed ? null : line.includes('FAILED') || line.includes('ERROR') ? REPORTED.exec(line) : null
  const id = listed?.[1] ?? listed?.[2] ?? reported?.[1] ?? reported?.[2]
  if (id === undefined) return null
  const bare = withoutMessage(id)
  return [bare, withoutFile(bare)]
}

/** A test's name as it was written, and its last part alone where suites stand before it: `a.test.ts > suite > name`. */
export function namesOfTest(written: string): readonly string[] {
  const name = factKey(written).replace(/ ?\(\)$/, '')
  const at = Math.max(name.lastIndexOf(' > '), name.lastIndexOf(' › '))
  return at < 0 ? [name] : [name, name.slice(at + 3)]
}
