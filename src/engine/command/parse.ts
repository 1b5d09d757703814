import { type Operator, readTokens, type Token } from './tokens.ts'

export interface Redirection {
  /** `>`, `>>`, `>&`, `&>`, `<`, `<<`, `<<<` … */
  readonly operator: string
  /** The number written before it: 2 in `2>file`. */
  readonly descriptor: number | null
  /** The word after it, unquoted: a file, a descriptor, a here-document's delimiter. */
  readonly target: string
}

export interface SimpleCommand {
  readonly kind: 'simple'
  /** The first word as written, quotes removed; empty for assignments or redirections alone. */
  readonly name: string
  readonly args: readonly string[]
  /** `FOO=1` before the name. */
  readonly assignments: readonly string[]
  readonly redirections: readonly Redirection[]
}

/** `( … )` or `{ …; }`. */
export interface Group {
  readonly kind: 'group'
  readonly pipelines: readonly Pipeline[]
  readonly redirections: readonly Redirection[]
}

export interface Pipeline {
  /** What joins it to the pipeline before it; `;` also for a newline, null for the first. */
  readonly connector: '&&' | '||' | ';' | '&' | null
  /** `! a`. */
  readonly negated: boolean
  /** `a &`. */
  readonly background: boolean
  /** One command, or several joined by `|` or `|&`. */
  readonly stages: readonly (SimpleCommand | Group)[]
}

/** A command line as data, in the order in which it is written. */
export interface CommandLine {
  /** False where it is no plain list of pipelines: `if`, `for`, `case`, functions, open quotes, syntax errors, deep nesting. */
  readonly understood: boolean
  readonly pipelines: readonly Pipeline[]
}

const NOT_UNDERSTOOD: CommandLine = { understood: false, pipelines: [] }

/** Keywords of compound commands, whose output can't be laid to one program. */
const COMPOUND = new Set('if then else elif fi for while until do done case esac select function coproc'.split(' '))
const ASSIGNMENT = /^[A-Za-z_][A-Za-z0-9_]*(?:\[[^\]]*\])?\+?=/
const MAX_DEPTH = 16

/** Splits a command line as a shell would (POSIX, and the usual additions of bash). Never throws; linear in its length. */
export function parseCommand(text: string): CommandLine {
  const tokens = readTokens(text)
  if (tokens === null) return NOT_UNDERSTOOD
  const reader: Reader = { tokens, at: 0 }
  const pipelines = readList(reader, null, 0)
  return pipelines === null || reader.at < tokens.length ? NOT_UNDERSTOOD : { understood: true, pipelines }
}

interface Reader {
  readonly tokens: readonly Token[]
  at: number
}

/** Reads pipelines up to `closer` (consumed) or the end; null on anything that is no list of pipelines. */
function readList(reader: Reader, closer: ')' | '}' | null, depth: number): Pipeline[] | null {
  if (depth > MAX_DEPTH) return null
  const pipelines: Pipeline[] = []
  let connector: Pipeline['connector'] = null
  for (;;) {
    skipNewlines(reader)
    const token = reader.tokens[reader.at]
    if (token === undefined || isCloser(token, closer)) {
      if (connector === '&&' || connector === '||' || (token === undefined && closer !== null)) return null
      if (token !== undefined) reader.at += 1
      return pipelines
    }
    const pipeline = readPipeline(reader, depth)
    if (pipeline === null) return null
    const end = reader.tokens[reader.at]
    const operator = end?.kind === 'operator' ? end.text : null
    pipelines.push({ connector, ...pipeline, background: operator === '&' })
    if (operator === null || operator === ')') {
      // A group's end, or no operator where one is due: the loop's start decides.
      if (end !== undefined && !isCloser(end, closer)) return null
      connector = ';'
      continue
    }
    reader.at += 1
    if (operator === '\n') connector = ';'
    else if (operator === '&&' || operator === '||' || operator === ';' || operator === '&') connector = operator
    else return null
  }
}

function isCloser(token: Token, closer: ')' | '}' | null): boolean {
  if (closer === null) return false
  return closer === ')' ? token.kind === 'operator' && token.text === ')' : isKeyword(token, '}')
}

function readPipeline(reader: Reader, depth: number): { negated: boolean; stages: Pipeline['stages'] } | null {
  let negated = false
  while (isKeyword(reader.tokens[reader.at], '!')) {
    negated = !negated
    reader.at += 1
  }
  const stages: (SimpleCommand | Group)[] = []
  for (;;) {
    const stage = readStage(reader, depth)
    if (stage === null) return null
    stages.push(stage)
    if (!isOperator(reader.tokens[reader.at], '|')) return { negated, stages }
    reader.at += 1
    skipNewlines(reader)
  }
}

function readStage(reader: Reader, depth: number): SimpleCommand | Group | null {
  const token = reader.tokens[reader.at]
  if (isOperator(token, '(') || isKeyword(token, '{')) {
    reader.at += 1
    const pipelines = readList(reader, isOperator(token, '(') ? ')' : '}', depth + 1)
    if (pipelines === null || pipelines.length === 0) return null
    const redirections: Redirection[] = []
    while (reader.tokens[reader.at]?.kind === 'redirection') {
      const redirection = readRedirection(reader)
      if (redirection === null) return null
      redirections.push(redirection)
    }
    return { kind: 'group', pipelines, redirections }
  }
  if (isKeyword(token, '[[')) return readCondition(reader)
  return readSimpleCommand(reader)
}

function readSimpleCommand(reader: Reader): SimpleCommand | null {
  const assignments: string[] = []
  const words: string[] = []
  const redirections: Redirection[] = []
  for (;;) {
    const token = reader.tokens[reader.at]
    if (token?.kind === 'redirection') {
      const redirection = readRedirection(reader)
      if (redirection === null) return null
      redirections.push(redirection)
    } else if (token?.kind === 'word') {
      if (words.length === 0) {
        if (token.bare === token.text.length && COMPOUND.has(token.text)) return null
        if (ASSIGNMENT.test(token.text.slice(0, token.bare))) assignments.push(token.text)
        else words.push(token.text)
      } else words.push(token.text)
      reader.at += 1
    } else break
  }
  // `name ()` defines a function, `a=(…)` an array.
  if (isOperator(reader.tokens[reader.at], '(')) return null
  if (words.length + assignments.length + redirections.length === 0) return null
  return { kind: 'simple', name: words[0] ?? '', args: words.slice(1), assignments, redirections }
}

/** `[[ … ]]`: operators inside are its own. */
function readCondition(reader: Reader): SimpleCommand | null {
  const args: string[] = []
  for (reader.at += 1; reader.at < reader.tokens.length; reader.at += 1) {
    const token = reader.tokens[reader.at]
    if (isKeyword(token, ']]')) {
      reader.at += 1
      return { kind: 'simple', name: '[[', args, assignments: [], redirections: [] }
    }
    if (token?.kind === 'word') args.push(token.text)
  }
  return null
}

function readRedirection(reader: Reader): Redirection | null {
  const token = reader.tokens[reader.at]
  const target = reader.tokens[reader.at + 1]
  if (token?.kind !== 'redirection' || target?.kind !== 'word') return null
  reader.at += 2
  return { operator: token.operator, descriptor: token.descriptor, target: target.text }
}

function skipNewlines(reader: Reader): void {
  while (isOperator(reader.tokens[reader.at], '\n')) reader.at += 1
}

function isOperator(token: Token | undefined, text: Operator): boolean {
  return token?.kind === 'operator' && token.text === text
}

function isKeyword(token: Token | undefined, text: string): boolean {
  return token?.kind === 'word' && token.text === text && token.bare === text.length
}
