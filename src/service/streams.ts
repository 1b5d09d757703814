import type { Streams } from './types.ts'

/** The texts of a result: one, or stdout and stderr. */
export function textsOf(streams: Streams): readonly string[] {
  return 'output' in streams ? [streams.output] : [streams.stdout, streams.stderr]
}

/** Texts in the shape that the result came in. */
export function streamsOf(shape: Streams, texts: readonly string[]): Streams {
  const [first = '', second = ''] = texts
  return 'output' in shape ? { output: first } : { stdout: first, stderr: second }
}

/** Lines split at LF; a last line without LF counts, an empty text has none. */
export function countLines(text: string): number {
  let lines = 0
  let start = 0
  while (start < text.length) {
    const end = text.indexOf('\n', start)
    lines += 1
    if (end === -1) break
    start = end + 1
  }
  return lines
}

/**
 * Divides an upper bound between two texts by their sizes (all in tokens): the second gets what it needs up to half of
 * it, the first the rest, and what the first leaves goes back to the second.
 */
export function shareTokens(max: number, first: number, second: number): readonly [number, number] {
  const forFirst = max - Math.min(second, Math.floor(max / 2))
  return [forFirst, max - Math.min(first, forFirst)]
}
