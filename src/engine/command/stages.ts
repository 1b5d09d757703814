import type { Program } from '../command.ts'
import { isNarrowed } from './narrowing.ts'

/** One program's output as it stands in the whole: whose form it has, and whether somebody narrowed it. */
export interface Source {
  /** Null where no program's form is left in it. */
  readonly program: Program | null
  readonly narrowed: boolean
}

/** The text goes through as it is. */
const PASSING = new Set('tee cat less more ts ansifilter unbuffer'.split(' '))
/** A part of the lines goes through, as they are. */
const CUTTING = new Set(['head', 'tail'])
/** Lines are chosen or moved by what they say. */
const CHOOSING = new Set('grep egrep fgrep rg ag ack sort uniq shuf tac'.split(' '))
/** The text is rewritten. */
const REWRITING = new Set(
  'sed tr column fold nl rev paste fmt expand unexpand dos2unix iconv json.tool perl ruby'.split(' '),
)
/** Each line of theirs stands for itself, so that a choice of lines still has their form. */
const LINE_BY_LINE = new Set('grep egrep fgrep rg ag ack find fd fdfind ls'.split(' '))
/** A script in the command line that reads a pipe is a narrowing by hand. */
const SCRIPTED = /^(?:python[0-9.]*|node|perl|ruby|deno|bun)$/
const SCRIPT_OPTION = /^-(?:[A-Za-z]*[ce]|p|-eval|-print)$/
/** They succeed whatever they read, so that under `pipefail` the status is the first command's. */
const NEVER_FAILING = new Set('tee cat tail ts sort column nl'.split(' '))

/** The output of `source` after it went through `stage`. @param stage null where it can't be told what runs */
export function throughStage(source: Source, stage: Program | null): Source {
  if (stage === null) return { program: null, narrowed: false }
  if (PASSING.has(stage.name) || CUTTING.has(stage.name)) return source
  if (isNarrowed(stage) || (SCRIPTED.test(stage.name) && stage.args.some((arg) => SCRIPT_OPTION.test(arg))))
    return { program: null, narrowed: true }
  if (CHOOSING.has(stage.name)) return isLineByLine(source.program) ? source : { ...source, program: null }
  if (REWRITING.has(stage.name)) return { ...source, program: null }
  return { program: stage, narrowed: false }
}

export function neverFails(stage: Program | null): boolean {
  return stage !== null && NEVER_FAILING.has(stage.name)
}

function isLineByLine(program: Program | null): boolean {
  if (program === null) return false
  return LINE_BY_LINE.has(program.name) || (program.name === 'git' && program.args[0] === 'grep')
}

/** Commands without output of their own, as long as they succeed. */
const QUIET = new Set(
  (
    'cd pushd popd exec export set unset source . true false : mkdir rmdir rm mv cp ln touch chmod chown sleep wait kill exit return ' +
    'shopt alias unalias ulimit umask trap local declare readonly test [ [[ read clear disown hash'
  ).split(' '),
)
const QUIET_FORMS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['git', new Set(['add'])],
  ['nvm', new Set(['use'])],
  ['fnm', new Set(['use'])],
  ['conda', new Set(['activate', 'deactivate'])],
])

export function isQuiet({ name, args }: Program): boolean {
  if (name === 'sed') return args.some((arg) => /^-[A-Za-z]*i|^--in-place/.test(arg))
  return QUIET.has(name) || (QUIET_FORMS.get(name)?.has(args[0] ?? '') ?? false)
}

/** `echo '--- tests ---'`, `echo "exit: $?"`: a line that the command line itself spells out, and no tool's output. */
export function isNote({ name, args }: Program): boolean {
  return (name === 'echo' || name === 'printf') && !args.some((arg) => arg.includes('$(') || arg.includes('`'))
}
