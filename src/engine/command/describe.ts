import type { Program } from '../command.ts'
import { isNarrowed } from './narrowing.ts'
import { type CommandLine, type Pipeline, parseCommand, type Redirection, type SimpleCommand } from './parse.ts'
import { isNote, isQuiet, neverFails, type Source, throughStage } from './stages.ts'
import { unwrap } from './unwrap.ts'

/** What a command line says about its output. */
export interface CommandDescription {
  /** The program whose output it is; null where several wrote it, where its form is gone, or where none can be named. */
  readonly program: Program | null
  /** Somebody narrowed it by hand (see narrowing.ts): leave it alone. */
  readonly narrowed: boolean
  /** Whether exit code 0 proves that every program with output of its own succeeded. */
  readonly exitCodeTrusted: boolean
}

/** How deep lines may stand in lines: `bash -c "bash -c …"`. */
const MAX_DEPTH = 4

interface Options {
  readonly errexit: boolean
  readonly pipefail: boolean
}

/** What a pipeline, or a whole line, shows. */
interface Shown {
  /** Nothing while all goes well (`cd`, `> file`), a line spelled out in the command (`echo`), or a program's output. */
  readonly kind: 'quiet' | 'note' | 'output'
  readonly sources: readonly Source[]
  readonly trusted: boolean
}

const OPAQUE: Shown = { kind: 'output', sources: [{ program: null, narrowed: false }], trusted: false }

/**
 * Whose output a command line gives. Commands without output of their own are passed over, wrappers taken off, filters
 * that show a part (`| tail -50`) looked through. Total on any value that parseCommand gives.
 */
export function describeCommand(line: CommandLine): CommandDescription {
  const { sources, trusted } = describeLine(line, { errexit: false, pipefail: false }, 0)
  const [first] = sources
  return {
    program: first !== undefined && sources.length === 1 ? first.program : null,
    narrowed: sources.length > 0 && sources.every((source) => source.narrowed),
    exitCodeTrusted: trusted,
  }
}

function describeLine(line: CommandLine, given: Options, depth: number): Shown {
  if (!line.understood || depth > MAX_DEPTH) return OPAQUE
  return describePipelines(line.pipelines, given, depth)
}

function describePipelines(pipelines: readonly Pipeline[], given: Options, depth: number): Shown {
  let options = given
  /** A failure of this pipeline ends the line, or counts in what follows. */
  const binding: boolean[] = []
  const shown = pipelines.map((pipeline) => {
    const own = describePipeline(pipeline, options, depth)
    binding.push(options.errexit)
    options = optionsAfter(pipeline, options)
    return own
  })
  const proven = provenByStatus(pipelines, binding)
  const kind = shown.some((own) => own.kind === 'output')
    ? 'output'
    : shown.some((own) => own.kind === 'note')
      ? 'note'
      : 'quiet'
  const telling = shown.flatMap((own, i) => (own.kind === kind ? [{ own, proven: proven[i] === true }] : []))
  return {
    kind,
    sources: telling.flatMap(({ own }) => own.sources),
    trusted: telling.length > 0 && telling.every(({ own, proven }) => own.trusted && proven),
  }
}

/**
 * For each pipeline, whether the line's status 0 proves that it ran and succeeded: only `&&` after it (or `;` under `set -e`),
 * no `||` around it, neither negated nor in the background.
 */
function provenByStatus(pipelines: readonly Pipeline[], errexit: readonly boolean[]): boolean[] {
  const proven = pipelines.map((pipeline) => !pipeline.negated && !pipeline.background)
  let alternative = false
  for (const [i, { connector }] of pipelines.entries()) {
    if (connector === '||') alternative = true
    else if (connector !== '&&') alternative = false
    if (alternative) proven[i] = false
  }
  let rest = true
  for (let i = pipelines.length - 1; i >= 0; i -= 1) {
    if (!rest) proven[i] = false
    const connector = pipelines[i]?.connector
    rest &&= connector === '&&' || (connector === ';' && errexit[i - 1] === true)
  }
  return proven
}

function describePipeline({ stages }: Pipeline, options: Options, depth: number): Shown {
  const [first, ...rest] = stages
  if (first === undefined) return OPAQUE
  const hidden = stages.some((stage) => stage.redirections.some(hidesOutput))
  const start = describeStage(first, options, depth)
  if (rest.length === 0)
    return hidden ? { kind: 'quiet', sources: [{ program: null, narrowed: false }], trusted: start.trusted } : start
  const [only] = start.sources
  let source: Source = only !== undefined && start.sources.length === 1 ? only : { program: null, narrowed: false }
  let trusted = start.trusted && options.pipefail
  for (const stage of rest) {
    const runs = stage.kind === 'simple' && stage.name !== '' ? unwrap([stage.name, ...stage.args]) : null
    const program = runs?.kind === 'program' ? runs.program : null
    source = throughStage(source, program)
    trusted &&= neverFails(program)
  }
  return { kind: hidden ? 'quiet' : 'output', sources: [hidden ? { program: null, narrowed: false } : source], trusted }
}

function describeStage(stage: Pipeline['stages'][number], options: Options, depth: number): Shown {
  if (stage.kind === 'group') return describePipelines(stage.pipelines, options, depth)
  if (stage.name === '') return { kind: 'quiet', sources: [], trusted: true }
  const runs = unwrap([stage.name, ...stage.args])
  if (runs.kind === 'unknown') return { ...OPAQUE, trusted: true }
  if (runs.kind === 'line') return describeLine(parseCommand(runs.text), runs, depth + 1)
  const { program } = runs
  if (isQuiet(program)) return { kind: 'quiet', sources: [], trusted: true }
  return {
    kind: isNote(program) ? 'note' : 'output',
    sources: [{ program, narrowed: isNarrowed(program) }],
    trusted: true,
  }
}

/** Stdout goes to a file. `>&2` and `> >(tee file)` are still seen. */
function hidesOutput({ operator, descriptor, target }: Redirection): boolean {
  if (operator === '&>' || operator === '&>>') return true
  if (operator !== '>' && operator !== '>>' && operator !== '>|' && operator !== '>&') return false
  if (descriptor !== null && descriptor !== 1) return false
  if (operator === '>&' && /^(?:[0-9]+|-)$/.test(target)) return false
  return target !== '/dev/stderr' && target !== '/dev/stdout' && target !== '/dev/tty' && !target.startsWith('>(')
}

/** `set -e`, `set -euo pipefail`, `set +e`. */
function optionsAfter({ stages }: Pipeline, before: Options): Options {
  const [stage] = stages
  if (stages.length !== 1 || stage?.kind !== 'simple' || stage.name !== 'set') return before
  return withSet(stage, before)
}

function withSet({ args }: SimpleCommand, before: Options): Options {
  let { errexit, pipefail } = before
  for (const [i, arg] of args.entries()) {
    if (!/^[-+][A-Za-z]+$/.test(arg)) continue
    const on = arg.startsWith('-')
    if (arg.includes('e')) errexit = on
    if (arg.endsWith('o')) {
      if (args[i + 1] === 'pipefail') pipefail = on
      if (args[i + 1] === 'errexit') errexit = on
    }
  }
  return { errexit, pipefail }
}
