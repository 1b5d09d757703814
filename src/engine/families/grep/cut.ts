import type { Program } from '../../command.ts'
import { cutMarker } from '../../marker.ts'
import { cutAt, isHighSurrogate, isLowSurrogate } from '../../text/lines.ts'

/** Lines up to this length stand whole; of a longer one this much stays before and behind what was looked for. */
const LONG = 300
const BEFORE = 60
const BEHIND = 100

/** Options of grep and ripgrep that take the next word as their value. */
const VALUED =
  /^(?:-[ABCmMgtTdDfjE]|--(?:include|exclude|exclude-dir|glob|iglob|type|type-not|max-count|context|sort|sortr|file))$/

/** The longest plain words of the pattern that a command looks for; empty where none is known. */
export function wordsOf(program: Program | null): string {
  const args = program?.args.slice(program.name === 'git' ? program.args.indexOf('grep') + 1 : 0) ?? []
  let pattern = ''
  for (let i = 0; i < args.length; i += 1) {
    const arg = args[i] ?? ''
    if (arg === '-e' || arg === '--regexp') pattern = args[i + 1] ?? ''
    else if (VALUED.test(arg)) i += 1
    else if (!arg.startsWith('-')) pattern = arg
    if (pattern !== '') break
  }
  let best = ''
  for (const words of pattern.split(/\\.|[^\w -]/)) if (words.length > best.length) best = words
  return best.toLowerCase()
}

/** An overlong line around the words looked for, with the count of what was cut; null for a line that stays whole. */
export function cutLong(text: string, words: string): string | null {
  if (text.length <= LONG) return null
  const found = words === '' ? -1 : text.toLowerCase().indexOf(words)
  let from = Math.max(0, found - BEFORE)
  if (isLowSurrogate(text.charCodeAt(from)) && isHighSurrogate(text.charCodeAt(from - 1))) from -= 1
  const shown = cutAt(text.slice(from), BEFORE + BEHIND + (found < 0 ? 0 : words.length))
  const cut = text.length - shown.length
  const open = from > 0 ? '…' : ''
  const close = from + shown.length < text.length ? '… ' : ' '
  return `${open}${shown}${close}${cutMarker(cut, 'grep')}`
}
