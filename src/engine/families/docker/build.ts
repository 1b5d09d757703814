import type { Draft } from '../../draft.ts'
import { foldAlike } from '../../strategies/known-lines.ts'

/** BuildKit, plain progress: every line of step 12 begins with `#12 `. */
const STEP = /^#(\d{1,6}) (.*)$/
const DONE = /^(?:DONE \d|CACHED$)/
const FAILED = /^(?:ERROR|CANCELED)\b/
/** What the build made, and what the builder itself warns of. */
const RESULT =
  /^(?:writing image |naming to |exporting manifest(?: list)? sha256|pushing manifest |\d+ warnings? found|WARN)/
const STAMPED = /^\d{1,8}\.\d{1,6} /
/** The builder's own heading: a step that nothing ends. */
const HEADING = /^building with /
const NOISE = /^(?:sha256:[0-9a-f]{64}(?: |$)|transferring |resolve |extracting |exporting |\.\.\.$|preparing )/

export const isBuildKit = (lines: readonly string[]): boolean =>
  lines.slice(0, 20).some((line) => /^#\d{1,6} (?:\[[^\]]{1,200}\] \S|building with )/.test(line))

/**
 * BuildKit's plain progress: finished steps go, also what they printed; steps that failed or never ended stay with
 * their output; so does everything outside the steps (the failing instruction, the last error).
 */
export function condenseBuildKit(lines: readonly string[], draft: Draft): void {
  const finished = new Set<string>()
  for (const line of lines) {
    const step = STEP.exec(line)
    if (step?.[1] === undefined || step[2] === undefined) continue
    if (DONE.test(step[2])) finished.add(step[1])
    else if (FAILED.test(step[2])) finished.delete(step[1])
  }
  const open = new Set<string>()
  for (const line of lines) {
    const step = STEP.exec(line)
    if (step?.[1] !== undefined && !finished.has(step[1]) && !HEADING.test(step[2] ?? '')) open.add(step[1])
  }
  const over = lines.some((line) => /^(?:ERROR: |executor failed|failed to solve|#\d{1,6} ERROR)/.test(line))
  if (open.size > 0 && !over)
    draft.restate(`incomplete: the output ends before step ${[...open].map((id) => `#${id}`).join(', ')} does`, [])

  const said = new Set<string>()
  const steps: number[] = []
  const progress: number[] = []
  const at: number[] = []
  const texts: string[] = []
  const again: number[] = []
  lines.forEach((line, i) => {
    const step = STEP.exec(line)
    const text = (step?.[2] ?? line).replace(STAMPED, '')
    if (step?.[1] !== undefined && finished.has(step[1]) && !RESULT.test(text)) steps.push(i)
    else if (line === '' || (step && (NOISE.test(text) || HEADING.test(text)))) progress.push(i)
    // Parallel steps name themselves again at each switch; newer versions repeat the failing step's last lines at the end.
    else if (text.length > 3 && said.has(text) && (!step || text.startsWith('['))) again.push(i)
    else {
      if (step) said.add(text)
      texts.push(text)
      at.push(i)
    }
  })
  draft.elide('finished build steps', steps)
  draft.elide('build progress', progress)
  draft.elide('repeats of the failing step', again)
  foldAlike(texts, at, draft)
}

const DISPLAYED = /^ => .{0,400} \d+\.\ds\s*$/
const FRAME = /^\[\+\] Building \d/

export const isBuildDisplay = (lines: readonly string[]): boolean => lines.slice(0, 5).some((line) => FRAME.test(line))

/** BuildKit on a terminal: the display's last frame stays, with all that comes after it. */
export function condenseDisplay(lines: readonly string[], draft: Draft): void {
  let last = 0
  lines.forEach((line, i) => {
    if (FRAME.test(line)) last = i
  })
  draft.elideRange('earlier states of the build display', 0, last)
  const over = /FINISHED\s*$/.test(lines[last] ?? '')
  if (!over) draft.restate('incomplete: the last state shown is not the end of the build', [])
  const at: number[] = []
  const steps: number[] = []
  for (let i = last; i < lines.length; i += 1) {
    const line = lines[i] ?? ''
    if (over && DISPLAYED.test(line) && !/ (?:ERROR|CANCELED) |=> => (?:writing|naming|exporting manifest)/.test(line))
      steps.push(i)
    else at.push(i)
  }
  draft.elide('finished build steps', steps)
  foldAlike(
    at.map((i) => lines[i] ?? ''),
    at,
    draft,
  )
}

const CLASSIC = /^Step \d{1,4}\/\d{1,4} : /
const BUILDER_WARNS = /^\[Warning\] /
const CLASSIC_END = /^(?:Successfully (?:built|tagged) |The command '|(?:COPY|ADD) failed|Error response|failed to )/

export const isClassic = (lines: readonly string[]): boolean => lines.slice(0, 200).some((line) => CLASSIC.test(line))

/** The classic builder: finished steps go; the last one stays whole where the build does not say that it succeeded. */
export function condenseClassic(lines: readonly string[], draft: Draft): void {
  const built = lines.some((line) => /^Successfully built [0-9a-f]{6,64}/.test(line))
  if (!built && !lines.some((line) => CLASSIC_END.test(line)))
    draft.restate('incomplete: the output ends before the build does', [])
  let last = -1
  lines.forEach((line, i) => {
    if (CLASSIC.test(line)) last = i
  })
  const from = built ? lines.findIndex((line) => CLASSIC_END.test(line)) : last
  const first = lines.findIndex((line) => CLASSIC.test(line))
  for (let i = 0; i < first; i += 1) {
    const line = lines[i] ?? ''
    if (line === '' || /^(?:DEPRECATED: The legacy builder| {12}\S|Sending build context)/.test(line))
      draft.elide('build progress', [i])
    else draft.keep(i)
  }
  for (let i = Math.max(0, first); i < from; i += 1) {
    if (BUILDER_WARNS.test(lines[i] ?? '')) draft.keep(i)
    else draft.elide('finished build steps', [i])
  }
  foldAlike(lines.slice(from), indexes(from, lines.length), draft)
}

function indexes(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, k) => from + k)
}
