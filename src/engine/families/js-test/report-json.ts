import { linesOfMessage } from '../../strategies/js-frames.ts'
import { listIn, memberOf, textOf } from '../../strategies/json-report.ts'

/** One test of a JSON report in jest's form, which vitest writes too. */
interface Result {
  readonly name: string
  readonly status: string
  readonly messages: readonly string[]
}

/** The report in a line, or null where it holds none. */
function parseReport(line: string): object | null {
  if (!line.startsWith('{') || !line.endsWith('}') || !line.includes('"numTotalTests":')) return null
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && Array.isArray(memberOf(value, 'testResults')) ? value : null
  } catch {
    return null
  }
}

export const isReport = (line: string): boolean => parseReport(line) !== null

/**
 * A report as text: the tool's own counts, then file by file the tests that failed, with their messages, and those that
 * did not run. Stack frames in packages go; passing tests are counted.
 * @param messages whether failures tell their messages; a report printed beside it may do so already
 * @returns null for a line that holds no report
 */
export function writeReport(line: string, messages: boolean): string | null {
  const report = parseReport(line)
  if (report === null) return null
  const counts = Object.entries(report).filter(
    ([key, value]) =>
      (key.startsWith('num') && typeof value === 'number') || key === 'success' || key === 'wasInterrupted',
  )
  const text = [counts.map(([key, value]) => `${key} ${value}`).join(', ')]
  text.push(...snapshotsOf(memberOf(report, 'snapshot')))
  for (const file of listIn(report, 'testResults')) text.push(...writeFile(file, messages))
  return text.join('\n')
}

function writeFile(file: unknown, messages: boolean): string[] {
  const text: string[] = []
  let passed = 0
  for (const entry of listIn(file, 'assertionResults')) {
    const result = readResult(entry)
    if (result.status === 'passed') passed += 1
    else {
      text.push(`${result.status}: ${result.name}`)
      if (messages) for (const message of result.messages) text.push(...shownLines(message))
    }
  }
  const whole = textOf(file, 'message')
  const failed = textOf(file, 'status') === 'failed'
  // A suite that did not load has a message and no tests that say it.
  if (failed && text.length === 0 && whole !== '') text.push(...shownLines(whole))
  if (text.length === 0 && !failed) return []
  return [
    `${textOf(file, 'name')} ${textOf(file, 'status')}${passed > 0 ? ` (${passed} passing tests left out)` : ''}`,
    ...text,
  ]
}

function readResult(entry: unknown): Result {
  return {
    name: textOf(entry, 'fullName') || textOf(entry, 'title'),
    status: textOf(entry, 'status'),
    messages: listIn(entry, 'failureMessages').filter((message) => typeof message === 'string'),
  }
}

const shownLines = (message: string): string[] => linesOfMessage(message).map((line) => `  ${line}`)

function snapshotsOf(snapshot: unknown): string[] {
  const unmatched = memberOf(snapshot, 'unmatched')
  const text = typeof unmatched === 'number' && unmatched > 0 ? [`snapshots unmatched ${unmatched}`] : []
  for (const file of listIn(snapshot, 'uncheckedKeysByFile')) {
    const keys = listIn(file, 'keys').filter((key) => typeof key === 'string')
    text.push(`obsolete snapshots of ${textOf(file, 'filePath')}: ${keys.join(', ')}`)
  }
  return text
}
