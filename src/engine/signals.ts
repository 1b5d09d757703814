import { namesOfTest, pytestFailure } from './test-names.ts'
import { factKey, withoutStamp } from './text/normal.ts'
import { openTables } from './value-table.ts'

/**
 * What must survive condensing. A fact is a kind and a key: two lines that say the same, apart from times, durations
 * and addresses, are one fact; and a fact may stand in other words than the input's, as long as its key is read there.
 */
export type FactKind =
  | 'error'
  | 'place'
  | 'failed-test'
  | 'unfinished-test'
  | 'panic'
  | 'verdict'
  | 'exit'
  | 'redaction'

export interface Fact {
  readonly kind: FactKind
  readonly key: string
  /** Index of the line it stands on; `header`: of the line above that names its file, or -1. */
  readonly line: number
  readonly header: number
}

/** Of longer lines the start and the end are read. */
const LONG = 2000

/**
 * Lines that hold none of these words or forms hold no fact; cheap tests spare the many below. Plain words alone are
 * searched for several times as fast as words among forms, and two lists twice as fast as one.
 */
const MAY_SAY_A =
  /abort|alert|build|busy|checks|complete!|core dumped|critical|denied|emerg|err!|error|excep|exit|fail|fatal|found|!!! /i
const MAY_SAY_B =
  /interrupt|issues|killed|no space|no such|not ok|not permitted|oom|out of memory|panic|passed|plan:|problem|quota|race|read-only|refused|segment|severe|signal|snapshots|speicherz|success|suites|terminat|timed out|trace|undefined ref/i
const MAY_SAY_FORM = /test|pass|crit|ded |ved |ged |a directory/i
const FORM = /tests?\b|added \d|removed \d|changed \d|pass$|(?:is|not) a directory|crit\b/i
const MAY_START =
  /^(?:E {3}|E: |curl: |ok| {1,4}[\d(]|_|! |[EF]\d+ |-?(?:(?:ba|z|da|k)?sh|fish): |\t\t(?:test|example|fuzz|benchmark))/i
const MAY_SIGN = /-->|\*\*\*|# \w|[✕✗×✖●ℹ]|┌─/
const MAY_PLACE = /[A-Za-z+][:(]\d/
const PLACE = /\.[a-z+]{1,10}(?::\d|\(\d)/i
/** Whether the line has to be read for facts; the same for lines that differ in the digits of their numbers alone. */
export const mayHold = (line: string): boolean =>
  MAY_SAY_A.test(line) ||
  MAY_SAY_B.test(line) ||
  (MAY_SAY_FORM.test(line) && FORM.test(line)) ||
  MAY_START.test(line) ||
  MAY_SIGN.test(line) ||
  (MAY_PLACE.test(line) && PLACE.test(line))
/** What each of the costlier patterns below needs somewhere in the line. */
const MAY_LABEL = /err|fatal|fail|panic|excep|crit|severe|emerg|alert|abort|\*\*\*|^E {3}|^E: |^curl: /i
const MAY_PANIC =
  /panic|fatal error|traceback|KeyboardInterrupt|segmentation|core dumped|race|saniti|exception|unhandled|uncaught|^SIG|Killed|out of memory|OOM|oom-|INTERNALERROR|signal|stack overflow|terminat|assert|aborted|segment|speicherz/i
const MAY_FAIL = /fail|error|timeout|sig|✕|✗|×|✖|●|not ok|---- |not run/i
const MAY_EXIT = /[Ee]xit|returned|Error \d|ELIFECYCLE|ommand failed/

/** Lines that say that something passed, whatever words its name holds. */
const PASSES =
  /^\s*(?:--- (?:PASS|SKIP)|=== (?:RUN|PAUSE|CONT|NAME)|✓|✔|√|ok \d+|\[ok\]|\[ +OK +\]|\[ RUN +\])|\.\.\. ok$|\bPASSED\b *(?:\[ *\d+%\])?$/

/** Notes, and the steps by which a template was instantiated. */
const SEVERITY_SKIP =
  /^(?:(?:warning|warn|note|info|hint|help|remark|debug)\b|required (?:from|by) |recursively required )/i

/** `path:12:3: message`, `path:12: error: message`, `path(12,3): message`, `path:12:3 - error`; the path has an extension. */
const DIAGNOSTIC =
  /^(?:\[[A-Z]+\] +|[ \t]+)?((?:[A-Za-z]:)?[^\s:()'"`[\]]+\.[A-Za-z][A-Za-z0-9+]{0,9})(?::(\d+):(\d+)(?::| -)|:\[?(\d+)(?:,\d+)?\]?:(?= ?(?:fatal error|error|fatal|err|undefined|panic)\b)|\((\d+)(?:,\d+)?\):?) +(\S.*)$/
/** `12:3  error  message  rule`, `(12,3): error …` or `12:3, 14:9 error …`, under a line that is a path. */
const UNDER_HEADER =
  /^ {1,4}((?:\d{1,7}(?::\d{1,7})?|\(\d{1,7},\d{1,7}\)),?:?(?: (?:\d{1,7}(?::\d{1,7})?|\(\d{1,7},\d{1,7}\)),?:?)*) +(\S.*)$/
const LINE_NUMBER = /\d+/
const HEADER = /^(?:[A-Za-z]:)?[^\s:()'"`]*[^\s:()'"`/\\]\.[A-Za-z][A-Za-z0-9]{0,9}:?$/
const ARROW = /^ *(?:-->|┌─|╭─\[) *([^\s:]+):(\d+)(?::(\d+))?/

const LABEL =
  /(?:^|[\s|[(])(?:ERROR|FATAL|CRITICAL|SEVERE|EMERG|ALERT|PANIC|CRIT)(?:\]|:|\s|$)|(?:^|[\s|[(])(?:[Ee]rror|[Ff]atal|[Ff]ailure|[Pp]anic|[Ff]atal error|[Ii]nternal error)(?: ?\[?[A-Z]{1,8}\d{1,6}\]?)?(?::|\])|(?:^|[\s.([|])\w*(?:Error|Exception|Panic)(?:: |:?$| \[)|^(?:npm|gyp) (?:ERR!|error)|^E {3}\S|level=(?:error|fatal|panic|critical)|"(?:level|severity|levelname)": ?"(?:error|fatal|panic|critical)"|^(?:error|Error)\b|##\[error\]|^\*\*\* |^\S*make(?:\[\d+\])?: \*\*\*|^(?:fatal|abort|E): |^curl: \(\d{1,3}\) /
/** Code and frames in a traceback that name an error without saying that one happened. */
const CODE =
  /^\s*(?:except\b.{0,300}:|raise [\w.]{1,200}(?:\(\))?)$|^\s{2,60}at \S.{0,1000}(?::\d{1,9}:\d{1,9}\)?|\(<anonymous>\))(?: \{)?$/
/** What a guard has left in a secret's place: one of each kind stays in sight. */
const REDACTION = /\[redacted: [a-z][a-z0-9-]{0,40}\]/g
/** An annotation of a CI runner: its message's first line is what is said. */
const ANNOTATION = /^::(error|warning|notice)(?: .{0,2000}?)?::(.*)$/
/** The window that vitest redraws while tests run, down to its last line: its counts are no verdict. */
const WINDOW = /^ ❯ \S.{0,500} (?:\[queued\]|\d{1,7}\/\d{1,7})$/
/** What Maven says below an error, at the same level: where to read on, and the error's own details once more. */
export const MAVEN_HELP =
  /^\[ERROR\] *(?:$|To see the full stack trace of the errors, |Re-run Maven using the -X switch|For more information about the errors and possible solutions|After correcting the problems, |\[Help \d{1,3}\] http|-> \[Help \d{1,3}\]$|Please refer to (?:dump files|\S{1,4000} for the individual)|(?:symbol|location): )/
const ZERO = /(?:^|[^\w.])(?:0|no|No|without) (?:errors?|failures?|failed|problems)\b/
const PANIC =
  /^panic: |^KeyboardInterrupt\b|panicked at |^fatal error: |^\s*Traceback \(most recent call last\)|[Ss]egmentation fault|core dumped|^(?:FATAL|WARNING): (?:DATA RACE|ThreadSanitizer|AddressSanitizer)|ERROR: (?:Address|Leak|Thread)Sanitizer|^Exception in thread |[Uu]n(?:handled|caught) (?:\w+ )?(?:Rejection|rejection|Exception|exception|Error|error)|^SIG[A-Z]{3,5}\b|\bKilled\b|[Oo]ut of memory|\bOOM|oom-kill|INTERNALERROR> \S|signal: (?:killed|aborted|segmentation)|\(signal \d+|stack overflow|^terminate called |^(?:Terminated|Aborted|Hangup)(?:: \d{1,2})?$|^(?:-?(?:ba|z|da|k)?sh|fish): (?:line \d{1,7}: +)?(?:\d{1,9} )?(?:[Kk]illed|[Tt]erminated|[Aa]bort|[Ss]egmentation)|Assertion [`'"‘].{1,1000} failed|^Assertion failed: |^(?:Speicherzugriffsfehler|Erreur de segmentation|Violación de segmento|Errore di segmentazione)/
const FAILED_TEST =
  /^\s*--- FAIL: (\S+)|^ ?FAIL[\t ]+(\S+(?: > .+)?)|^(?:FAILED|ERROR) (\S+(?:::\S.*| \(.+))$|^test (.+) \.\.\. FAILED|^\s*([\w.]{1,300} \([^\s)]{1,500}\)(?: .{0,500})?) \.\.\. (?:FAIL|ERROR)$|^ {2}\d{1,6}\) (\[[^\]\n]{1,100}\] › .*?)(?: ─+)?$|^---- (.+) stdout ----|^\s*(?:✕|✗|×|✖) (\S.*)$|^\s*● (\S.*)$|^\s*not ok \d+ (?:- )?(.*)$|^\s*(?:FAIL|TIMEOUT|SIGABRT|SIGSEGV) \[[^\]]*\] (?:\([^)]*\) )?(\S.*)$|^(?:FAIL|ERROR): (\S.*)$|\*\*\*(?:Failed|Timeout|Exception|Not Run)|<<< (?:FAILURE|ERROR)!|^(.{1,200}?)\.{4,}(?:Failed|FAILED)$/
const UNFINISHED =
  /^\s*(?:running tests:|\t(?:test|example|fuzz|benchmark)\S{0,500} \(\d|test timed out|panic: test timed out)/i
const VERDICT =
  /^(?:FAIL|PASS|OK|FAILED|NOT OK|FAILURES!|ERRORS!)$|^\d{1,9} examples?, \d{1,9} failures?\b|^(?:Failed|Passed)! {1,4}- Failed: |^Test Run (?:Failed|Successful)\.|^\d{1,9} (?:out )?of \d{1,9} \w.{0,80} failed\b|^!{3,} \S.{0,300} !{3,}$|^FAILED \(|^OK \(|^Ran \d+ tests?\b|^=+ .*(?:passed|failed|errors?|no tests ran|skipped|deselected|warnings?)\b.* =+$|^\d+ (?:failed|passed|skipped|errors?|xfailed|xpassed|deselected)\b.* in |^ *(?:Tests|Test Suites|Test Files|Snapshots|Suites|Type Errors|Errors):? {1,8}(?:no tests|\d|\S+ \d)|^test result: |^ *Summary \[|^(?:\[[A-Z]+\] )?BUILD (?:SUCCESS|SUCCESSFUL|FAILURE|FAILED)|^(?:\[[A-Z]+\] )?Tests run: |^Found \d+ (?:errors?|warnings?|fixable)|^Success: no issues|^✖ \d+ problems?|^\d+ (?:issues?|problems?|vulnerabilities|errors?|warnings?)\b|^\d+% tests passed|^(?:Plan|Apply complete|Destroy complete)[:!]|^ℹ (?:tests|pass|fail|cancelled|skipped|todo) \d|^# (?:tests|pass|fail|cancelled|skipped|todo) \d|^\s*\d+ (?:passing|failing|pending)\b|^(?:added|removed|changed) \d+ packages?|^All checks passed|^Would reformat|^error: could not compile|^ninja: (?:build stopped|error)|^TOTAL\b|^error: test failed|^no changes added|^found \d+ vulnerabilities|^error: aborting due to/
const EXIT =
  /\b[Ee]xit(?:ed)?(?: with)?(?: (?:status|[Cc]ode|error code))?(?: code)?[ :=]+-?\d{1,5}\b|\bexit status \d|returned (?:a )?non-zero|Process completed with exit code|\bError \d{1,3}$|\(exit (?:status|code):? \d{1,5}\)|ELIFECYCLE|Command failed\b|command failed\b/

/** What a program says of a call that the system refused: `cp: cannot stat 'a': No such file or directory`. */
const REFUSED =
  /^[\w.+/-]{1,200}: (?:line \d{1,7}: )?\S.{0,400}: (?:command not found|Permission denied|No such file or directory|Operation not permitted|(?:Is|Not) a directory|Directory not empty|Device or resource busy|target is busy\.|No space left on device|Read-only file system|Input\/output error|Disk quota exceeded|Connection (?:refused|reset by peer|timed out))$/

/** Errors in forms of their own: of a linker, of klog (after its head), of TeX, and what a shell says in any language. */
const SAID =
  /\bundefined reference to [`'‘"]\S|^[EF]\d{4} \d\d:\d\d:\d\d\.\d{6} +\d{1,9} [\w.-]{1,200}:\d{1,7}\] (?=\S)|^! (?:\w{1,40} (?:\S{1,100} )?Error: |Undefined control|Missing |Emergency stop|Extra |Misplaced |Too many |Paragraph ended|Use of |Illegal |File ended|Argument of |Dimension too | ==> Fatal)|^-?(?:(?:ba|z|da|k)?sh|fish): (?:\w{1,12} \d{1,7} ?: )?(?!(?:warning|initialize_job_control): )\S{1,300}: \S/
const KLOG = /^[EF]\d{4} .{1,260}?\] /

/**
 * The facts in a text, given as lines; a fact that occurs again is given once, where it first stands.
 * Warnings, notes and passing tests are none; nor are search hits (`path:12:text`) and bare stack frames.
 */
export function factsOf(lines: readonly string[]): Map<string, Fact> {
  const opened = openTables(lines)
  if (opened === null) return factsOfLines(lines)
  const facts = factsOfLines(opened.texts)
  const lineOf = (at: number): number => (at < 0 ? at : (opened.owner[at] ?? at))
  for (const [key, fact] of facts) facts.set(key, { ...fact, line: lineOf(fact.line), header: lineOf(fact.header) })
  return facts
}

function factsOfLines(lines: readonly string[]): Map<string, Fact> {
  const facts = new Map<string, Fact>()
  let header = -1
  let path = ''
  let arrowCounts = false
  let inWindow = false
  const add = (kind: FactKind, key: string, line: number, under = -1): void => {
    const full = `${kind} ${key}`
    if (key !== '' && !facts.has(full)) facts.set(full, { kind, key, line, header: under })
  }

  for (let i = 0; i < lines.length; i += 1) {
    const shown = lines[i] ?? ''
    if (shown === '') {
      header = -1
      continue
    }
    if (shown.length < 300 && !shown.includes(' ') && HEADER.test(shown)) {
      header = i
      path = shown.endsWith(':') ? shown.slice(0, -1) : shown
      continue
    }
    if (shown.length <= 2000 && shown.includes('[redacted: '))
      for (const marker of shown.match(REDACTION) ?? []) add('redaction', marker, i)
    const indented = shown.startsWith(' ') || shown.startsWith('\t')
    if (header >= 0 && !indented) header = -1
    if (shown.startsWith(' ❯ ')) inWindow = WINDOW.test(shown)
    else if (inWindow && shown.startsWith('   Duration ')) inWindow = false
    // Under a file's header any words may be an error's.
    if (header < 0 && !mayHold(shown)) continue
    let line = withoutStamp(shown.length > LONG ? `${shown.slice(0, LONG - 500)} ${shown.slice(-500)}` : shown)
    if (line.startsWith('::')) {
      const annotation = ANNOTATION.exec(line)
      if (annotation && annotation[1] !== 'error') continue
      if (annotation) line = annotation[2]?.split('%0A')[0] ?? ''
    }
    if (PASSES.test(line) || CODE.test(line) || (line.startsWith('[ERROR]') && MAVEN_HELP.test(line))) continue
    const pytest = pytestFailure(line)
    if (pytest) {
      for (const name of pytest) add('failed-test', factKey(name), i)
      continue
    }

    if (header >= 0) {
      const under = UNDER_HEADER.exec(line)
      if (under && !SEVERITY_SKIP.test(under[2] ?? '')) {
        for (const place of (under[1] ?? '').split(' '))
          add('place', `${path}:${LINE_NUMBER.exec(place)?.[0]}`, i, header)
        add('error', messageKey(under[2] ?? ''), i, header)
        continue
      }
    }
    if (arrowCounts) {
      const arrow = ARROW.exec(line)
      if (arrow) {
        for (const place of line.slice(arrow[0].length).split(', ').slice(1))
          add('place', `${arrow[1]}:${LINE_NUMBER.exec(place)?.[0]}`, i)
        add('place', `${arrow[1]}:${arrow[2]}`, i)
        // One message in several files: an arrow for each.
        arrowCounts = ARROW.test(lines[i + 1] ?? '')
        continue
      }
    }
    const diagnostic = DIAGNOSTIC.exec(line)
    if (diagnostic) {
      arrowCounts = false
      const message = diagnostic[6] ?? ''
      if (SEVERITY_SKIP.test(message)) continue
      add('place', `${diagnostic[1]}:${diagnostic[2] ?? diagnostic[4] ?? diagnostic[5]}`, i)
      add('error', messageKey(message), i)
      continue
    }
    if (line.length <= 500 && VERDICT.test(line)) {
      if (inWindow) continue
      add('verdict', factKey(line), i)
      continue
    }
    if (MAY_PANIC.test(line) && PANIC.test(line)) {
      add('panic', factKey(line), i)
      continue
    }
    const failed = MAY_FAIL.test(line) ? FAILED_TEST.exec(line) : null
    if (failed) {
      for (const name of namesOfTest(failed.slice(1).find((part) => part !== undefined) ?? line))
        add('failed-test', name, i)
      continue
    }
    if (UNFINISHED.test(line)) {
      add('unfinished-test', factKey(line), i)
      continue
    }
    if (MAY_EXIT.test(line) && EXIT.test(line)) {
      add('exit', factKey(line), i)
      continue
    }
    if (MAY_LABEL.test(line) && LABEL.test(line) && !ZERO.test(line)) {
      add('error', messageKey(line), i)
      arrowCounts = true
    } else if (REFUSED.test(line) || SAID.test(line)) add('error', messageKey(line.replace(KLOG, '')), i)
  }
  return facts
}

const LEAD =
  /^[\s|>*#[\]-]*(?:(?:(?:(?:npm|gyp) )?(?:ERR!|[Ff]atal error|ERROR|[Ee]rror|FATAL|[Ff]atal|err)(?: ?\[?[A-Z]{1,8}\d{1,6}\]?)?|[A-Z]{1,4}\d{3,6}(?=:))(?:\]|:|\s)+)+/
const RULE = /\s+(?:\((?:[\w./@-]+|\w+::\w+)\)|\[[\w./@,-]+\]|@?[\w-]+\/[\w/-]+)$/

/** An error's message without its severity, code and rule, which may stand elsewhere in a regrouped output. */
function messageKey(text: string): string {
  const key = factKey(text.replace(LEAD, '').replace(RULE, ''))
  return key === '' ? factKey(text) : key
}
