/** One simple command of a command line, as data: it is read to choose a strategy, never rewritten, never run. */
export interface Program {
  /** Base name of the executable behind wrappers (`env`, `sudo`, `time`, `npx`, `python -m`): `go`, `vitest`. */
  readonly name: string
  /** The words after it, unquoted: `['test', './...', '-json']`. */
  readonly args: readonly string[]
}
export const parseCommand = (text: string): string[] => text.split(/\s+/)
export function describeCommand(words: string[]): {
  program: Program | null
  narrowed: boolean
  exitCodeTrusted: boolean
} {
  return { program: { name: words[0] ?? '', args: words.slice(1) }, narrowed: false, exitCodeTrusted: true }
}
export const matchesCommand = (program: Program, command: string): boolean =>
  `${program.name} ${program.args.join(' ')} `.startsWith(`${command} `)
