import type { Program } from '../command.ts'

/** Programs that print files as they are. */
const PRINTERS = new Set('cat bat batcat head tail less more type nl tac gc get-content'.split(' '))
/** Files that are written by hand: source code and documents, which may quote what a tool printed. */
const WRITTEN =
  /\.(?:md|mdx|markdown|rst|adoc|org|tex|html?|css|scss|less|vue|svelte|[cm]?[jt]sx?|go|py|pyi|rb|rs|java|kt|kts|scala|groovy|cs|fs|php|pl|pm|lua|swift|dart|ex|exs|erl|clj|hs|ml|[ch](?:pp|xx|\+\+|c|h)?|m|mm|zig|nim|sql|sh|bash|zsh|fish|ps1|bat|ya?ml|toml|ini|cfg|tf|hcl|gradle|cmake|mk|proto|graphql|snap|golden)$/i

/** Whether the program prints files as they are. */
export const printsFiles = (program: Program | null): boolean =>
  program !== null && PRINTERS.has(program.name.toLowerCase())

/** Whether the output is, by its command, a file that somebody wrote: no tool's output, whatever it quotes. */
export const printsWritten = (program: Program | null): boolean =>
  printsFiles(program) && program?.args.some((arg) => WRITTEN.test(arg)) === true

const FENCE = /^(?:```|~~~)/
/** Lines at the left margin that are code, in languages that have such. */
const CODE =
  /^(?:#!\/|<!doctype |<\?php|package [\w.]{1,200};?$|import (?:["'({*]|type [\w{]|[\w.*]{1,200}(?:;$|$| as \w{1,100}$| from ["'])|[\w*{} ,]{1,400} from ["'])|from [\w.]{1,200} import |export (?:default |const |function |class |type |interface |async |\{|\*)|func (?:\w{1,200}[([]|\(\w)|(?:async )?def \w{1,200}\(|class \w{1,200}(?:\(.{0,300}\))?(?: \w[^{]{0,300})? ?[:{]$|#include [<"]|use \w{1,100}::|(?:pub )?(?:fn \w{1,200}[(<]|mod \w{1,200}[;{ ]|struct \w|enum \w|impl[ <])|(?:const|let|var) [\w{[][^=\n]{0,200} = |(?:describe|test|it)\(["'`])/i
const SAMPLE = 400

/** Whether the text is, by itself, a document or source code. */
export function isDocument(lines: readonly string[]): boolean {
  let fences = 0
  let code = 0
  for (const line of lines.slice(0, SAMPLE)) {
    if (FENCE.test(line)) fences += 1
    else if (CODE.test(line)) code += 1
    if (fences >= 2 || code >= 3) return true
  }
  return false
}
