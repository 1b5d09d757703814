import { hasLong, hasShort } from '../../command/options.ts'
import type { Program } from '../../command.ts'

/** What a search's arguments say of the form of its output. */
export interface SearchForm {
  /** Whether each hit carries its line's number; null where settings or a terminal may decide it. */
  readonly numbered: boolean | null
  /** Whether lines around the hits may be shown; null where the arguments are not known. */
  readonly context: boolean | null
}

/** Short options that take the rest of their cluster, or the next word, as their value. */
const VALUED = { grep: 'efmABCdD', rg: 'efmABCgtTMjrdE', other: 'efmABCgGO' } as const
const GREP = new Set(['grep', 'egrep', 'fgrep', 'zgrep'])
/** Options that number the lines, those of ripgrep that imply it too. */
const NUMBERED = ['--line-number', '--vimgrep', '--column', '--pretty', '--numbers', '--ackmate']
const CONTEXT = ['--context', '--after-context', '--before-context', '--after', '--before', '--passthru']

/** @param program the search; null, or no search at all, where an operator's rule chose this family */
export function formOf(program: Program | null): SearchForm {
  const isGrep = program !== null && GREP.has(program.name)
  const isKnown = isGrep || /^(?:rg|git|ag|ack)$/.test(program?.name ?? '')
  if (program === null || !isKnown) return { numbered: null, context: null }
  const args = program.name === 'git' ? program.args.slice(program.args.indexOf('grep') + 1) : program.args
  const valued = isGrep ? VALUED.grep : program.name === 'rg' ? VALUED.rg : VALUED.other
  const short = (letter: string): boolean => hasShort(args, letter, valued)
  const long = (options: readonly string[]): boolean => options.some((option) => hasLong(args, option))
  return {
    // Plain grep numbers lines when it is told to and never else; ripgrep does on a terminal too, the others by their settings.
    numbered: short('n') || long(NUMBERED) || (program.name === 'rg' && short('p')) ? true : isGrep ? false : null,
    context: ['A', 'B', 'C'].some(short) || long(CONTEXT) || args.some((arg) => /^-\d/.test(arg)),
  }
}
