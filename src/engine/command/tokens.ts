import { readWord } from './quoting.ts'
import { type HereDocument, skipHereDocuments } from './substitution.ts'

export type Token =
  | { readonly kind: 'word'; readonly text: string; readonly bare: number }
  | { readonly kind: 'operator'; readonly text: Operator }
  | { readonly kind: 'redirection'; readonly operator: string; readonly descriptor: number | null }

export type Operator = '&&' | '||' | ';' | ';;' | '&' | '|' | '(' | ')' | '\n'

/** Longest first. `|&` is `|` with stderr joined. */
const OPERATORS: readonly (readonly [string, Operator])[] = [
  ['&&', '&&'],
  ['||', '||'],
  ['|&', '|'],
  [';;', ';;'],
  [';&', ';;'],
  ['|', '|'],
  ['&', '&'],
  [';', ';'],
  ['(', '('],
  [')', ')'],
  ['\n', '\n'],
]
const REDIRECTIONS = ['&>>', '&>', '<<<', '<<-', '<<', '<&', '<>', '<', '>>', '>&', '>|', '>']

/** The tokens of a shell command line (POSIX 2.3), comments and here-documents gone; null where something never closes. */
export function readTokens(text: string): Token[] | null {
  const tokens: Token[] = []
  const pending: HereDocument[] = []
  let i = 0
  while (i < text.length) {
    const unit = text[i] ?? ''
    if (unit === ' ' || unit === '\t' || unit === '\r') i += 1
    else if (unit === '\\' && text[i + 1] === '\n') i += 2
    else if (unit === '#') {
      const end = text.indexOf('\n', i)
      i = end < 0 ? text.length : end
    } else if (text.startsWith('<(', i) || text.startsWith('>(', i) || !'|&;()<>\n'.includes(unit)) {
      const word = readWord(text, i)
      if (word === null) return null
      i = word.end
      const redirects = text[i] === '<' || text[i] === '>'
      if (redirects && word.bare === word.text.length && isDescriptor(word.text)) {
        const operator = REDIRECTIONS.find((candidate) => text.startsWith(candidate, i)) ?? '>'
        tokens.push({ kind: 'redirection', operator, descriptor: Number(word.text) })
        i += operator.length
      } else {
        const last = tokens.at(-1)
        if (last?.kind === 'redirection' && (last.operator === '<<' || last.operator === '<<-'))
          pending.push({ delimiter: word.text, tabs: last.operator === '<<-' })
        tokens.push({ kind: 'word', text: word.text, bare: word.bare })
      }
    } else {
      const redirection = REDIRECTIONS.find((candidate) => text.startsWith(candidate, i))
      if (redirection !== undefined) {
        tokens.push({ kind: 'redirection', operator: redirection, descriptor: null })
        i += redirection.length
        continue
      }
      const found = OPERATORS.find(([written]) => text.startsWith(written, i))
      if (found === undefined) return null
      tokens.push({ kind: 'operator', text: found[1] })
      i += found[0].length
      if (unit === '\n' && pending.length > 0) i = skipHereDocuments(text, i, pending)
    }
  }
  return tokens
}

function isDescriptor(word: string): boolean {
  return word.length > 0 && word.length < 4 && /^[0-9]+$/.test(word)
}
