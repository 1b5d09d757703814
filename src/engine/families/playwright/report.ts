import { foldCodeFrames } from '../../strategies/code-frame.ts'
import type { Fates } from '../../strategies/fates.ts'
import { foldJsFrames } from '../../strategies/js-frames.ts'

const FAILURE = /^ {2}\d{1,6}\) (\S.*?)(?: ─+)?$/
const RETRY = /^ {4}(Retry #\d{1,4}) ─+$/
const COUNT = /^ {2}\d{1,9} (?:passed|failed|flaky|skipped|did not run|interrupted)/
const LISTED = /^ {4}(\S.* › .*?)(?: ─+)?$/
const RESULT = /^ {2}([✓✘-]|ok|x) {1,6}\d{1,9} (\S.*)$/
const STARTED = /^ {2,8}\d{1,9} (?:\[|\S+ › )/
const LINE = /^\[\d{1,9}\/\d{1,9}\] /
const DOTS = /^[·×F±°T]{2,}$/
const TIME = / \(\d{1,9}(?:\.\d)?m?s\)$/
const AGAIN = / \(retry #\d{1,4}\)/
const CONTEXT = /^ {4}Error Context: /

/** Decides the fates of playwright's report. */
export function foldPlaywright(lines: readonly string[], fates: Fates): void {
  const titles = new Set<string>()
  let first = -1
  for (let i = 0; i < lines.length; i += 1) {
    const title = FAILURE.exec(lines[i] ?? '')?.[1]
    if (title === undefined) continue
    if (first < 0) first = i
    // A title may end in the steps that failed: the test's own name is a beginning of it.
    for (let at = title.indexOf(' › '); at >= 0; at = title.indexOf(' › ', at + 3)) titles.add(title.slice(0, at))
    titles.add(title)
  }
  let end = lines.findIndex((line) => COUNT.test(line))
  if (end < 0) end = lines.length
  foldProgress(lines, end, titles, fates)
  if (end === lines.length) keepUnfinished(lines, fates)
  foldFailures(lines, end, fates)
  for (let i = end; i < lines.length; i += 1) {
    const line = lines[i] ?? ''
    const name = LISTED.exec(line)?.[1]
    if (line.trim() === '') fates.fold(i)
    else if (name !== undefined) {
      if (titles.has(name)) fates.fold(i)
      else fates.say(i, `    ${name}`)
    }
  }
}

function foldProgress(lines: readonly string[], to: number, titles: ReadonlySet<string>, fates: Fates): void {
  let from = 0
  let told = false
  const skipped = new Set<string>()
  for (let i = 0; i < to; i += 1) {
    const line = lines[i] ?? ''
    if (FAILURE.test(line)) {
      if (!told) fates.group(from, i)
      told = true
      from = i
    }
    if (line.trim() === '') fates.fold(i)
    else if (DOTS.test(line) || LINE.test(line)) fates.drop(i, 'progress')
    else {
      const result = RESULT.exec(line)
      if (!result) {
        if (STARTED.test(line)) fates.drop(i, 'progress')
        continue
      }
      const name = (result[2] ?? '').replace(TIME, '').replace(AGAIN, '')
      if (titles.has(name)) fates.drop(i, 'repeats of the failures below')
      else if (result[1] === '✓' || result[1] === 'ok') fates.drop(i, 'passing tests')
      else if (skipped.has(name)) fates.fold(i)
      else {
        skipped.add(name)
        fates.say(i, `${result[1]} ${name}`)
      }
    }
  }
  if (!told) fates.group(0, to)
}

/** What alone tells of failures and of running tests in a run that was stopped. */
function keepUnfinished(lines: readonly string[], fates: Fates): void {
  const done = new Set<string>()
  let last = -1
  lines.forEach((line, i) => {
    const name = RESULT.exec(line)?.[2]?.replace(TIME, '')
    if (name !== undefined) done.add(name)
    if (LINE.test(line)) last = i
    if (DOTS.test(line) && /[×F±T]/.test(line)) fates.keep(i)
  })
  if (last >= 0) fates.keep(last)
  const open = new Map<string, number>()
  lines.forEach((line, i) => {
    const name = STARTED.test(line) ? line.replace(/^ {2,8}\d{1,9} /, '').trimEnd() : null
    if (name !== null && !done.has(name)) open.set(name, i)
  })
  for (const i of open.values()) fates.keep(i)
}

/** Failures under `1) title`, each with its retries. */
function foldFailures(lines: readonly string[], to: number, fates: Fates): void {
  for (let i = 0; i < to; ) {
    const title = FAILURE.exec(lines[i] ?? '')?.[1]
    if (title === undefined) {
      i += 1
      continue
    }
    let end = i + 1
    while (end < to && !FAILURE.test(lines[end] ?? '')) end += 1
    fates.say(i, `  ${/^ {2}\d{1,6}\)/.exec(lines[i] ?? '')?.[0].trim()} ${title}`)
    fates.group(i + 1, end)
    foldTries(lines, i + 1, end, fates)
    i = end
  }
}

function foldTries(lines: readonly string[], from: number, to: number, fates: Fates): void {
  const bodies = new Set<string>()
  for (let i = from; i < to; ) {
    let end = i + 1
    while (end < to && !RETRY.test(lines[end] ?? '')) end += 1
    const retry = RETRY.exec(lines[i] ?? '')?.[1]
    const start = retry === undefined ? i : i + 1
    const body = lines
      .slice(start, end)
      .filter((line) => line.trim() !== '' && !CONTEXT.test(line) && !LINE.test(line))
      .join('\n')
    if (retry !== undefined && bodies.has(body)) {
      fates.say(i, `    ${retry}: the same`)
      for (let k = start; k < end; k += 1) if (!LINE.test(lines[k] ?? '')) fates.fold(k)
    } else {
      bodies.add(body)
      if (retry !== undefined) fates.say(i, `    ${retry}`)
      foldCodeFrames(lines, start, end, fates)
      foldJsFrames(lines, start, end, fates)
    }
    i = end
  }
}
