const NOT_IN_A_HINT = /[\]\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g
const MAX_HINT = 300

/**
 * A caller's words for how to get the full output, made fit for a trailer: one line without `]`, of bounded length,
 * with `{id}` in it, since without the id the output could not be found again. Undefined where there are no words.
 */
export function writeHint(words: string | null | undefined): string | undefined {
  const line = words?.toWellFormed().replace(NOT_IN_A_HINT, ' ').trim()
  if (!line || line.length > MAX_HINT) return undefined
  return line.includes('{id}') ? line : `${line} {id}`
}
