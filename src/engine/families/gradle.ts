import type { Family } from '../family.ts'
import { createFates } from '../strategies/fates.ts'
import { type KnownLine, whatOf } from '../strategies/known-lines.ts'
import { foldJavaFrames } from './java/frames.ts'

const VERDICT = /^BUILD (?:SUCCESSFUL|FAILED)(?: in |$)/
const TASK = /^(?:> Task )?:[\w:.-]{1,300}(?: (?:UP-TO-DATE|NO-SOURCE|FROM-CACHE|SKIPPED|EXECUTED))?$/
/** A task that runs tests and did not: that the build succeeded says nothing of them. */
const UNTESTED =
  /^(?:> Task )?:(?:[\w.-]{1,100}:){0,20}(?!(?:compile|process|generate|pre|bundle|package|merge)[A-Z])(?:test|\w{1,100}Test)(?!(?:\w{0,100})(?:Classes|Resources|Fixtures|Jar|Java|Kotlin)\b)\w{0,100} (?:UP-TO-DATE|NO-SOURCE|FROM-CACHE|SKIPPED)$/
const TASK_HEAD = /^> Task :\S|^:[\w:.-]{1,300}(?: FAILED)?$/
const WRONG = /^\* What went wrong:$/
const NOISE: readonly KnownLine[] = [
  [TASK, 'tasks'],
  [/^> Configure project /, 'tasks'],
  [
    /^(?::[\w:]{1,200})?WARNING: (?:A terminally deprecated method|System::setSecurityManager |Please consider reporting this to the maintainers of |A restricted method|Use --enable-native-access|Restricted methods will be blocked|An illegal reflective access|Illegal reflective access|Use --illegal-access|All illegal access)/,
    'JVM warnings',
  ],
  [/^(?:openjdk version "|java version "|OpenJDK Runtime |OpenJDK 64-Bit |Java\(TM\) SE |Java HotSpot)/, 'set-up'],
  [
    /^(?:Starting a Gradle Daemon|Welcome to Gradle |To honour the JVM settings|Daemon will be stopped|Download(?:ing)? https?:|Unzipping |Set executable permissions|Here are the highlights of this release|<[=-]{1,60}> \d)|^> (?:IDLE|Connecting to Daemon)|^\.{10}/,
    'set-up',
  ],
  [
    /^(?:Deprecated Gradle features were used|You can use '--warning-mode all'|Use '--warning-mode all'|For more on this, please refer to |See https:\/\/docs\.gradle\.org)/,
    'help',
  ],
  [/^\S.{0,300} > .{1,400} PASSED$/, 'passing tests'],
]
const SAMPLE = 300

/** Gradle: failed tasks and tests with message and first user frames, what went wrong, the verdict; other tasks go. */
export const gradle: Family = {
  name: 'gradle',
  commands: ['gradle', 'gradlew'],
  decides: true,
  detect(lines) {
    const sample = [...lines.slice(0, SAMPLE), ...lines.slice(-SAMPLE)]
    return (
      sample.some((line) => WRONG.test(line)) ||
      (sample.some((line) => VERDICT.test(line)) && sample.some((line) => TASK_HEAD.test(line)))
    )
  },
  condense({ lines }, draft) {
    const isGradle = lines.some((line) => VERDICT.test(line) || WRONG.test(line) || TASK_HEAD.test(line))
    if (!isGradle) return null
    const fates = createFates(lines)
    let advice = false
    for (let i = 0; i < lines.length; i += 1) {
      const line = lines[i] ?? ''
      if (/^\* (?:Try|Get more help)/.test(line)) advice = true
      else if (/^\* |^={10}|^BUILD |^FAILURE: /.test(line)) advice = false
      if (line.trim() === '') fates.fold(i)
      else if (advice) fates.drop(i, 'help')
      else if (!UNTESTED.test(line)) {
        const what = whatOf(line, NOISE)
        if (what !== null && !isSpokenFor(lines, i)) fates.drop(i, what)
      }
    }
    foldJavaFrames(lines, fates)
    if (!lines.some((line) => VERDICT.test(line))) {
      draft.restate('incomplete: the output ends before BUILD SUCCESSFUL or BUILD FAILED', [])
      // What ran when the build was stopped.
      const last = lines.findLastIndex((line) => TASK.test(line))
      if (last >= 0) fates.keep(last)
    }
    fates.write(draft)
    return 'gradle'
  },
}

/** A task whose output follows keeps its name. */
function isSpokenFor(lines: readonly string[], at: number): boolean {
  if (!TASK.test(lines[at] ?? '')) return false
  const next = lines[at + 1] ?? ''
  return next.trim() !== '' && !TASK_HEAD.test(next) && whatOf(next, NOISE) === null && !VERDICT.test(next)
}
