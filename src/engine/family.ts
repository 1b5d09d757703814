import type { Program } from './command.ts'
import type { Draft } from './draft.ts'
import type { Fact } from './signals.ts'

/** What is known of one tool output when it is condensed. */
export interface ToolOutput {
  /** The input split at LF, each line as a terminal would show it. Index i is input line i; no final empty line. */
  readonly lines: readonly string[]
  /** Exit code of the program itself; null where unknown or no evidence (a pipeline, `;`, `|| true`). */
  readonly exitCode: number | null
  /** The program whose output this is; null where no command is known or several ran. */
  readonly program: Program | null
  /** The facts in the lines (as the family's `view` gives them), read once when first asked for. */
  facts(): ReadonlyMap<string, Fact>
  /**
   * Says that a line is not to be read for facts, since one like it, but for its digits, holds none; for outputs of many
   * like lines. Of no effect once the facts were read.
   */
  silence?(line: number): void
  /**
   * Gives what the family's `view` says of each line, where it was read in condensing: it is not read again then. A line
   * that holds no fact, and none of whose neighbours' depends on it, may be empty.
   */
  viewed?(texts: readonly string[]): void
}

/** A family of commands with output of one kind: how to recognise it, and how to condense it. */
export interface Family {
  /** Kebab case; stands in trailers and telemetry: `go-test`. */
  readonly name: string
  /** Leading words of the commands, options skipped: `go test`, `git status`, `pytest`. */
  readonly commands: readonly string[]
  /** Its output drives the agent's next decision: counts never replace failed, skipped or changed items. */
  readonly decides: boolean
  /** It keeps signals to a budget of its own (as for logs, where any number of lines are errors). */
  readonly budgeted?: boolean
  /** Whether the text is this family's beyond doubt, also without a command. Must refuse what only looks alike. */
  detect(lines: readonly string[]): boolean
  /**
   * Writes each line's fate into the draft; returns the strategy's name (`go-test-json`), or null where the text is
   * not what the family knows (nothing may be assumed of the draft then).
   */
  condense(output: ToolOutput, draft: Draft): string | null
  /** The text that an encoded line (NDJSON) holds, where the facts that must survive are read from; default: the line. */
  view?(line: string): string
  /** The same for a JSON array or object that is printed over several lines, whose bracket stands alone on a line. */
  viewJson?(value: unknown): string
}
