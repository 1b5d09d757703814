/** Which program a command line runs. Commands are data: read to choose a strategy, never rewritten, never run. */

export { type CommandDescription, describeCommand } from './command/describe.ts'
export { matchesCommand } from './command/match.ts'
export {
  type CommandLine,
  type Group,
  type Pipeline,
  parseCommand,
  type Redirection,
  type SimpleCommand,
} from './command/parse.ts'

/** One simple command of a command line, as data: it is read to choose a strategy, never rewritten, never run. */
export interface Program {
  /** Base name of the executable behind wrappers (`env`, `sudo`, `time`, `npx`, `python -m`): `go`, `vitest`. */
  readonly name: string
  /** The words after it, unquoted: `['test', './...', '-json']`. */
  readonly args: readonly string[]
}
