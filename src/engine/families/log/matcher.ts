import { isOpaque, isTime, LONGEST, precedesCode, type Template, TIME_SIGN } from './template.ts'
import { BASE, MOST_SIGNS, RUN_END } from './values.ts'

/** Tells, without reading a line's template anew, that the line has a template that is known. */
export interface Matcher {
  /** Fixed texts: each with what its value begins with. */
  readonly parts: readonly string[]
  readonly slots: readonly Slot[]
  /** Longer lines are read in full. */
  readonly longest: number
}

interface Slot {
  /** How much of the value its fixed text holds. */
  readonly lead: number
  /** The rest of its shape, unit by unit. */
  readonly shape: Uint16Array
  /** Digits alone, or all of an identifier. */
  readonly any: boolean
  /** A value of this shape may be an identifier, whose shape is another one. */
  readonly mayBeOpaque: boolean
  /** A number of up to three digits is a code here, and no value. */
  readonly codes: boolean
}

/** Where the values of a line stand, in order, and their codes (see `codeOf`). */
export interface Places {
  readonly from: Int32Array
  readonly to: Int32Array
  readonly codes: Float64Array
}

const MOST_SLOTS = 64

export const createPlaces = (): Places => ({
  from: new Int32Array(MOST_SLOTS),
  to: new Int32Array(MOST_SLOTS),
  codes: new Float64Array(MOST_SLOTS),
})

const ENDS_IN_CODE_WORD = /(?:status|code|exit|errno|signal|sqlstate|HTTP)$/i
const LEVEL_FIELD = /(?:level|lvl|severity)="?$/
const TIME_SHAPE = /^#(?::#:#|-#-#|\/[A-Z][a-z]{2}\/#)/
const READABLE = /[^\w#-]/
const NO_HEX = /[^0-9a-fA-F#-]/
/** What stands before a process id, which is no part of the text that is compared. */
const BEFORE_PROCESS = /^(?:[\w./-]*\[|\[[a-z]{1,8}\] )$/
const MIXED = /#[^#]*[A-Za-z][^#]*#/

/**
 * @param longest of the line's length, for lines that are to match
 * @returns null for a template that a line can't be told to have by comparing its fixed parts and the values' shapes:
 * times in it, too many values, a value at the very start or where a level may stand
 */
export function matcherOf(template: Template, longest: number): Matcher | null {
  const { parts, shapes, values } = template
  const start = parts[0] ?? ''
  if (shapes.length > MOST_SLOTS || start === '' || BEFORE_PROCESS.test(start)) return null
  if (parts.some((part) => part.includes(TIME_SIGN) || LEVEL_FIELD.test(part))) return null
  const slots: Slot[] = []
  const fixed: string[] = []
  for (const [i, shape] of shapes.entries()) {
    const before = i === 0 ? '' : (shapes[i - 1] ?? '').replaceAll('#', '0')
    const value = values[i] ?? ''
    if (TIME_SHAPE.test(shape) || (shape === '#' && ENDS_IN_CODE_WORD.test(value))) return null
    const lead = LEAD.exec(shape)?.[0] ?? ''
    fixed.push((parts[i] ?? '') + lead)
    slots.push({
      lead: lead.length,
      shape: Uint16Array.from({ length: shape.length - lead.length }, (_, k) => shape.charCodeAt(lead.length + k)),
      any: shape === '#',
      mayBeOpaque: shape !== '#' && !READABLE.test(shape) && (!NO_HEX.test(shape) || MIXED.test(shape)),
      codes: precedesCode(before + (parts[i] ?? '')),
    })
  }
  return { parts: [...fixed, parts[shapes.length] ?? ''], slots, longest: Math.min(longest, LONGEST) }
}

/** What a shape begins with, where it is ASCII; other shapes match nothing. */
const LEAD = /^[\x21-\x22\x24-\x7e]+(?=#)/

/** 1 for ASCII characters that end a value. */
const ENDS: Uint8Array = Uint8Array.from({ length: 128 }, (_, unit) =>
  /[\s,;=()[\]{}"'|<>]/.test(String.fromCharCode(unit)) ? 1 : 0,
)
const HASH = 0x23
const ZERO = 0x30
/** A value of at most so many units may be a code. */
const CODE_LENGTH = 4

/** Whether the line has the template, from `at` on; fills in the places of its values. Exact: it may miss, never err. */
export function matches(matcher: Matcher, line: string, at: number, places: Places): boolean {
  const { parts, slots } = matcher
  if (line.length - at > matcher.longest) return false
  let from = at
  for (let i = 0; i < slots.length; i += 1) {
    const part = parts[i] ?? ''
    const slot = slots[i]
    if (!slot || !standsAt(part, line, from)) return false
    const readFrom = from + part.length
    from = readFrom - slot.lead
    const to = slot.any ? readAny(line, from, places, i) : readShaped(slot.shape, line, readFrom, places, i)
    if (to < 0 || (slot.codes && to - from <= CODE_LENGTH)) return false
    if (slot.mayBeOpaque && isOpaque(line.slice(from, to))) return false
    places.from[i] = from
    places.to[i] = to
    from = to
  }
  const last = parts[slots.length] ?? ''
  return line.length - from === last.length && standsAt(last, line, from)
}

/** `startsWith`, quicker for the short texts between values. */
function standsAt(part: string, line: string, from: number): boolean {
  if (part.length > SHORT) return line.startsWith(part, from)
  for (let i = 0; i < part.length; i += 1) if (line.charCodeAt(from + i) !== part.charCodeAt(i)) return false
  return true
}
const SHORT = 4

/** Reads a number, or an identifier; returns its end, or -1 where neither stands there. */
function readAny(line: string, from: number, places: Places, slot: number): number {
  let code = 1
  for (let at = from; at < line.length; at += 1) {
    const digit = line.charCodeAt(at) - ZERO
    if (digit >= 0 && digit <= 9) {
      code = code * BASE + digit
      continue
    }
    const unit = digit + ZERO
    if (unit < 0x80 && ENDS[unit] === 1) {
      places.codes[slot] = at - from > MOST_SIGNS ? 0 : code
      return at > from ? at : -1
    }
    places.codes[slot] = 0
    return endOfIdentifier(line, from)
  }
  places.codes[slot] = line.length - from > MOST_SIGNS ? 0 : code
  return line.length > from ? line.length : -1
}

function endOfIdentifier(line: string, from: number): number {
  let at = from
  for (; at < line.length; at += 1) {
    const unit = line.charCodeAt(at)
    if (unit >= 0x80) return -1
    if (ENDS[unit] === 1) break
  }
  const token = line.slice(from, at)
  return !isOpaque(token) || isTime(token) || ENDS_IN_CODE_WORD.test(token) ? -1 : at
}

/** Reads the rest of a token of this shape; returns its end, or -1 where none stands there. */
function readShaped(shape: Uint16Array, line: string, from: number, places: Places, slot: number): number {
  let at = from
  let next = 0
  let inRun = false
  let code = 1
  let signs = 0
  for (; at < line.length; at += 1) {
    const unit = line.charCodeAt(at)
    const digit = unit - ZERO
    if (digit >= 0 && digit <= 9) {
      code = code * BASE + digit
      signs += 1
      if (inRun) continue
      inRun = true
      if (shape[next] !== HASH) return -1
    } else {
      if (unit >= 0x80) return -1
      if (ENDS[unit] === 1) break
      if (inRun) {
        code = code * BASE + RUN_END
        signs += 1
        inRun = false
      }
      if (shape[next] !== unit) return -1
    }
    next += 1
  }
  places.codes[slot] = signs > MOST_SIGNS ? 0 : code
  return next === shape.length ? at : -1
}
