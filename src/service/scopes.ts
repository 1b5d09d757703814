/** What a key may be good for, in the words of its configuration. */
export const SCOPES = ['filter', 'mask', 'recall', 'delete', 'admin'] as const

export type Scope = (typeof SCOPES)[number]

/** What a key is good for that names no scopes: everything that concerns single outputs. */
export const USUAL_SCOPES: readonly Scope[] = ['filter', 'mask', 'recall', 'delete']

export function isScope(word: string): word is Scope {
  return SCOPES.some((scope) => scope === word)
}
