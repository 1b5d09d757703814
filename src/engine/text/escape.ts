/** Escape sequences of terminals (ECMA-48): where one ends, and what it does to the line that it stands in. */

/** What a sequence does to its line; every other effect (colour, title, cursor movement) leaves the text alone. */
export type Effect = 'none' | 'erase-end' | 'erase-line' | 'column-0'

export interface Escape {
  /** Index of the first code unit after the sequence. */
  readonly end: number
  readonly effect: Effect
}

const BELL = 0x07
const CANCEL = 0x18
const SUBSTITUTE = 0x1a
const ESCAPE = 0x1b
const SPACE = 0x20

/** Titles and links are shorter; longer ones are data (images, the clipboard), which is encoded without a space. */
const LONGEST_WORDS = 4096

/**
 * Reads the sequence whose ESC stands at `start`. A unit that can't belong to a control sequence ends it and stays text;
 * a control string that is never ended hides nothing: what follows its first two units is text.
 */
export function skipEscape(line: string, start: number): Escape {
  switch (line[start + 1]) {
    case '[':
      return skipControlSequence(line, start + 2)
    case ']': // OSC: titles, links
    case 'P': // DCS
    case 'X': // SOS
    case '^': // PM
    case '_': // APC
      return { end: endOfString(line, start + 2) ?? start + 2, effect: 'none' }
    default:
      return { end: endOfShortSequence(line, start + 1), effect: 'none' }
  }
}

/** Parameters (0x30-0x3f), intermediates (0x20-0x2f), one final unit (0x40-0x7e). */
function skipControlSequence(line: string, from: number): Escape {
  let i = from
  while (inRange(line, i, 0x30, 0x3f)) i += 1
  const parameters = i
  while (inRange(line, i, 0x20, 0x2f)) i += 1
  if (!inRange(line, i, 0x40, 0x7e)) return { end: i, effect: 'none' }
  const effect = i === parameters ? effectOf(line[i], line, from, i) : 'none'
  return { end: i + 1, effect }
}

function effectOf(final: string | undefined, line: string, from: number, to: number): Effect {
  if (to - from > 1) return 'none'
  const parameter = to === from ? '' : line[from]
  if (final === 'K') {
    if (parameter === '2') return 'erase-line'
    return parameter === '' || parameter === '0' ? 'erase-end' : 'none'
  }
  if (final === 'G') return parameter === '' || parameter === '0' || parameter === '1' ? 'column-0' : 'none'
  return 'none'
}

/**
 * A control string ends at BEL, at ST (`ESC \`), or where CAN or SUB cancels it. Null where the line or another sequence
 * breaks it off, and where so many words are in it that its end must be another's.
 */
function endOfString(line: string, from: number): number | null {
  let hasSpace = false
  for (let i = from; i < line.length; i += 1) {
    const unit = line.charCodeAt(i)
    const ends = unit === BELL || unit === CANCEL || unit === SUBSTITUTE
    if (ends || (unit === ESCAPE && line[i + 1] === '\\')) return ends ? i + 1 : i + 2
    if (unit === ESCAPE) return null
    hasSpace ||= unit === SPACE
    if (hasSpace && i - from > LONGEST_WORDS) return null
  }
  return null
}

/** `ESC ( B`, `ESC 7`, `ESC =`: intermediates, then one final unit. */
function endOfShortSequence(line: string, from: number): number {
  let i = from
  while (inRange(line, i, 0x20, 0x2f)) i += 1
  return inRange(line, i, 0x30, 0x7e) ? i + 1 : i
}

/** False beyond the end of the line, where charCodeAt is NaN. */
function inRange(line: string, index: number, low: number, high: number): boolean {
  const unit = line.charCodeAt(index)
  return unit >= low && unit <= high
}
