import { linesOfMessage } from '../../strategies/js-frames.ts'
import { listIn, memberOf, textOf } from '../../strategies/json-report.ts'

const EXCERPT = /^\s{0,40}\d{1,7} \||^\s{0,60}\|[\s^]*$/

/**
 * Playwright's JSON report as text: its own counts, then each test that did not pass at its first try, with the errors of
 * its tries. Passing tests are counted.
 * @returns null where the output is no such report
 */
export function readJsonReport(lines: readonly string[]): string | null {
  if (lines[0] !== '{' && !(lines.length === 1 && lines[0]?.startsWith('{'))) return null
  let report: unknown
  try {
    report = JSON.parse(lines.join('\n'))
  } catch {
    return null
  }
  const stats = memberOf(report, 'stats')
  if (!Array.isArray(memberOf(report, 'suites')) || typeof stats !== 'object' || stats === null) return null
  const counts = Object.entries(stats).filter(([key]) => key !== 'startTime')
  const text = [counts.map(([key, value]) => `"${key}": ${JSON.stringify(value)}`).join(', ')]
  for (const error of listIn(report, 'errors')) text.push(...shownLines(textOf(error, 'message'), ''))
  const found = { passed: 0, text }
  for (const suite of listIn(report, 'suites')) writeSuite(suite, [], found)
  text.push(`(${found.passed} passing tests left out)`)
  return text.join('\n')
}

function writeSuite(suite: unknown, parents: readonly string[], found: { passed: number; text: string[] }): void {
  const path = [...parents, textOf(suite, 'title')]
  for (const spec of listIn(suite, 'specs')) {
    for (const test of listIn(spec, 'tests')) {
      const status = textOf(test, 'status')
      if (status === 'expected' && listIn(test, 'results').every((result) => textOf(result, 'status') === 'passed')) {
        found.passed += 1
        continue
      }
      const place = `${textOf(spec, 'file')}:${String(memberOf(spec, 'line'))}:${String(memberOf(spec, 'column'))}`
      const project = textOf(test, 'projectName')
      const title = [...path.slice(1), textOf(spec, 'title')].join(' › ')
      found.text.push(`${status}: ${project === '' ? '' : `[${project}] › `}${place} › ${title}`)
      writeTries(test, found.text)
    }
  }
  for (const child of listIn(suite, 'suites')) writeSuite(child, path, found)
}

function writeTries(test: unknown, text: string[]): void {
  const said = new Set<string>()
  for (const note of listIn(test, 'annotations')) {
    const description = textOf(note, 'description')
    text.push(`  ${textOf(note, 'type')}${description === '' ? '' : `: ${description}`}`)
  }
  listIn(test, 'results').forEach((result, k) => {
    const errors = listIn(result, 'errors').map((error) => shownLines(textOf(error, 'message'), '  ').join('\n'))
    const body = errors.join('\n')
    const head = `  ${k === 0 ? 'first try' : `retry #${k}`}: ${textOf(result, 'status')}`
    const place = memberOf(result, 'errorLocation')
    const at =
      place === undefined
        ? ''
        : ` at ${textOf(place, 'file')}:${String(memberOf(place, 'line'))}:${String(memberOf(place, 'column'))}`
    if (body !== '' && said.has(body)) text.push(`${head}, the same`)
    else {
      said.add(body)
      text.push(`${head}${at}`)
      if (body !== '') text.push(body)
    }
  })
}

function shownLines(message: string, indent: string): string[] {
  return linesOfMessage(message)
    .filter((line) => !EXCERPT.test(line))
    .map((line) => `${indent}  ${line}`)
}
