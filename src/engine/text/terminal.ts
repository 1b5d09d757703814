/**
 * One line of output as a terminal would show it (ECMA-48 control functions, as far as they matter inside one line).
 * Every function is linear in the line's length: a written unit costs constant time, and an erased unit was written once.
 */
import { skipEscape } from './escape.ts'
import { isHighSurrogate, isLowSurrogate } from './lines.ts'

/** C0 controls but tab, and DEL. LF never stands inside a line. */
const CONTROL = /[\0-\x08\x0a-\x1f\x7f]/

/** The same in a whole text, whose lines end in LF. */
const CONTROL_IN_TEXT = /[\0-\x08\x0b-\x1f\x7f]/

/** Select Graphic Rendition. */
const COLOUR = /\x1b\[[\d;:]*m/g

const BACKSPACE = 0x08
const TAB = 0x09
const CARRIAGE_RETURN = 0x0d
const ESCAPE = 0x1b
const SPACE = 0x20
const UNDERSCORE = 0x5f
const DELETE = 0x7f

/** Whether a text holds a control that a terminal acts on; without one, each of its lines is shown as it is. */
export function hasControls(text: string): boolean {
  return CONTROL_IN_TEXT.test(text)
}

/** Whether NUL separates the text's parts (`find -print0`, `git … -z`): for a program to read, and no line of a terminal. */
export function isNulSeparated(text: string): boolean {
  return (
    text.includes('\0') &&
    /[^\0]\0[^\0]+\0/.test(text) &&
    !/[\x01-\x08\x0b-\x1a\x7f]/.test(text.replaceAll('\r\n', '\n'))
  )
}

/**
 * A line without LF as a terminal shows it. Colours, titles, links' targets and other escape sequences go, as do controls
 * but tab; CR and backspace move, and what follows overwrites cell by cell; `ESC[K` erases to the end of the line;
 * `ESC[2K` erases the line, and writing starts anew at its begin (the blanks that a terminal would leave say nothing).
 * Other cursor movements are ignored. One code unit is one cell; an overwritten half of a surrogate pair takes the other
 * half along. A line without controls is returned as it is, so that the function is idempotent.
 */
export function showLine(raw: string): string {
  if (!CONTROL.test(raw)) return raw
  const line = withoutFinalReturn(raw)
  return withoutColours(line) ?? drawLine(line).text
}

/** Whether some text of the line was overwritten by other text or erased, so that showLine(raw) does not hold it. */
export function redrawn(raw: string): boolean {
  if (!CONTROL.test(raw)) return false
  const line = withoutFinalReturn(raw)
  return withoutColours(line) === null && drawLine(line).redrawn
}

/** Most lines with controls hold colours alone: they need no drawing. Null for any other line. */
function withoutColours(line: string): string | null {
  const bare = line.replace(COLOUR, '')
  return CONTROL.test(bare) || !bare.isWellFormed() ? null : bare
}

/** CRLF line ends: the CR before the LF. */
function withoutFinalReturn(raw: string): string {
  return raw.endsWith('\r') ? raw.slice(0, -1) : raw
}

function drawLine(line: string): { readonly text: string; readonly redrawn: boolean } {
  let cells = new Uint16Array(Math.min(line.length, 512))
  let width = 0
  let column = 0
  let lost = false

  function write(unit: number): void {
    if (column < width) {
      const old = cells[column] ?? SPACE
      if (old !== unit && isText(old)) lost = true
    } else {
      if (column === cells.length) cells = enlarged(cells)
      width = column + 1
    }
    cells[column] = unit
    column += 1
  }
  function eraseFrom(start: number): void {
    for (let i = start; i < width && !lost; i += 1) lost = isText(cells[i] ?? SPACE)
    width = Math.min(width, start)
    column = Math.min(column, start)
  }

  let i = 0
  while (i < line.length) {
    const unit = line.charCodeAt(i)
    if (unit === ESCAPE) {
      const { end, effect } = skipEscape(line, i)
      if (effect === 'erase-end') eraseFrom(column)
      else if (effect === 'erase-line') eraseFrom(0)
      else if (effect === 'column-0') column = 0
      i = end
      continue
    }
    if (unit === CARRIAGE_RETURN) column = 0
    else if (unit === BACKSPACE) column = Math.max(0, column - 1)
    else if (unit === TAB || (unit >= SPACE && unit !== DELETE)) write(unit)
    i += 1
  }
  return { text: wholeCharacters(cells.subarray(0, width)), redrawn: lost }
}

/** A blank says nothing; an underscore under a letter is how man pages underline. */
function isText(unit: number): boolean {
  return unit !== SPACE && unit !== TAB && unit !== UNDERSCORE
}

function enlarged(cells: Uint16Array<ArrayBuffer>): Uint16Array<ArrayBuffer> {
  const larger = new Uint16Array(cells.length * 2 + 16)
  larger.set(cells)
  return larger
}

/** The cells as a string, without halves of surrogate pairs. Compacts `cells` in place. */
function wholeCharacters(cells: Uint16Array): string {
  let kept = 0
  for (let i = 0; i < cells.length; i += 1) {
    const unit = cells[i] ?? 0
    const next = cells[i + 1] ?? 0
    if (isHighSurrogate(unit) && isLowSurrogate(next)) {
      cells[kept] = unit
      cells[kept + 1] = next
      kept += 2
      i += 1
    } else if (!isHighSurrogate(unit) && !isLowSurrogate(unit)) {
      cells[kept] = unit
      kept += 1
    }
  }
  const parts: string[] = []
  // In pieces, since an engine limits the number of a call's arguments.
  for (let from = 0; from < kept; from += 4096)
    parts.push(String.fromCharCode(...cells.subarray(from, Math.min(kept, from + 4096))))
  return parts.join('')
}
