import type { Family } from '../family.ts'
import { MAVEN_HELP } from '../signals.ts'
import { createFates } from '../strategies/fates.ts'
import { type KnownLine, whatOf } from '../strategies/known-lines.ts'
import { foldJavaFrames } from './java/frames.ts'

const LEVEL = /^\[(?:INFO|WARNING|ERROR|DEBUG)\] ?/
const ENDS = /^\[(?:INFO|ERROR)\] (?:BUILD (?:SUCCESS|FAILURE)|.{0,20}COMPILATION ERROR)|^\[ERROR\] /
/** A class's tally, with its name; a class that runs and has none never ended. */
const TALLY = /^\[\w+\] Tests run: .{1,300} in (\S+)$/
const RUNNING = /^\[INFO\] Running (\S+)$/
const AFTER_OPENING = /^\[(?:ERROR|WARNING|FATAL)\]|^\[INFO\] {1,3}T E S T S|^\[INFO\] BUILD /
/**
 * What is known to be said of every build. All else at level INFO stays: it is what a report's goal was asked for, or says
 * that nothing was tested.
 */
const STEP = new RegExp(
  `^\\[INFO\\] (?:${[
    '--- \\S+:\\S+ .* ---$',
    '(?:>>>|<<<) \\S+:\\S+ .* (?:>>>|<<<)$',
    'Scanning for projects\\.\\.\\.',
    'Inspecting build with total of ',
    'Reactor Build Order:$',
    '\\S.{0,200} \\[(?:jar|pom|war|ear|ejb|bundle|maven-plugin)\\]$',
    ' {1,3}from \\S+pom\\.xml$',
    'Finished at: ',
    'Final Memory: ',
    ' {1,3}T E S T S$',
    'Running \\S+$',
    'Nothing to compile',
    'Changes detected - recompiling',
    'Recompiling the module because of ',
    'Compiling \\d+ source files? ',
    'Copying \\d+ resources?',
    'Using .{1,40} encoding to copy filtered ',
    'skip non existing resourceDirectory ',
    'Using auto detected provider ',
    'Surefire report directory: ',
    'argLine set to ',
    'Deleting /',
    'Replacing main artifact ',
  ].join('|')})`,
)
const NOISE: readonly KnownLine[] = [
  [/^\[INFO\] Download(?:ing|ed)(?: from \S+)?: |^Progress \(\d|^Download(?:ing|ed)(?: from \S+)?: /, 'downloads'],
  [MAVEN_HELP, 'help'],
  [
    /^\[(?:INFO|WARNING|ERROR)\]\s*$|^\[INFO\] -{5,}$|^\[INFO\] -{3,}< .* >-{3,}$|^\[INFO\] -{5,}\[ .* \]-{5,}$/,
    'rules',
  ],
  [STEP, 'build steps'],
]
/** `[ERROR]   symbol: …` repeats what stood without its level. */
const bare = (line: string): string => line.replace(LEVEL, '').trim()
const SAMPLE = 300

/** Maven: failures with message and first user frames, errors once, the tally and the verdict; downloads and known steps go. */
export const maven: Family = {
  name: 'maven',
  commands: ['mvn', 'mvnw', 'mvnd'],
  decides: true,
  detect(lines) {
    const sample = [...lines.slice(0, SAMPLE), ...lines.slice(-SAMPLE)]
    return (
      sample.some((line) => /^\[INFO\] Scanning for projects\.\.\./.test(line)) ||
      sample.some((line) =>
        /^\[(?:INFO|ERROR)\] BUILD (?:SUCCESS|FAILURE)$|^\[ERROR\] Failed to execute goal \S+:\S+:/.test(line),
      )
    )
  },
  condense({ lines, program }, draft) {
    if (!lines.some((line) => LEVEL.test(line))) return null
    const fates = createFates(lines)
    const said = new Set<string>()
    const ran = new Set<string>()
    let opening = -1
    for (let i = 0; i < lines.length; i += 1) {
      const line = lines[i] ?? ''
      const name = TALLY.exec(line)?.[1]
      if (name !== undefined) ran.add(name)
      if (opening < 0 && AFTER_OPENING.test(line)) opening = i
    }
    if (opening > 0) fates.group(0, opening)
    let ended = false
    for (let i = 0; i < lines.length; i += 1) {
      const line = lines[i] ?? ''
      if (ENDS.test(line)) ended = true
      if (line.trim() === '') fates.fold(i)
      else if (isUnfinished(line, ran)) continue
      else {
        const what = whatOf(line, NOISE)
        if (what === 'rules') fates.fold(i)
        else if (what !== null) fates.drop(i, what)
        else if (line.startsWith('[ERROR] ') && said.has(bare(line)) && !/^\[ERROR\] Tests run: /.test(line))
          fates.drop(i, 'errors again')
        else said.add(bare(line))
      }
    }
    foldJavaFrames(lines, fates)
    // What was fetched when the build was stopped.
    const last = lines.findLastIndex((line) => line.trim() !== '')
    if (!ended && last >= 0) fates.keep(last)
    const quiet = program?.args.some((arg) => arg === '-q' || arg === '--quiet') ?? false
    if (!ended && !quiet) draft.restate('incomplete: the output ends before BUILD SUCCESS or BUILD FAILURE', [])
    fates.write(draft)
    return 'maven'
  },
}

function isUnfinished(line: string, ran: ReadonlySet<string>): boolean {
  const name = RUNNING.exec(line)?.[1]
  return name !== undefined && !ran.has(name)
}
