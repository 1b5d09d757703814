/**
 * The view of a family whose lines quote other texts (search hits, diffs, names of files): what they quote is no fact of
 * this run, whatever words it holds. Facts are read from the program's own messages alone.
 * @param pattern what the program's own messages begin with
 */
export function ownMessages(pattern: RegExp): (line: string) => string {
  return (line) => (pattern.test(line) ? line : '')
}
