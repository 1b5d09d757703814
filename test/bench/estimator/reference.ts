import { countTokens as countO200k } from 'gpt-tokenizer/encoding/o200k_base'

/** Exact tokens of o200k_base; special tokens' names are text like any other. */
export function countTokens(text: string): number {
  return countO200k(text, { allowedSpecial: new Set(), disallowedSpecial: new Set() })
}

/** The pattern by which o200k_base cuts a text into pieces before it merges bytes. For measuring alone: it backtracks. */
export const PIECES =
  /[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?:'[sStTmMdD]|'[rR][eE]|'[vV][eE]|'[lL][lL])?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?:'[sStTmMdD]|'[rR][eE]|'[vV][eE]|'[lL][lL])?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+/gu
