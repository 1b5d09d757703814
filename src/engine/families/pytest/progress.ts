import type { Fates } from '../../strategies/fates.ts'

const PERCENT = / {1,300}\[ {0,3}(?:\d{1,3}%|\d{1,9}\/\d{1,9}|\d[\d.]{0,9}m?s)\]$/
const LETTERS = /^(?:(\S{1,500}\.\w{1,8}) )?([.FEsxXRpPu,-]{1,1000})$/
const VERBOSE = /^(\S.{0,2000}?) (PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS|RERUN)( \(.{0,500}\))?$/
const WORKER = /^\[gw\d{1,5}\] {1,3}\[ {0,3}\d{1,3}%\] (PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS|RERUN) (\S.*)$/
const SCHEDULED = /^\S{1,500}::\S/
const HEADER =
  /^(?:platform \S+ -- Python |cachedir: |hypothesis profile |rootdir: |configfile: |inifile: |testpaths: |plugins: |asyncio: mode|timeout(?: method| func_only)?: |metadata: |benchmark: |django: |benchmark:|Test order randomisation|created: \d+\/\d+ workers?$|\d+ workers? \[\d+ items?\]$|bringing up nodes|scheduling tests via |\[gw\d+\] .{1,200}Python |gw\d+ \[\d+\] )/
const COLLECTED = /^(?:collecting \.\.\. )?(collected \d.*)$/
const PASSING = 'passing tests'

/** What the rest of the output says, as far as it decides what of the progress may go. */
export interface Known {
  /** Ids that the summary or a section names as failed. */
  readonly failed: ReadonlySet<string>
  /** Whether the run has its verdict, so that its counts stand there. */
  readonly ended: boolean
  /** Whether failed tests are listed at all. */
  readonly listed: boolean
}

const NAMES: Readonly<Record<string, string | undefined>> = {
  F: 'failed',
  E: 'errors',
  s: 'skipped',
  x: 'xfailed',
  X: 'xpassed',
  R: 'rerun',
}

/** Folds the header and the progress lines, `from` to `to` (exclusive). */
export function foldProgress(lines: readonly string[], from: number, to: number, known: Known, fates: Fates): void {
  fates.group(from, to)
  const distributed = lines.slice(from, to).some((line) => WORKER.test(line.trimEnd()))
  const scheduled = new Map<string, number>()
  let file: { name: string; at: number; letters: string } | null = null
  const say = (): void => {
    if (file === null) return
    const text = countsOf(file.letters, known.ended && known.listed)
    if (text !== '') fates.say(file.at, file.name === '' ? text : `${file.name}: ${text}`)
  }
  for (let i = from; i < to; i += 1) {
    const line = (lines[i] ?? '').replace(PERCENT, '').trimEnd()
    if (line === '') {
      fates.fold(i)
      continue
    }
    if (HEADER.test(line)) {
      fates.drop(i, 'session header')
      continue
    }
    const collected = COLLECTED.exec(line)
    if (collected?.[1]) {
      fates.say(i, collected[1])
      continue
    }
    const letters = LETTERS.exec(line)
    if (letters && (letters[1] !== undefined || line !== lines[i] || line.length > 2)) {
      if (file === null || letters[1] !== undefined) {
        say()
        file = { name: letters[1] ?? '', at: i, letters: '' }
      }
      if (file.name === '' && !known.ended && /[^.]/.test(line)) continue
      file.letters += letters[2] ?? ''
      fates.drop(i, /[^.,]/.test(letters[2] ?? '') ? 'progress' : PASSING)
      continue
    }
    const worker = WORKER.exec(line)
    const verbose = worker ? null : VERBOSE.exec(line)
    const id = worker?.[2] ?? verbose?.[1]
    const status = worker?.[1] ?? verbose?.[2]
    if (id !== undefined && status !== undefined) {
      scheduled.delete(id)
      if (status === 'PASSED') fates.drop(i, PASSING)
      else if ((status === 'FAILED' || status === 'ERROR') && known.failed.has(`${status} ${id}`))
        fates.drop(i, 'repeats of the failures below')
      else fates.say(i, `${status} ${id}${verbose?.[3] ?? ''}`)
    } else if (distributed && SCHEDULED.test(line)) {
      scheduled.set(line, i)
      fates.drop(i, 'worker scheduling')
    }
  }
  say()
  // A test that was handed to a worker and never reported.
  for (const [id, line] of scheduled) fates.say(line, `started, without a result: ${id}`)
}

/** `2 skipped, 1 xfailed`: what the letters say that is neither a pass nor told below. */
function countsOf(letters: string, failuresTold: boolean): string {
  const counts = new Map<string, number>()
  for (const letter of letters) {
    const name = NAMES[letter]
    if (name === undefined || (failuresTold && (letter === 'F' || letter === 'E'))) continue
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts].map(([name, count]) => `${count} ${name}`).join(', ')
}
