import { mayBeTabled } from '../value-table.ts'
import type { Diagnostic } from './diagnostics.ts'

const LONGEST_MESSAGE = 1500
const MOST_WORDS = 80
const MOST_VALUES = 4

/** A finding with its message cut into words. */
export interface Worded {
  readonly finding: Diagnostic
  readonly message: string
  readonly words: readonly string[]
  /** What stands behind each word. */
  readonly gaps: readonly string[]
}

const WORD = /(?:\w+(?:'\w+)*|"[^"\n]{1,160}"|'[^'\n]{1,160}'|`[^`\n]{1,160}`|‘[^’\n]{1,160}’|[^\s])+/g

/** A finding's message on all its lines. */
const messageOfFinding = ({ text, notes = [] }: Diagnostic): string =>
  [text, ...notes.map((note) => note.trim())].join('\n')

/** null for a finding that stands under its file in any case. */
export function wordsOf(finding: Diagnostic): Worded | null {
  if ((finding.advice ?? []).length > 0 || (finding.scope ?? '') !== '') return null
  if (!/^[^\s;]+$/.test(finding.path) || !/^(?:\(\d+,\d+\)|\d+(?::\d+)?)$/.test(finding.place)) return null
  const message = messageOfFinding(finding)
  if (message.length > LONGEST_MESSAGE || !mayBeTabled(message) || /^\s|\s$|\n\n/.test(message)) return null
  const words = message.match(WORD) ?? []
  if (words.length > MOST_WORDS) return null
  const gaps: string[] = []
  let at = 0
  words.forEach((word, i) => {
    at += word.length
    const next = words[i + 1]
    const end = next === undefined ? message.length : message.indexOf(next, at)
    gaps.push(message.slice(at, end))
    at = end
  })
  return { finding, message, words, gaps }
}

/** What like messages have in common: the first and the last word, and the spaces. */
export function keyOf({ words, gaps }: Worded): string {
  const first = words[0] ?? ''
  const last = words.at(-1) ?? ''
  return [/^["'`‘]/.test(first) ? '' : first, /["'`’\d]/.test(last) ? '' : last, gaps.join('.')].join('\n')
}

export interface Shape {
  readonly message: string
  readonly width: number
  valuesOf(words: readonly string[]): string[]
}

/** A run of words that differ, and how much of its first and last word is the same in all. */
interface Column {
  readonly from: number
  readonly to: number
  readonly open: string
  readonly close: string
  /** Number of its value, from 1. */
  number: number
}

/** What the group's messages share. @returns null where they differ in too much */
export function shapeOf(group: readonly Worded[]): Shape | null {
  const model = group[0]
  if (!model) return null
  const { words, gaps } = model
  const differs = words.map((word, i) => group.some((other) => other.words[i] !== word))
  const columns: Column[] = []
  for (let from = 0; from < words.length; from += 1) {
    if (!differs[from]) continue
    let to = from
    while (differs[to + 1] && gaps[to] === ' ') to += 1
    columns.push({ from, to, ...edgesOf(group, from, to), number: 0 })
    from = to
  }
  const valueIn = (of: readonly string[], { from, to, open, close }: Column): string => {
    const text = from === to ? (of[from] ?? '') : of.slice(from, to + 1).join(' ')
    return open === '' && close === '' ? text : text.slice(open.length, text.length - close.length)
  }
  const distinct: Column[] = []
  for (const column of columns) {
    const same = distinct.find((known) => group.every(({ words: of }) => valueIn(of, known) === valueIn(of, column)))
    if (same) column.number = same.number
    else if (distinct.length === MOST_VALUES) return null
    else {
      distinct.push(column)
      column.number = distinct.length
    }
  }
  let message = ''
  let next = 0
  for (let i = 0; i < words.length; i += 1) {
    const column = columns[next]
    if (column?.from !== i) message += `${words[i]}${gaps[i]}`
    else {
      message += `${column.open}${distinct.length === 1 ? '{}' : `{${column.number}}`}${column.close}${gaps[column.to]}`
      i = column.to
      next += 1
    }
  }
  return { message, width: distinct.length, valuesOf: (of) => distinct.map((column) => valueIn(of, column)) }
}

const OPENING = '"\'`‘“([{<'
const CLOSING = '"\'`’”)]}>'
const PUNCTUATION = '.,:;'

/**
 * What all of the column's texts begin and end with: brackets, quotes and punctuation where it is one word, punctuation
 * behind it where it is several. What is between is never empty.
 */
function edgesOf(group: readonly Worded[], from: number, to: number): { open: string; close: string } {
  let open: string | null = null
  let close: string | null = null
  for (const { words } of group) {
    const last = words[to] ?? ''
    const head = from === to ? startOf(last, OPENING) : ''
    // The opening is spent already.
    const rest = last.slice(head.length)
    const tail = endOf(rest, from === to ? CLOSING + PUNCTUATION : PUNCTUATION)
    const own = tail.length === rest.length ? '' : tail
    open = open === null ? head : commonStart(open, head)
    close = close === null ? own : commonEnd(close, own)
    if (open === '' && close === '') break
  }
  return { open: open ?? '', close: close ?? '' }
}

function startOf(word: string, signs: string): string {
  let length = 0
  while (length < word.length && signs.includes(word.charAt(length))) length += 1
  return word.slice(0, length)
}

function endOf(word: string, signs: string): string {
  let from = word.length
  while (from > 0 && signs.includes(word.charAt(from - 1))) from -= 1
  return word.slice(from)
}

function commonStart(a: string, b: string): string {
  let length = 0
  while (length < a.length && a[length] === b[length]) length += 1
  return a.slice(0, length)
}

function commonEnd(a: string, b: string): string {
  let length = 0
  while (length < a.length && a[a.length - 1 - length] === b[b.length - 1 - length]) length += 1
  return a.slice(a.length - length)
}
