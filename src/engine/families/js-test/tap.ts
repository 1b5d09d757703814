import type { Fates } from '../../strategies/fates.ts'
import { foldJsFrames } from '../../strategies/js-frames.ts'

const POINT = /^(\s{0,60})(not )?ok \d{1,9}(?: - (.*))?$/
const SUBTEST = /^(\s{0,60})# Subtest: (.*)$/
const DIRECTIVE = / # (?:SKIP|TODO|skip|todo)\b/
const PLAN = /^\s{0,60}1\.\.\d{1,9}$/
const NOISE =
  /^\s{2,60}(?:duration_ms|type|failureType|code|operator): |^\s{2,60}signal: ~$|^(?:# duration_ms |TAP version )/
/** A frame in a `stack: |-` block, without `at`: `Test.run (node:internal/…)`. */
const FRAME =
  /^\s{4,60}(?:async )?(?:\S.{0,300} \()?(?:node:|file:\/\/\/\S{0,500}node_modules\/).{0,500}:\d{1,9}:\d{1,9}\)?$|^\s{4,60}async Promise\.all \(index \d{1,9}\)$|^\s{4,60}\S.{0,300} \(<anonymous>\)$/
const PASSING = 'passing tests'

/** Whether a text is in the Test Anything Protocol. */
export const isTap = (lines: readonly string[]): boolean =>
  lines.slice(0, 20).some((line) => /^TAP version \d{1,3}$/.test(line))

/** Folds a TAP stream: passing points go with their diagnostics, failing, skipped and todo points stay with theirs. */
export function foldTap(lines: readonly string[], fates: Fates): void {
  const opened = new Map<string, number>()
  foldJsFrames(lines, 0, lines.length, fates)
  for (let i = 0; i < lines.length; i += 1) {
    const line = lines[i] ?? ''
    const subtest = SUBTEST.exec(line)
    const point = subtest ? null : POINT.exec(line)
    if (subtest) opened.set(subtest[1] ?? '', i)
    else if (line.trim() === '' || PLAN.test(line) || NOISE.test(line)) fates.fold(i)
    else if (point) {
      const indent = point[1] ?? ''
      const title = opened.get(indent)
      const end = diagnosticsEnd(lines, i)
      const directive = DIRECTIVE.test(line)
      const passed = point[2] === undefined && !directive
      if (title !== undefined) {
        if (passed) fates.drop(title, PASSING)
        else fates.fold(title)
        opened.delete(indent)
      }
      if (passed) fates.dropRange(i, end, PASSING)
      else if (point[2] === undefined) for (let k = i + 1; k < end; k += 1) fates.fold(k)
      else {
        fates.group(i, end)
        foldDiagnostics(lines, i + 1, end, fates)
      }
      i = end - 1
    }
  }
}

/** The line after the YAML block that may follow a point. */
function diagnosticsEnd(lines: readonly string[], at: number): number {
  if (!/^\s{2,60}---$/.test(lines[at + 1] ?? '')) return at + 1
  const close = (lines[at + 1] ?? '').replace('---', '...')
  for (let i = at + 2; i < lines.length; i += 1) if (lines[i] === close) return i + 1
  return lines.length
}

function foldDiagnostics(lines: readonly string[], from: number, to: number, fates: Fates): void {
  for (let i = from; i < to; i += 1) {
    const line = lines[i] ?? ''
    if (line.trim() === '' || NOISE.test(line) || /^\s{2,60}(?:---|\.\.\.)$/.test(line)) fates.fold(i)
    else if (FRAME.test(line)) fates.drop(i, 'library frames')
  }
}
