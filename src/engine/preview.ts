import { extract, extractSignals } from './extract.ts'
import { condenseByFamily } from './filter.ts'
import { estimateTokens } from './text/tokens.ts'

/** Upper bound of a preview's estimated tokens. With the tag around it a stub of a shell result stays under 180. */
export const PREVIEW_TOKENS = 100
/** For other tools, whose results are read again rather than read on: a file's first lines say which one it was. */
export const BRIEF_PREVIEW_TOKENS = 40

/** A preview is at most one such part of its result, so that a small result's stub still frees most of it. */
const SHARE = 12
const LEAST_PREVIEW_TOKENS = 20

/** Beyond this no family is asked: previews of huge outputs are head and tail. */
const CONDENSE_CHARS = 1_000_000

export interface PreviewContext {
  readonly tool: string
  readonly command: string | null
  readonly exitCode: number | null
  readonly isError: boolean
}

/** What a shell tool's result says, apart. */
interface ShellResult {
  readonly output: string
  readonly error: string
  readonly exitCode: number | null
}

/**
 * A bounded extract of a result, by its text and its call alone: deterministic, linear, never empty for a text that is
 * not blank, never cut inside a surrogate pair. Results of commands have the sections Output, Error and Exit Code.
 * @param tokens the text's, estimated
 */
export function preview(text: string, context: PreviewContext, tokens: number = estimateTokens(text)): string {
  const share = Math.max(LEAST_PREVIEW_TOKENS, Math.floor(tokens / SHARE))
  if (context.command === null) return extract(text, Math.min(share, BRIEF_PREVIEW_TOKENS))
  const most = Math.min(share, PREVIEW_TOKENS)
  const shell = readShellResult(text, context.exitCode)
  const both = shell.error !== '' && shell.output !== ''
  const bound = both ? Math.max(LEAST_PREVIEW_TOKENS, most / 2) : most
  const known = shell.output === text ? tokens : undefined
  const sections: string[] = []
  if (shell.output !== '') sections.push(`Output: ${condensed(shell.output, context, shell.exitCode, bound, known)}`)
  if (shell.error !== '') sections.push(`Error: ${extract(shell.error, bound)}`)
  if (shell.exitCode !== null) sections.push(`Exit Code: ${shell.exitCode}`)
  return sections.join('\n')
}

function condensed(
  text: string,
  context: PreviewContext,
  exitCode: number | null,
  bound: number,
  tokens: number | undefined,
): string {
  if (text.length > CONDENSE_CHARS || context.command === null) return extract(text, bound)
  try {
    const about = {
      command: context.command,
      ...(context.tool !== '' && { tool: context.tool }),
      ...(exitCode !== null && { exitCode }),
    }
    const plan = condenseByFamily(text, about, tokens)
    // What no family knows says more by its first and last lines than by a window of a few.
    return plan ? extractSignals(plan.body, bound) : extract(text, bound)
  } catch {
    // A fault of a family costs the preview its condensed form, and nothing else.
    return extract(text, bound)
  }
}

const CODE_FIRST = /^(?:Exit code|exit code|Exit Code):? (\d{1,3})\n/
const CODE_LAST = /\n(?:Command exited with code|Exit Code:|exit code:|Process exited with code) (\d{1,3})\s{0,8}$/

/**
 * Takes a result apart where its tool wrote it in a known form: an exit code in the first or last line, JSON with
 * `output` or `stdout` and `stderr`, or sections that start `Output: ` and `Error: `. Else all of it is output.
 */
function readShellResult(text: string, exitCode: number | null): ShellResult {
  const json = text.startsWith('{') ? readShellJson(text, exitCode) : null
  if (json) return json
  const first = CODE_FIRST.exec(text)
  if (first) return { output: text.slice(first[0].length), error: '', exitCode: exitCode ?? Number(first[1]) }
  const last = CODE_LAST.exec(text.slice(-80))
  const cut = last ? text.length - last[0].length : text.length
  const code = exitCode ?? (last ? Number(last[1]) : null)
  if (!text.startsWith('Output: ')) return { output: text.slice(0, cut), error: '', exitCode: code }
  const error = text.indexOf('\nError: ')
  if (error < 0 || error >= cut) return { output: text.slice('Output: '.length, cut), error: '', exitCode: code }
  return { output: text.slice('Output: '.length, error), error: text.slice(error + 8, cut), exitCode: code }
}

function readShellJson(text: string, exitCode: number | null): ShellResult | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return null
  }
  if (typeof value !== 'object' || value === null) return null
  const fields = new Map<string, unknown>(Object.entries(value))
  const output = fields.get('stdout') ?? fields.get('output')
  if (typeof output !== 'string') return null
  const error = fields.get('stderr')
  const metadata = fields.get('metadata')
  if (typeof metadata === 'object' && metadata !== null) {
    for (const [key, inner] of Object.entries(metadata)) if (!fields.has(key)) fields.set(key, inner)
  }
  const code = fields.get('exitCode') ?? fields.get('exit_code') ?? fields.get('returncode')
  return {
    output,
    error: typeof error === 'string' ? error : '',
    exitCode: exitCode ?? (typeof code === 'number' ? code : null),
  }
}
